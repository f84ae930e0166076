package io.gannet.systemd;

/** Of a line in the journal, as sd-daemon(3) numbers them. */
public enum Priority
{
    /** Something failed. */
    ERROR(3),
    /** Something an operator should look at. */
    WARNING(4),
    /** Something an operator may want to know. */
    INFO(6);

    private final String prefix;

    Priority(final int number)
    {
        prefix = "<" + number + ">";
    }

    /** What a line of this priority starts with. */
    public String prefix()
    {
        return prefix;
    }
}

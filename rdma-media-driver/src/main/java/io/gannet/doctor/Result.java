package io.gannet.doctor;

/**
 * What a check says of one thing.
 *
 * @param check    name of the check.
 * @param severity how bad it is.
 * @param found    what is there; with SKIPPED why it wasn't looked at.
 * @param expected what should be there; empty with OK and SKIPPED, as are those that follow.
 * @param why      why it matters.
 * @param mend     command or setting that mends it.
 */
public record Result(String check, Severity severity, String found, String expected, String why, String mend)
{
    /** Whether there is something to mend or to know. */
    public boolean isFinding()
    {
        return severity.compareTo(Severity.NOTE) >= 0;
    }
}

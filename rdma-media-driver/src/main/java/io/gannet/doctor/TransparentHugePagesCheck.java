package io.gannet.doctor;

/** Transparent huge pages: {@code always [madvise] never}, the chosen one in brackets. */
final class TransparentHugePagesCheck extends Check
{
    private static final String FILE = "/sys/kernel/mm/transparent_hugepage/enabled";

    TransparentHugePagesCheck()
    {
        super("transparent-huge-pages", false, "madvise or never",
            "with always the kernel moves memory together while programs run, and stops them for milliseconds");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        final String text = host.tree().text(FILE);
        final int open = text.indexOf('[');
        if (open < 0)
        {
            throw new UnreadableException("this kernel has none");
        }
        final String chosen = text.substring(open + 1, Math.max(open + 1, text.indexOf(']')));
        if ("always".equals(chosen))
        {
            notes.warning("always", "echo madvise > " + FILE + "; for each boot transparent_hugepage=madvise on the " +
                "kernel's command line");
        }
        else
        {
            notes.ok(chosen);
        }
    }
}

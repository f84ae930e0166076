package io.gannet.doctor;

import io.gannet.os.Membarrier;

/** Kernel version, and membarrier(2), by which a sleeper fences the hot side. */
final class KernelCheck extends Check
{
    private static final String FILE = "/proc/sys/kernel/osrelease";
    private static final int MAJOR = 5;
    private static final int MINOR = 10;

    KernelCheck()
    {
        super("kernel", false, "Linux " + MAJOR + "." + MINOR + " or later, with membarrier",
            "without membarrier each offer pays a fence of its own");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        final String release = host.tree().text(FILE);
        final String[] numbers = release.split("[.-]", 3);
        final long major = Tree.parse(release).orElse(0);
        final long minor = numbers.length < 2 ? 0 : Tree.parse(numbers[1]).orElse(0);
        if (major == 0)
        {
            throw new UnreadableException(FILE + " can't be read");
        }
        if (major < MAJOR || (major == MAJOR && minor < MINOR))
        {
            notes.error("Linux " + release, "a newer kernel");
        }
        else if (host.tree().isThisHost() && !Membarrier.isSupported())
        {
            notes.warning("Linux " + release + ", membarrier refused",
                "allow membarrier in the container's seccomp profile, or a kernel with CONFIG_MEMBARRIER=y");
        }
        else
        {
            notes.ok("Linux " + release + (host.tree().isThisHost() ? ", membarrier" : ""));
        }
    }
}

package io.gannet.doctor;

import java.util.List;
import java.util.OptionalLong;

/** Version of rdma-core, by the name of its library: libibverbs.so.1.14.44.0 is rdma-core 44. */
final class RdmaCoreCheck extends Check
{
    /** First release whose private provider interface is v34, and that has all functions which are called. */
    private static final int OLDEST = 34;
    private static final String PREFIX = "libibverbs.so.1.";
    private static final String MANAGER = "librdmacm.so.1";
    private static final List<String> PLACES = List.of("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
        "/usr/lib64", "/usr/lib", "/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/lib64", "/usr/local/lib");

    RdmaCoreCheck()
    {
        super("rdma-core", true, "rdma-core " + OLDEST + " or later: libibverbs.so.1 and librdmacm.so.1",
            "the driver reaches the NIC through these libraries");
    }

    @Override
    void examine(final Host host, final Notes notes)
    {
        final Tree tree = host.tree();
        boolean libraries = tree.isThisHost();
        boolean manager = false;
        String library = "";
        for (final String place : PLACES)
        {
            libraries |= tree.exists(place);
            for (final String name : tree.names(place))
            {
                manager |= name.equals(MANAGER);
                if (name.startsWith(PREFIX) && library.isEmpty())
                {
                    library = name;
                }
            }
        }
        if (!libraries)
        {
            notes.skip("the tree has no /usr/lib");
            return;
        }
        final String mend = "apt-get install libibverbs1 librdmacm1 ibverbs-providers, or dnf install libibverbs " +
            "librdmacm";
        if (library.isEmpty() || !manager)
        {
            notes.error("not installed: " + (library.isEmpty() ? "libibverbs.so.1" : MANAGER), mend);
            return;
        }
        final String[] numbers = library.substring(PREFIX.length()).split("\\.", -1);
        final OptionalLong version = numbers.length < 2 ? OptionalLong.empty() : Tree.parse(numbers[1]);
        if (version.isPresent() && version.getAsLong() < OLDEST)
        {
            notes.error("rdma-core " + version.getAsLong() + " (" + library + ")", mend + ", from a newer release");
        }
        else
        {
            notes.ok(version.isPresent() ? "rdma-core " + version.getAsLong() : library);
        }
    }
}

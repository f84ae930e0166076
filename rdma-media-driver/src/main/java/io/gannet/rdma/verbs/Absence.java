package io.gannet.rdma.verbs;

import io.gannet.rdma.Errno;
import io.gannet.rdma.RdmaException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Why this machine has no RDMA device for us: no support in the kernel, no device, no user-space driver for it, no
 * connection manager or no permission, each with its remedy.
 */
final class Absence
{
    private static final Path DEVICES = Path.of("/sys/class/infiniband");
    private static final Path NODES = Path.of("/dev/infiniband");

    private Absence()
    {
    }

    /**
     * @param errno that the library gave, or 0 if it only listed nothing.
     */
    static RdmaException explain(final int errno)
    {
        return explain(errno, DEVICES, NODES);
    }

    static RdmaException explain(final int errno, final Path devices, final Path nodes)
    {
        final List<String> known = names(devices);
        if (!Files.isDirectory(devices))
        {
            return new RdmaException(Errno.ENODEV, "no RDMA: this kernel has no support for it loaded (no " + devices +
                "). Load ib_uverbs and rdma_ucm, or choose device=roce, which needs neither");
        }
        if (known.isEmpty())
        {
            return new RdmaException(Errno.ENODEV, "no RDMA device: the kernel knows none (" + devices +
                " is empty). Load the NIC's RDMA driver, or make a software device: rdma link add rxe0 type rxe " +
                "netdev <interface>; or choose device=roce");
        }
        final Path manager = nodes.resolve("rdma_cm");
        if (!Files.exists(manager, LinkOption.NOFOLLOW_LINKS))
        {
            return new RdmaException(Errno.ENODEV, "no RDMA connection manager: there is no " + manager +
                ". Load rdma_ucm; in a container pass " + nodes + " through");
        }
        for (final String node : names(nodes))
        {
            final Path path = nodes.resolve(node);
            if ((node.startsWith("uverbs") || "rdma_cm".equals(node)) &&
                !(Files.isReadable(path) && Files.isWritable(path)))
            {
                return new RdmaException(Errno.EACCES, "no permission for " + path + ": the user needs read and " +
                    "write access (rdma-core's udev rules give it to all; some distributions to group rdma)");
            }
        }
        return new RdmaException(errno == 0 ? Errno.ENODEV : errno, "no RDMA device that libibverbs can use: the " +
            "kernel knows " + String.join(", ", known) + ". Install its user-space driver (ibverbs-providers, of the " +
            "version of " + Provider.file(RdmaLibrary.VERBS) + "); IBV_SHOW_WARNINGS=1 tells what was tried");
    }

    private static List<String> names(final Path directory)
    {
        try (Stream<Path> entries = Files.list(directory))
        {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        }
        catch (final IOException e)
        {
            return List.of();
        }
    }
}

package io.gannet.rdma.verbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;

/**
 * Where a NIC is in the machine, and where this process may run: a write of a NIC to memory of another node costs a
 * hop, and so does each poll.
 *
 * @param node    NUMA node of the device, or -1 if the machine has one only or does not say.
 * @param near    processors beside the device, as lists in /sys have them: {@code 0-3,8}.
 * @param allowed processors on which this process may run.
 */
record NumaPlacement(int node, String near, String allowed)
{
    private static final Path DEVICES = Path.of("/sys/class/infiniband");
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ALLOWED = "Cpus_allowed_list:";

    static NumaPlacement of(final String device)
    {
        return of(DEVICES.resolve(device).resolve("device"), STATUS);
    }

    /** What cannot be read is as good as unknown: a software device has no place. */
    static NumaPlacement of(final Path device, final Path status)
    {
        try
        {
            final int node = Integer.parseInt(Files.readString(device.resolve("numa_node")).trim());
            final String near = Files.readString(device.resolve("local_cpulist")).trim();
            for (final String line : Files.readAllLines(status))
            {
                if (line.startsWith(ALLOWED))
                {
                    return new NumaPlacement(node, near, line.substring(ALLOWED.length()).trim());
                }
            }
        }
        catch (final IOException | NumberFormatException unknown)
        {
            return new NumaPlacement(-1, "", "");
        }
        return new NumaPlacement(-1, "", "");
    }

    /** Whether some processor beside the device is allowed, or nothing is known. */
    boolean isNear()
    {
        return node < 0 || processors(near).isEmpty() || processors(near).intersects(processors(allowed));
    }

    /** {@return where device and process are, and the remedy} */
    String explain(final String device)
    {
        return device + " is at NUMA node " + node + " with processors " + near + ", this process may run on " +
            allowed + " alone, so that each message crosses nodes. Start it with numactl --cpunodebind=" + node +
            " --membind=" + node;
    }

    private static BitSet processors(final String list)
    {
        final BitSet set = new BitSet();
        for (final String part : list.split(",", -1))
        {
            final String[] ends = part.trim().split("-", 2);
            if (!ends[0].isEmpty())
            {
                set.set(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]) + 1);
            }
        }
        return set;
    }
}

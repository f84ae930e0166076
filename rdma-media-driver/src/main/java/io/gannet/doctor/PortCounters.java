package io.gannet.doctor;

import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What a port has counted: the files in counters and hw_counters, those of its interface, and what {@code ethtool -S}
 * prints, under their own names.
 *
 * @param before values at the beginning.
 * @param after  values a while later; the same ones if nobody waited.
 */
record PortCounters(Map<String, Long> before, Map<String, Long> after)
{
    static Map<String, Long> sample(final RdmaPort port, final Tools tools)
    {
        final Map<String, Long> values = new TreeMap<>();
        final Tree tree = port.tree();
        final String netdev = port.netdev();
        if (!netdev.isEmpty())
        {
            take(values, tree, "/sys/class/net/" + netdev + "/statistics");
            for (final String line : tools.output("ethtool", "-S", netdev))
            {
                final int colon = line.lastIndexOf(':');
                if (colon > 0)
                {
                    Tree.parse(line.substring(colon + 1))
                        .ifPresent(value -> values.put(line.substring(0, colon).strip(), value));
                }
            }
        }
        take(values, tree, port.directory() + "/counters");
        take(values, tree, port.directory() + "/hw_counters");
        return values;
    }

    private static void take(final Map<String, Long> values, final Tree tree, final String directory)
    {
        for (final String name : tree.names(directory))
        {
            tree.number(directory + "/" + name).ifPresent(value -> values.put(name, value));
        }
    }

    OptionalLong total(final String name)
    {
        final Long value = after.get(name);
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }

    /** By how much it grew between the two looks. */
    long growth(final String name)
    {
        return Math.max(0, after.getOrDefault(name, 0L) - before.getOrDefault(name, 0L));
    }

    /** The first of several names, as drivers differ, that is counted; 0 if none is. */
    long totalOfFirst(final String... names)
    {
        for (final String name : names)
        {
            if (after.containsKey(name))
            {
                return after.get(name);
            }
        }
        return 0;
    }
}

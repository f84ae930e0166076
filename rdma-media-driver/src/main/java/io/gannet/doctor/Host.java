package io.gannet.doctor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The host that is looked at: its files, what its tools say, its RDMA ports with their counters before and after a
 * while, and the process whose limits and processors matter.
 */
final class Host
{
    private final Tree tree;
    private final Tools tools;
    private final String process;
    private final String directory;
    private final List<RdmaPort> ports;
    private final Map<RdmaPort, Map<String, Long>> before = new LinkedHashMap<>();
    private final Map<RdmaPort, PortCounters> counters = new LinkedHashMap<>();
    private double watchedSeconds;

    /**
     * Takes the first sample of the counters.
     *
     * @param process   {@code self} or a process id.
     * @param directory of the driver, as on the host.
     */
    Host(final Tree tree, final String process, final String directory)
    {
        this.tree = tree;
        this.process = process;
        this.directory = directory;
        tools = new Tools(tree);
        ports = RdmaPort.all(tree);
        for (final RdmaPort port : ports)
        {
            before.put(port, PortCounters.sample(port, tools));
        }
        watched(0);
    }

    /** Takes the second sample, {@code seconds} after the first; 0 if there is nothing to compare. */
    void watched(final double seconds)
    {
        watchedSeconds = seconds;
        before.forEach((port, first) -> counters.put(port,
            new PortCounters(first, seconds == 0 ? first : PortCounters.sample(port, tools))));
    }

    Tree tree()
    {
        return tree;
    }

    Tools tools()
    {
        return tools;
    }

    List<RdmaPort> ports()
    {
        return ports;
    }

    List<RdmaPort> ethernetPorts()
    {
        final List<RdmaPort> some = new ArrayList<>(ports);
        some.removeIf(port -> !port.isEthernet());
        return some;
    }

    /** Names of the RDMA devices. */
    List<String> devices()
    {
        return tree.names(RdmaPort.DEVICES);
    }

    PortCounters counters(final RdmaPort port)
    {
        return counters.get(port);
    }

    double watchedSeconds()
    {
        return watchedSeconds;
    }

    /** A file of the process, such as {@code limits}. */
    String ofProcess(final String file)
    {
        return "/proc/" + process + "/" + file;
    }

    /** Who the process is, for a sentence. */
    String processName()
    {
        return "self".equals(process) ? "this process" : "process " + process;
    }

    String directory()
    {
        return directory;
    }

    /** Seconds since boot; 0 if unknown. */
    long uptimeSeconds()
    {
        return tree.number("/proc/uptime").orElse(0);
    }

    /** Bytes of memory, or of {@code key}, in /proc/meminfo, which counts KiB; 0 if unknown. */
    long memory(final String key)
    {
        return Tree.parse(tree.field("/proc/meminfo", key)).orElse(0) * 1024;
    }
}

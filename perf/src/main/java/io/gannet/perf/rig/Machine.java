package io.gannet.perf.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The machine and the moment of a run, as the report names them.
 */
public final class Machine
{
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final Path MEMORY = Path.of("/proc/meminfo");
    private static final Path LOAD = Path.of("/proc/loadavg");
    private static final Path STAT = Path.of("/proc/stat");

    private Machine()
    {
    }

    /** Names and values for people. */
    public static Map<String, String> describe()
    {
        final Map<String, String> facts = new LinkedHashMap<>();
        facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        facts.put("processor", value(CPU_INFO, "model name") + ", model " + value(CPU_INFO, "model\t") + ", " +
            Runtime.getRuntime().availableProcessors() + " processors");
        facts.put("virtual", lines(CPU_INFO).stream().anyMatch(line -> line.startsWith("flags") &&
            line.contains(" hypervisor")) ? "yes" : "no");
        facts.put("memory", value(MEMORY, "MemTotal"));
        facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version") + " " +
            System.getProperty("os.arch"));
        facts.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        facts.put("load before", String.join(" ", lines(LOAD)));
        return facts;
    }

    /** Time that the hypervisor gave to others, all processors, in milliseconds since the system's start. */
    static long stolenMillis()
    {
        for (final String line : lines(STAT))
        {
            if (line.startsWith("cpu "))
            {
                final String[] fields = line.split(" +", -1);
                return fields.length > 8 ? Long.parseLong(fields[8]) * 10 : 0;
            }
        }
        return 0;
    }

    /** Processor time that all threads of a process have had, in nanoseconds; threads that ended don't count. */
    static long processorNanos(final long pid)
    {
        long sum = 0;
        final String[] tasks = Path.of("/proc", Long.toString(pid), "task").toFile().list();
        for (final String task : tasks == null ? new String[0] : tasks)
        {
            final List<String> lines = lines(Path.of("/proc", Long.toString(pid), "task", task, "schedstat"));
            if (!lines.isEmpty())
            {
                sum += Long.parseLong(lines.getFirst().split(" ", 2)[0]);
            }
        }
        return sum;
    }

    private static String value(final Path file, final String key)
    {
        for (final String line : lines(file))
        {
            if (line.startsWith(key))
            {
                return line.substring(line.indexOf(':') + 1).strip();
            }
        }
        return "unknown";
    }

    private static List<String> lines(final Path file)
    {
        try
        {
            return Files.readAllLines(file);
        }
        catch (final IOException e)
        {
            return List.of();
        }
    }
}

package io.gannet.perf.os;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/**
 * What the kernel's scheduler counted for the threads of a process, by the kernel's thread id: {@code schedstat} in
 * {@code /proc/PID/task/TID}, see the kernel's Documentation/scheduler/sched-stats.rst.
 *
 * @param times by thread id.
 */
public record ThreadTimes(Map<Integer, Time> times)
{
    /**
     * One thread.
     *
     * @param name   the kernel's, up to 15 characters of the thread's.
     * @param run    nanoseconds on a processor.
     * @param waited nanoseconds ready to run, without a processor.
     */
    public record Time(String name, long run, long waited)
    {
        private static final Time NONE = new Time("", 0, 0);

        /** Share of the time in which it was ready that it had to wait, 0 to 1. */
        public double waitedShare()
        {
            return run + waited == 0 ? 0 : (double) waited / (run + waited);
        }
    }

    private static final int FIELDS = 3;

    /** Of a process now; without threads if the kernel does not count, or the process is gone. */
    public static ThreadTimes of(final long pid) throws IOException
    {
        return read(Path.of("/proc", Long.toString(pid), "task"));
    }

    static ThreadTimes read(final Path tasks) throws IOException
    {
        final Map<Integer, Time> times = new HashMap<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks))
        {
            for (final Path thread : threads)
            {
                try
                {
                    final String[] fields = Files.readString(thread.resolve("schedstat")).strip().split(" ", -1);
                    if (fields.length == FIELDS)
                    {
                        times.put(Integer.parseInt(thread.getFileName().toString()),
                            new Time(Files.readString(thread.resolve("comm")).strip(), Long.parseLong(fields[0]),
                                Long.parseLong(fields[1])));
                    }
                }
                catch (final IOException ended)
                {
                    // The thread ended between two looks.
                    times.remove(Integer.parseInt(thread.getFileName().toString()));
                }
            }
        }
        catch (final NoSuchFileException gone)
        {
            return new ThreadTimes(Map.of());
        }
        return new ThreadTimes(times);
    }

    /** What threads did since an earlier look at the same process; of one that began later, all. */
    public ThreadTimes since(final ThreadTimes earlier)
    {
        final Map<Integer, Time> spent = new HashMap<>();
        times.forEach((id, now) ->
        {
            final Time before = earlier.times.getOrDefault(id, Time.NONE);
            spent.put(id, new Time(now.name, now.run - before.run, now.waited - before.waited));
        });
        return new ThreadTimes(spent);
    }

    /** Nanoseconds on a processor of all threads whose names begin so. */
    public long run(final String start)
    {
        return times.values().stream().filter(time -> time.name.startsWith(start)).mapToLong(Time::run).sum();
    }

    /** The thread that ran longest; one without a name if there is none. */
    public Time busiest()
    {
        return times.values().stream().max(Comparator.comparingLong(Time::run)).orElse(Time.NONE);
    }
}

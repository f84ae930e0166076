package io.gannet.perf.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreadTimesTest
{
    @TempDir
    private Path tasks;

    private void thread(final int id, final String name, final String schedstat) throws IOException
    {
        final Path thread = Files.createDirectories(tasks.resolve(Integer.toString(id)));
        Files.writeString(thread.resolve("comm"), name + "\n");
        Files.writeString(thread.resolve("schedstat"), schedstat + "\n");
    }

    @Test
    void tellsWhatThreadsDidSinceAnEarlierLook() throws IOException
    {
        thread(10, "gateway", "1000 500 7");
        thread(11, "journal-files", "40 0 1");
        final ThreadTimes before = ThreadTimes.read(tasks);
        thread(10, "gateway", "4000 1500 9");
        thread(12, "late", "30 10 2");

        final ThreadTimes spent = ThreadTimes.read(tasks).since(before);

        assertThat(spent.times()).isEqualTo(Map.of(10, new ThreadTimes.Time("gateway", 3000, 1000),
            11, new ThreadTimes.Time("journal-files", 0, 0), 12, new ThreadTimes.Time("late", 30, 10)));
        assertThat(spent.run("")).isEqualTo(3030);
        assertThat(spent.run("gate")).isEqualTo(3000);
        assertThat(spent.busiest().name()).isEqualTo("gateway");
        assertThat(spent.busiest().waitedShare()).isEqualTo(0.25);
    }

    @Test
    void leavesOutThreadsThatTheKernelSaysNothingOf() throws IOException
    {
        thread(10, "odd", "");
        Files.createDirectories(tasks.resolve("11"));
        assertThat(ThreadTimes.read(tasks).times()).isEmpty();
        assertThat(ThreadTimes.read(tasks).busiest().waitedShare()).isZero();
        assertThat(ThreadTimes.read(tasks.resolve("gone")).times()).isEmpty();
    }

    @Test
    void findsTheCallingThread() throws IOException
    {
        final ThreadTimes times = ThreadTimes.of(ProcessHandle.current().pid());
        assertThat(times.times()).isNotEmpty();
        assertThat(times.run("")).isPositive();
    }
}

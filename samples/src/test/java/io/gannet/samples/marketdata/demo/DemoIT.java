package io.gannet.samples.marketdata.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.samples.marketdata.source.FileBytes;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The demo as a user runs it, with its output in a file. */
final class DemoIT
{
    private static final String MAIN = "io.gannet.cli.Main";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"roce", "ipc"})
    void showsAFeedWithoutGapsAndLeavesNothingBehind(final String transport) throws Exception
    {
        final Path json = directory.resolve("result.json");
        final List<String> arguments =
            new ArrayList<>(List.of("--seconds", "3", "--rate", "2000", "--json", json.toString()));
        final boolean ipc = transport.equals("ipc");
        if (ipc)
        {
            arguments.add("--ipc");
        }
        final Process demo = demo(arguments.toArray(String[]::new));
        final List<ProcessHandle> seen = children(demo, ipc ? 4 : 5);
        final String output = output(demo);
        assertThat(demo.exitValue()).as(output).isZero();
        assertThat(output).contains("published", "subscriber A", "joined late, books by 1 snapshot",
            "equal in all processes").doesNotContain("\u001b");
        assertThat(Files.readString(json)).contains("\"transport\": \"" + transport + '"', "\"gaps\": 0",
            "\"booksEqual\": true").containsPattern("\"messages\": [1-9]").containsPattern("\"p50Nanos\": [1-9]")
            .containsPattern("\"p99Nanos\": [1-9]").containsPattern("\"rate\": [1-9]");
        assertAllEnd(seen);
        assertNoDirectoryIsLeft(demo.pid());
    }

    @Test
    void aGapMakesItFail() throws Exception
    {
        final Process demo = demo("--seconds", "3", "--rate", "2000", "--skip-every", "500");
        final String output = output(demo);
        assertThat(demo.exitValue()).as(output).isEqualTo(1);
        assertThat(output).contains("wrong", "gaps");
    }

    @Test
    void aDamagedFileIsNamedInOneLineBeforeAnythingStarts() throws Exception
    {
        final Path file = FileBytes.write(directory, "bad.dbn", new byte[] {'D', 'B', 'N', 9, 0, 0, 0, 0});
        final Process demo = demo("--input", file.toString());
        final String output = output(demo);
        assertThat(demo.exitValue()).isEqualTo(1);
        assertThat(output.lines()).hasSize(1).first().asString().contains("bad.dbn: at byte 3: DBN version 9");
    }

    @Test
    void theChildrenOfAKilledDemoEnd() throws Exception
    {
        final Process demo = demo("--seconds", "0", "--rate", "500");
        final List<ProcessHandle> seen = children(demo, 5);
        demo.destroyForcibly();
        assertAllEnd(seen);
        assertThat(demo.waitFor(30, TimeUnit.SECONDS)).isTrue();
        // Killed, it can't remove its directory; this is the only case.
        for (final Path left : directories(demo.pid()))
        {
            Directories.delete(left);
        }
    }

    @Test
    void theChildrenOfAnInterruptedDemoEndAndItSumsUp() throws Exception
    {
        final Process demo = demo("--seconds", "0", "--rate", "500");
        final List<ProcessHandle> seen = children(demo, 5);
        // Process.destroy would also close the output that is to be read.
        assertThat(new ProcessBuilder("kill", "-TERM", String.valueOf(demo.pid())).start().waitFor()).isZero();
        final String output = output(demo);
        assertThat(output).contains("published", "equal in all processes");
        assertAllEnd(seen);
        assertNoDirectoryIsLeft(demo.pid());
    }

    private Process demo(final String... arguments) throws IOException
    {
        final List<String> all = new ArrayList<>(List.of("demo"));
        all.addAll(List.of(arguments));
        return new ProcessBuilder(JavaCommand.of(MAIN, all)).redirectErrorStream(true).start();
    }

    /** Waits until the demo has so many children. */
    private static List<ProcessHandle> children(final Process demo, final int count)
    {
        final long start = System.nanoTime();
        while (demo.children().count() < count)
        {
            assertThat(demo.isAlive()).as("the demo ended early").isTrue();
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(90));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        return demo.children().toList();
    }

    private static void assertAllEnd(final List<ProcessHandle> processes) throws Exception
    {
        for (final ProcessHandle process : processes)
        {
            process.onExit().get(60, TimeUnit.SECONDS);
            assertThat(process.isAlive()).isFalse();
        }
    }

    private static void assertNoDirectoryIsLeft(final long pid) throws IOException
    {
        assertThat(directories(pid)).isEmpty();
    }

    private static List<Path> directories(final long pid) throws IOException
    {
        try (var all = Files.list(Path.of("/dev/shm")))
        {
            return all.filter(path -> path.getFileName().toString().startsWith("gannet-demo-" + pid + "-")).toList();
        }
    }

    private static String output(final Process process) throws Exception
    {
        final StringBuilder output = new StringBuilder();
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8))
        {
            for (String line = in.readLine(); line != null; line = in.readLine())
            {
                output.append(line).append('\n');
            }
        }
        assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
        return output.toString();
    }
}

package io.gannet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.harness.TestDirectory;
import io.gannet.text.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * Operators' mistakes give one line and an exit code.
 */
@ResourceLock(Resources.SYSTEM_OUT)
@ResourceLock(Resources.SYSTEM_ERR)
class CommandLineTest
{
    private final Path directory = TestDirectory.create("cli");
    private final PrintStream realOut = System.out;
    private final PrintStream realErr = System.err;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void capture()
    {
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restore()
    {
        System.setOut(realOut);
        System.setErr(realErr);
        TestDirectory.remove(directory);
    }

    private List<String> out()
    {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private List<String> err()
    {
        return err.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private void assertOneLine(final int exitCode, final int expectedExitCode, final String... texts)
    {
        assertThat(exitCode).isEqualTo(expectedExitCode);
        assertThat(out()).isEmpty();
        assertThat(err()).hasSize(1);
        assertThat(err().getFirst()).startsWith("gannet: ").contains(texts);
    }

    @Test
    void anUnknownSubcommandIsOneLineWithASuggestion()
    {
        assertOneLine(Main.run("drivr"), 2, "drivr", "driver");
    }

    @Test
    void anEmptyPathIsNotTheDirectoryThatOneIsIn()
    {
        for (final String[] line : new String[][] {{"stat", "--dir", ""}, {"record", "--stream", "1", "--out", ""},
            {"driver", "--dir", ""}, {"trace", "--dir", "", "1"}})
        {
            err.reset();
            assertOneLine(Main.run(line), 2, "empty");
        }
    }

    /** Of a process, as it is the descriptor that counts. */
    @Test
    void outputThatGetsNowhereIsToldUnlessItIsAPipe() throws IOException, InterruptedException
    {
        final List<String> line = List.of(ProcessHandle.current().info().command().orElseThrow(),
            "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), "io.gannet.cli.Main", "version");
        final Process full = new ProcessBuilder(line).redirectOutput(Path.of("/dev/full").toFile()).start();
        final String told = new String(full.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(full.waitFor()).as(told).isEqualTo(1);
        assertThat(told).contains("gannet: standard output cannot be written: is its disk full? (E100)")
            .hasLineCount(1);

        final List<String> piped = new ArrayList<>(List.of("bash", "-c",
            "\"$@\" | exec <&-; exit ${PIPESTATUS[0]}", "bash"));
        piped.addAll(line);
        final Process closed = new ProcessBuilder(piped).start();
        assertThat(new String(closed.getErrorStream().readAllBytes(), StandardCharsets.UTF_8)).isEmpty();
        assertThat(closed.waitFor()).isZero();
    }

    @Test
    void anUnknownFlagIsOneLineWithASuggestion()
    {
        assertOneLine(Main.run("driver", "--threadng", "shared"), 2, "--threadng", "--threading");
    }

    @Test
    void aBadValueIsOneLineWithTheRange()
    {
        assertOneLine(Main.run("driver", "--print-config", "--ring-capacity", "3m"), 2, "3m", "power of two", "512m");
    }

    @Test
    void invokerModeIsNotForACommand()
    {
        assertOneLine(Main.run("driver", "--dir", directory.toString(), "--threading", "invoker"), 2, "embedded");
    }

    @Test
    void aDirectoryWithoutADriverIsOneLine()
    {
        assertOneLine(Main.run("stat", "--dir", directory.toString()), 1, directory.toString(), "no driver");
        err.reset();
        assertOneLine(Main.run("driver", "--allow", "me"), 2, "allow: 'me' is not allowed: 'me' is neither an address");
        err.reset();
        assertOneLine(Main.run("streams", "--dir", "/dev/shm/there/is/none"), 1, "no driver");
    }

    @Test
    void whatAClientIsRefusedIsOneLineInAnyCommand()
    {
        try (MediaDriver driver = MediaDriver.launch(DriverConfiguration.defaults()
            .with(DriverOptions.DIRECTORY, directory).with(DriverOptions.MEMORY_LIMIT, 300L * 1024), line -> {}))
        {
            assertThat(add("gannet:ipc?ring=64k")).as("%s %s", driver, err()).isZero();
            assertOneLine(add("gannet:ipc?ring=3"), 2, "ring", "3", "65536");
            err.reset();
            assertOneLine(add("gannet:ipx"), 2, "ipx", "did you mean ipc?");
            err.reset();
            assertOneLine(add("gannet:ipc?ring=1m"), 1, "memory-limit", "307200");
        }
        err.reset();
        assertOneLine(
            Main.run("add-publication", "--dir", "/dev/shm/there/is/none", "--channel", "gannet:ipc"), 1, "driver");
    }

    private int add(final String channel)
    {
        return Main.run("add-publication", "--dir", directory.toString(), "--channel", channel);
    }

    @Test
    void aControlFileThatIsNoneIsOneLine() throws java.io.IOException
    {
        MediaDriver.launch(DriverConfiguration.defaults().with(DriverOptions.DIRECTORY, directory)).close();
        Files.write(directory.resolve("control"), new byte[100_000]);
        assertOneLine(Main.run("errors", "--dir", directory.toString()), 1, "control");
    }

    @Test
    void aFolderThatHoldsAFolderNamedDriverIsOneLine() throws java.io.IOException
    {
        Files.createDirectory(directory.resolve("driver"));
        assertOneLine(Main.run("stat", "--dir", directory.toString()), 1,
            "driver is a directory, not a file of Gannet");
    }

    @Test
    void seedsThatAreNoNumberAreOneLineWithTheRange()
    {
        assertOneLine(Main.run("simulate", "--seeds", "many"), 2, "--seeds", "1 to 2147483647", "'many'");
    }

    @Test
    void printConfigNamesTheSourceOfEachValue() throws java.io.IOException
    {
        final Path file = Files.writeString(directory.resolve("driver.conf"), "idle = yield\n");
        assertThat(Main.run("driver", "--print-config", "--config", file.toString(), "--max-rings", "7")).isZero();
        assertThat(out()).anyMatch(line -> line.startsWith("idle ") && line.endsWith("# " + file + ":1"))
            .anyMatch(line -> line.startsWith("max-rings ") && line.endsWith("# flag --max-rings"))
            .hasSize(DriverOptions.all().size());
    }

    @Test
    void statPrintsJsonThatQuotesWhatItMust()
    {
        assertThat(new Json().object().name("a\"b").value("c\\\n").name("d").array().value(1).value(true).end().end()
            .text()).hasToString("{\"a\\\"b\":\"c\\\\\\u000a\",\"d\":[1,true]}");
    }

    @Test
    void warmUpBringsItsMessages()
    {
        assertThat(Main.run("warm-up")).as(err().toString()).isZero();
        assertThat(out()).contains("first message");
    }
}

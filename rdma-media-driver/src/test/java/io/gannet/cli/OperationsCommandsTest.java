package io.gannet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.Gannet;
import io.gannet.GannetException;
import io.gannet.control.ErrorCode;
import io.gannet.control.GannetDirectory;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.driver.ThreadingMode;
import io.gannet.errors.ErrorCodes;
import io.gannet.errors.OperatorError;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What operators run beside a driver, alive and dead: health, stat, errors, check of the configuration, explanations,
 * completion and manual pages.
 */
@ResourceLock(Resources.SYSTEM_OUT)
@ResourceLock(Resources.SYSTEM_ERR)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class OperationsCommandsTest
{
    private final Path directory = TestDirectory.create("operations");

    @AfterEach
    void remove()
    {
        TestDirectory.remove(directory);
    }

    private Captured run(final String command, final String... more)
    {
        final List<String> arguments = new java.util.ArrayList<>(List.of(command, "--dir", directory.toString()));
        arguments.addAll(List.of(more));
        return Captured.run(arguments.toArray(String[]::new));
    }

    private MediaDriver driver(final ThreadingMode threading)
    {
        return MediaDriver.launch(DriverConfiguration.defaults().with(DriverOptions.DIRECTORY, directory)
            .with(DriverOptions.THREADING, threading), line -> { });
    }

    private static long pid()
    {
        return ProcessHandle.current().pid();
    }

    @Test
    void healthFollowsTheLifeOfADriver()
    {
        assertThat(run("health")).satisfies(none ->
        {
            assertThat(none.exitCode()).isEqualTo(1);
            assertThat(none.out()).startsWith("unhealthy: no driver was ever started in " + directory);
        });
        try (MediaDriver driver = driver(ThreadingMode.DEDICATED))
        {
            assertThat(driver.directory()).isEqualTo(directory);
            final Captured healthy = run("health", "--max-age", "60000");
            assertThat(healthy.exitCode()).as(healthy.toString()).isZero();
            assertThat(healthy.out()).startsWith("healthy: ").contains("pid " + pid(), directory.toString());
            assertThat(run("health", "--json", "--max-age", "60000").out())
                .contains("\"healthy\":true", "\"state\":\"running\"", "\"pid\":" + pid() + ",");
        }
        final Captured stopped = run("health");
        assertThat(stopped.exitCode()).isEqualTo(1);
        assertThat(stopped.out()).startsWith("unhealthy: ").contains("was stopped. Start it again");
        assertThat(run("health", "--json").out()).contains("\"healthy\":false", "\"state\":\"stopped\"");
    }

    /** One that its caller steps does not turn when that does not. */
    @Test
    void aConductorThatDoesNotTurnIsNotHealthy()
    {
        try (MediaDriver driver = driver(ThreadingMode.INVOKER))
        {
            driver.doWork();
            assertThat(run("health", "--max-age", "60000").exitCode()).isZero();
            Await.until("the last heartbeat to be too old", () -> run("health", "--max-age", "100").exitCode() == 1);
            final Captured silent = run("health", "--max-age", "100");
            assertThat(silent.out()).containsPattern("last heartbeat was \\d+ ms ago, at most 100 are healthy");
            assertThat(run("health", "--live", "--max-age", "100", "--json").out()).contains("\"state\":\"silent\"");
            try (DirectoryView view = DirectoryView.open(new GannetDirectory(directory)))
            {
                assertThat(view.state(100)).isEqualTo("silent");
                driver.doWork();
                assertThat(view.state(60_000)).isEqualTo("running");
            }
        }
        assertThat(run("health", "--max-age", "1").err()).contains("--max-age 1: 100 to 3600000 ms are possible");
    }

    @Test
    void statAndErrorsShowTheSameOfALiveAndADeadDriver()
    {
        final String counters;
        try (MediaDriver driver = driver(ThreadingMode.DEDICATED);
            Gannet client = Gannet.connect(new Gannet.Context().directory(directory)
                .driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS)))
        {
            assertThat(client.isClosed()).isFalse();
            assertThat(run("stat").out()).contains("(pid " + pid() + ",", ": running\n")
                .containsPattern("\\n +0 +1  clients connected\\n");
            counters = run("stat", "--json").out();
            assertThat(counters).contains("\"state\":\"running\"", "\"label\":\"clients connected\",\"value\":1}");
            assertThat(driver.failure()).isNull();
        }
        assertThat(run("stat").out()).contains(": stopped\n");
        assertThat(run("stat", "--json").out()).contains("\"state\":\"stopped\"", "\"pid\":" + pid() + ",");
        final Captured errors = run("errors");
        assertThat(errors.exitCode()).isZero();
        assertThat(errors.out()).endsWith("no errors\n");
        assertThat(run("errors", "--json").out()).contains("\"errors\":[]");
    }

    @Test
    void allMistakesOfAConfigurationAreToldWithTheirLines() throws IOException
    {
        final Path file = Files.writeString(directory.resolve("driver.conf"), """
            # comment
            idle = yield
            ring-capcity = 1m

            max-rings = many
            idle = sleep
            nonsense
            """);
        final Captured wrong = Captured.run("driver", "--check-config", "--config", file.toString());
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.out()).isEmpty();
        assertThat(wrong.err().lines()).hasSize(4).allMatch(line -> line.endsWith("(E102)")).satisfiesExactly(
            line -> assertThat(line).startsWith("gannet: " + file + ":3: unknown key ring-capcity")
                .contains("did you mean ring-capacity"),
            line -> assertThat(line).startsWith("gannet: " + file + ":5: max-rings: 'many'"),
            line -> assertThat(line).contains(file + ":6: idle is set twice, first at " + file + ":2"),
            line -> assertThat(line).contains(file + ":7: 'nonsense' is not of the form key = value"));

        Files.writeString(file, "idle = yield\nmax-rings = 7\n");
        final Captured right = Captured.run("driver", "--check-config", "--config", file.toString(), "--agents", "1");
        assertThat(right.exitCode()).as(right.err()).isZero();
        assertThat(right.out()).startsWith("no mistakes: 3 options of ");
        assertThat(Captured.run("driver", "--check-config", "--config", "/none").err())
            .contains("/none: there is no such file");
        Files.writeString(file, "threading = invoker\n");
        assertThat(Captured.run("driver", "--check-config", "--config", file.toString()).exitCode()).isEqualTo(2);
    }

    @Test
    void everyCodeIsExplainedOnceAndThePageIsUpToDate() throws IOException
    {
        final List<String> codes = Arrays.stream(OperatorError.values()).map(OperatorError::code).toList();
        assertThat(new HashSet<>(codes)).hasSameSizeAs(codes);
        assertThat(codes).isSorted();
        for (final OperatorError error : OperatorError.values())
        {
            final Captured explained = Captured.run("explain", error.code());
            assertThat(explained.exitCode()).isZero();
            assertThat(explained.lines()).hasSize(3).first().asString().isEqualTo(
                error.code() + "    " + error.meaning());
            assertThat(error.remedy()).endsWith(".");
        }
        assertThat(Captured.run("explain").lines()).hasSameSizeAs(codes);
        assertThat(Captured.run("explain", "e207", "--json").out()).startsWith("{\"code\":\"E207\",\"meaning\":");
        final Captured unknown = Captured.run("explain", "E999");
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.err()).isEqualTo("gannet: there is no error E999: gannet explain lists all (E101)\n");
        assertThat(Path.of("..", "docs", "errors.md")).hasContent(ExplainCommand.reference());
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void whatClientsAreRefusedHasTheSameCodeInTheirLibrary(final ErrorCode code)
    {
        assertThat(ErrorCodes.of(code).code()).isEqualTo("E3" + String.format("%02d", code.code()));
    }

    @Test
    void aClientsExceptionHasTheCodeThatCommandsTell()
    {
        assertThatThrownBy(() -> Gannet.connect(new Gannet.Context().directory(directory.resolve("none"))
            .driverTimeout(1, TimeUnit.MILLISECONDS))).isInstanceOfSatisfying(GannetException.class, none ->
            {
                assertThat(none.code()).isEqualTo(ErrorCodes.of(none).code()).isEqualTo("E330");
                assertThat(none).hasMessageEndingWith("(E330)");
            });
    }

    @Test
    void versionsAreTold()
    {
        assertThat(Captured.run("version").out()).startsWith("gannet ").contains(", Java " + Runtime.version());
        assertThat(Captured.run("version", "--json").out()).matches("\\{\"version\":\"[^\"]+\",\"clientProtocol\":1," +
            "\"driverProtocol\":1,\"java\":\"" + Pattern.quote(Runtime.version().toString()) + "\"}\n");
    }

    @Test
    void aSimulationIsToldToPrograms()
    {
        final Captured passed = Captured.run("simulate", "--seeds", "2", "--first", "5", "--json");
        assertThat(passed.exitCode()).isZero();
        assertThat(passed.out()).matches(
            "\\{\"first\":5,\"seeds\":2,\"passed\":2,\"millis\":\\d+,\"failed\":null}\n");
        assertThat(Captured.run("simulate", "--seeds", "1", "--json", "--trace").out())
            .contains("\"failed\":null,\"events\":[\"").endsWith("\"passes\"]}\n");
    }

    /** Codes that prose and messages name. */
    @Test
    void everyCodeThatADocumentNamesIsThere() throws IOException
    {
        final Pattern code = Pattern.compile("\\bE\\d{3}\\b");
        try (java.util.stream.Stream<Path> pages = Files.list(Path.of("..", "docs")))
        {
            for (final Path page : pages.filter(path -> path.toString().endsWith(".md")).toList())
            {
                final Matcher named = code.matcher(Files.readString(page));
                while (named.find())
                {
                    assertThat(OperatorError.ofCode(named.group())).as("%s in %s", named.group(), page).isNotNull();
                }
            }
        }
    }

    @Test
    void helpOfEveryCommandNamesItsExitCodesOrThoseOfAll() throws IOException
    {
        final Path pages = directory.resolve("man");
        assertThat(Captured.run("man-pages", pages.toString()).exitCode()).isZero();
        assertThat(TestDirectory.list(pages)).contains("gannet.1", "gannet-driver.1", "gannet-health.1",
            "gannet-doctor.1", "gannet-explain.1", "gannet-top.1", "gannet-exporter.1")
            .doesNotContain("gannet-man-pages.1", "gannet-warm-up.1");
        for (final String page : TestDirectory.list(pages))
        {
            final String text = Files.readString(pages.resolve(page));
            assertThat(text).startsWith(".TH ").contains(".SH NAME\n", ".SH SYNOPSIS\n", ".SH EXIT STATUS\n.TP\n\\fB0")
                .doesNotContain("${", "%n");
        }
        assertThat(Files.readString(pages.resolve("gannet-driver.1"))).contains("\\fB\\-\\-drain\\-timeout\\fR");
    }

    @Test
    void theCompletionKnowsCommandsAndOptions()
    {
        final Captured script = Captured.run("completion");
        assertThat(script.exitCode()).isZero();
        assertThat(script.out()).contains("complete -F _complete_gannet", "health", "--max-age", "--drain-timeout",
            "exporter", "--allow-remote");
    }
}

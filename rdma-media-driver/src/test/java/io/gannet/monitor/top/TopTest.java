package io.gannet.monitor.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.harness.TestProcess;
import io.gannet.monitor.LiveHosts;
import io.gannet.os.SyscallNumber;
import io.gannet.os.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code gannet top} as a process of its own on a pseudo-terminal, by keys and what is on the screen.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class TopTest
{
    private static final int COLUMNS = 80;
    private static final int ROWS = 24;
    private static final String UP = "\u001b[A";
    private static final String DOWN = "\u001bOB";
    private static final String HOME = "\u001b[H";
    private static final String END = "\u001b[4~";
    private static final String STREAM = "         77 ";

    private static PseudoTerminal top(final Path directory, final String... more) throws IOException
    {
        final PseudoTerminal terminal = new PseudoTerminal(COLUMNS, ROWS);
        final List<String> arguments =
            new ArrayList<>(List.of("top", "--dir", directory.toString(), "--interval", "100"));
        arguments.addAll(List.of(more));
        terminal.start(Map.of(), arguments.toArray(String[]::new));
        return terminal;
    }

    private static void awaitText(final PseudoTerminal terminal, final String text)
    {
        try
        {
            Await.until(text, () -> terminal.screen().shows(text));
        }
        catch (final AssertionError late)
        {
            throw new AssertionError(late.getMessage() + "; it shows\n" + terminal.screen(), late);
        }
    }

    /** Waits for a line with all of these: the terminal takes a frame in pieces. */
    private static void awaitLine(final PseudoTerminal terminal, final String key, final String... more)
    {
        Await.until("a line of " + key, () ->
        {
            final String line = terminal.screen().line(key);
            return line != null && Stream.of(more).allMatch(line::contains);
        });
    }

    private static void awaitGone(final PseudoTerminal terminal, final String text)
    {
        final int frames = terminal.screen().frames();
        Await.until(text + " to go", () -> terminal.screen().frames() > frames && !terminal.screen().shows(text));
    }

    @Test
    void streamsReadersThreadsAndNicAreShownAndWhoHoldsWhom() throws Exception
    {
        try (LiveHosts hosts = new LiveHosts(); PseudoTerminal terminal = top(hosts.directory()))
        {
            final TerminalScreen screen = terminal.screen();
            awaitText(terminal, "gannet top  running  pid " + ProcessHandle.current().pid());
            awaitText(terminal, STREAM);
            assertThat(screen.lines()).hasSize(ROWS);
            awaitLine(terminal, "clients ", "pubs 1", "subs 1", "errors 0");
            awaitLine(terminal, "CYCLES/S", "THREAD", "P50", "P99", "LONGEST", "STALLS");
            awaitLine(terminal, "conductor");
            awaitLine(terminal, "  rx ", "tx ", "pps", "dropped ");
            awaitText(terminal, "publisher of the test (pid ");
            awaitText(terminal, "to " + hosts.peerAddress());
            awaitText(terminal, "q quit");

            Await.until("rates and their history", () ->
            {
                hosts.pass(20);
                final String line = screen.line(STREAM);
                return line != null && line.contains("█") && line.matches(".* [0-9.]+[KM]iB .*");
            });
            Await.until("messages of the other host", () ->
            {
                hosts.pass(20);
                final String line = screen.line("to " + hosts.peerAddress());
                return line != null && !line.contains(" 0 msg/s");
            });
            // A ring of 64 KiB may have been full when the driver looked.
            awaitGone(terminal, "HOLDS");
            hosts.fill();
            awaitText(terminal, "HOLDS PUBLISHERS");
            assertThat(screen.line("HOLDS PUBLISHERS")).contains("publisher of the test (pid ")
                .matches(".* [0-9.]+KiB behind HOLDS PUBLISHERS.*");
            Await.until("the time for which they wait", () ->
            {
                final String line = screen.line(STREAM);
                return line != null && line.matches(".*[0-9]m?s .*");
            });
            hosts.pass(1);
            awaitGone(terminal, "HOLDS");

            hosts.stopDriver();
            awaitText(terminal, "gannet top  stopped");
            hosts.startDriver();
            awaitText(terminal, "gannet top  running");
            awaitText(terminal, STREAM);
            assertThat(screen.mistakes()).isEmpty();
            terminal.type("q");
            assertThat(terminal.awaitEnd()).isZero();
        }
    }

    @Test
    void ratesAreNotShownBeforeTheSecondLook() throws Exception
    {
        try (LiveHosts hosts = new LiveHosts(); PseudoTerminal terminal = new PseudoTerminal(COLUMNS, ROWS))
        {
            terminal.start(Map.of(), "top", "--dir", hosts.directory().toString(), "--interval", "60000");
            awaitText(terminal, STREAM);
            awaitText(terminal, "q quit");
            assertThat(terminal.screen().line("conductor")).matches("conductor +- .*");
            assertThat(terminal.screen().line(STREAM)).matches(".* - .*").doesNotMatch(".* 0B +[0-9.]+[KM]?i?B .*");
            assertThat(terminal.screen().line("  rx ")).contains("rx -/s -pps", "tx -/s -pps");
            terminal.type("q");
            assertThat(terminal.awaitEnd()).isZero();
        }
    }

    @Test
    void keysSortFilterSelectAndScroll() throws Exception
    {
        try (LiveHosts hosts = new LiveHosts();
            Gannet client = Gannet.connect(new Gannet.Context().directory(hosts.directory())
                .driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
            PseudoTerminal terminal = top(hosts.directory()))
        {
            for (int stream = 1001; stream <= 1030; stream++)
            {
                final Publication one = client.addPublication("gannet:ipc?ring=64k", stream);
                assertThat(one.isClosed()).isFalse();
            }
            final TerminalScreen screen = terminal.screen();
            awaitText(terminal, "sort: rate");
            terminal.type("s");
            awaitText(terminal, "sort: lag");
            terminal.type("ss");
            awaitText(terminal, "sort: stream");
            awaitText(terminal, " 1001 ");
            Await.until("stream 77 first", () -> screen.inverseLines().size() == 3 &&
                screen.inverseLines().get(2).startsWith(STREAM));
            assertThat(screen.shows(" 1030 ")).isFalse();
            terminal.type(DOWN + DOWN);
            Await.until("the third to be selected", () -> screen.inverseLines().get(2).contains(" 1002 "));
            terminal.type(UP);
            Await.until("the second to be selected", () -> screen.inverseLines().get(2).contains(" 1001 "));
            terminal.type(END);
            Await.until("the last to be selected", () -> screen.inverseLines().getLast().contains(" 1030 "));
            assertThat(screen.shows(STREAM)).isFalse();
            terminal.type(HOME);
            Await.until("the first again", () -> screen.inverseLines().getLast().startsWith(STREAM));
            terminal.type("r");
            awaitText(terminal, "sort: stream reversed");
            awaitText(terminal, " 1030 ");
            terminal.type("r/10");
            awaitText(terminal, "filter: 10_");
            terminal.type("17");
            awaitText(terminal, "filter: 1017_");
            awaitGone(terminal, " 1001 ");
            assertThat(screen.shows(" 1017 ")).isTrue();
            terminal.type("\u007f\u007fx");
            awaitText(terminal, "none of 31 streams has this filter's text");
            terminal.type("\u001b");
            awaitText(terminal, STREAM);
            terminal.type("p");
            awaitText(terminal, "PAUSED");
            terminal.type("p");
            awaitGone(terminal, "PAUSED");
            terminal.type("h");
            awaitText(terminal, "select a stream; Page Up");
            terminal.type("x");
            awaitGone(terminal, "select a stream; Page Up");

            terminal.resize(120, 40);
            Await.until("more lines", () -> screen.lines().size() == 40 && screen.lines().getLast().contains("q quit"));
            terminal.resize(40, 8);
            Await.until("fewer lines", () -> screen.lines().size() == 8 && screen.lines().getLast().contains("q quit"));
            assertThat(terminal.process().isAlive()).isTrue();
            terminal.type("q");
            assertThat(terminal.awaitEnd()).isZero();
            // Those of a frame that was on its way when the window became smaller are the terminal's to cut.
            assertThat(screen.mistakes()).allMatch(mistake -> mistake.startsWith("a line below") ||
                mistake.startsWith("a character beyond"));
        }
    }

    /**
     * From no stream to more than fit, with names that are too long, wide, or would move the cursor, numbers of the
     * most digits and more readers than lines; and then the driver is killed.
     */
    @Test
    void whateverThereIsFitsTheScreenAndADeadDriverIsTold() throws Exception
    {
        final Path directory = TestDirectory.create("top-any");
        final List<String> command = List.of("driver", "--dir", directory.toString(), "--device", "none");
        final String name = "\u001b[2J\u001b[31m" + "\u4e16\u754c".repeat(40) + "\ttail";
        try (TestProcess driver = TestProcess.start("driver", Map.of(), "io.gannet.cli.Main", command);
            PseudoTerminal terminal = top(directory);
            Gannet client = Gannet.connect(new Gannet.Context().directory(directory).name(name)
                .driverTimeout(60, TimeUnit.SECONDS)))
        {
            final TerminalScreen screen = terminal.screen();
            awaitText(terminal, "gannet top  running");
            awaitText(terminal, "no streams");
            terminal.type(DOWN + END + HOME + UP + "sss");
            final String channel = "gannet:ipc?alias=" + "x".repeat(60);
            final List<Publication> streams = new ArrayList<>();
            for (int i = 0; i < 40; i++)
            {
                streams.add(client.addPublication(channel + "|ring=64k", Integer.MIN_VALUE + i));
            }
            awaitText(terminal, "-2147483648 ");
            assertThat(screen.line("-2147483648")).contains("gannet:i");
            for (int i = 0; i < 30; i++)
            {
                client.addSubscription(channel, Integer.MIN_VALUE);
            }
            awaitText(terminal, " 0B behind");
            // What would move the cursor is spelled out; a wide character takes two cells.
            assertThat(screen.line(" 0B behind")).startsWith("    \\u001B[2J\\u001B[31m\u4e16 \u754c \u4e16 ");
            for (int i = 0; i < 60; i++)
            {
                terminal.type(DOWN);
            }
            terminal.type(END + HOME + "/\u00e4\u0007\u001b");
            terminal.resize(80, 12);
            awaitText(terminal, "q quit");
            terminal.resize(COLUMNS, ROWS);
            awaitText(terminal, " 0B behind");
            driver.kill();
            awaitText(terminal, "gannet top  dead");
            assertThat(screen.line("gannet top")).contains("pid " + driver.pid());
            assertThat(streams).noneMatch(Publication::isClosed);
            terminal.type("q");
            assertThat(terminal.awaitEnd()).isZero();
            // Those of a frame that was on its way when the window became smaller are the terminal's to cut.
            assertThat(screen.mistakes()).allMatch(mistake -> mistake.startsWith("a line below"));
        }
        finally
        {
            TestDirectory.remove(directory);
        }
    }

    /** However it ends, the shell gets its terminal as it was. */
    @ParameterizedTest
    @ValueSource(strings = {"q", "Q", "\u0003", "\u0004", "TERM", "INT", "HUP"})
    void theTerminalIsGivenBack(final String end) throws Exception
    {
        final Path directory = TestDirectory.create("top-end");
        try (PseudoTerminal terminal = new PseudoTerminal(COLUMNS, ROWS))
        {
            final Terminal.Modes before = terminal.modes();
            terminal.start(Map.of(), "top", "--dir", directory.toString());
            awaitText(terminal, "no driver was ever started");
            assertThat(terminal.modes()).isNotEqualTo(before);
            assertThat(terminal.screen().isGivenBack()).isFalse();
            if (end.length() == 1)
            {
                terminal.type(end);
            }
            else
            {
                new ProcessBuilder("kill", "-" + end, Long.toString(terminal.process().pid())).start().waitFor();
            }
            final int exitCode = terminal.awaitEnd();
            assertThat(exitCode).isEqualTo(switch (end)
            {
                case "\u0003", "INT" -> 130;
                case "TERM" -> 143;
                case "HUP" -> 129;
                default -> 0;
            });
            assertThat(terminal.modes()).isEqualTo(before);
            Await.until("the screen to be given back", () -> terminal.screen().isGivenBack());
            assertThat(terminal.screen().mistakes()).isEmpty();
        }
        finally
        {
            TestDirectory.remove(directory);
        }
    }

    /** Its ssh hangs: it waits for the terminal in a write, and ends all the same. */
    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT", "HUP"})
    void itEndsOnATerminalThatTakesNothing(final String signal) throws Exception
    {
        final Path directory = TestDirectory.create("top-frozen");
        try (PseudoTerminal terminal = new PseudoTerminal(COLUMNS, ROWS))
        {
            final Terminal.Modes before = terminal.modes();
            terminal.start(Map.of(), "top", "--dir", directory.toString(), "--interval", "100");
            awaitText(terminal, "no driver was ever started");
            final Path waits = Path.of("/proc", Long.toString(terminal.process().pid()), "task");
            terminal.freeze();
            Await.until("it to wait for the terminal", () ->
            {
                // Each key makes it draw the screen once more.
                terminal.type("j");
                return isWriting(waits);
            });
            new ProcessBuilder("kill", "-" + signal, Long.toString(terminal.process().pid())).start().waitFor();
            assertThat(terminal.awaitEnd()).isGreaterThan(128);
            assertThat(terminal.modes()).isEqualTo(before);
        }
        finally
        {
            TestDirectory.remove(directory);
        }
    }

    /** Whether a thread of a process is in write(2) for longer than a moment. */
    private static boolean isWriting(final Path tasks)
    {
        for (int look = 0; look < 3; look++)
        {
            try (Stream<Path> threads = Files.list(tasks))
            {
                if (threads.noneMatch(thread -> isWritingNow(thread.resolve("syscall"))))
                {
                    return false;
                }
            }
            catch (final IOException ended)
            {
                throw new AssertionError("it ended", ended);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(150));
        }
        return true;
    }

    private static boolean isWritingNow(final Path call)
    {
        try
        {
            return Files.readString(call).startsWith(SyscallNumber.WRITE + " 0x1 ");
        }
        catch (final IOException gone)
        {
            return false;
        }
    }

    @Test
    void whatTheTerminalCanNotShowIsNotUsed() throws Exception
    {
        try (LiveHosts hosts = new LiveHosts(); PseudoTerminal terminal = new PseudoTerminal(COLUMNS, ROWS))
        {
            terminal.start(Map.of("LANG", "C", "NO_COLOR", "1"),
                "top", "--dir", hosts.directory().toString(), "--interval", "100");
            Await.until("bars of ASCII", () ->
            {
                hosts.pass(20);
                final String line = terminal.screen().line(STREAM);
                return line != null && line.contains("#");
            });
            assertThat(terminal.screen().toString()).matches("[\\x20-\\x7e\\n]*");
            assertThat(terminal.screen().inverseLines()).isEmpty();
            terminal.type("q");
            assertThat(terminal.awaitEnd()).isZero();
        }
    }

    @Test
    void withoutATerminalItSaysWhatElseThereIs()
    {
        try (TestProcess top = TestProcess.start("top", Map.of(), "io.gannet.cli.Main", List.of("top")))
        {
            Await.until("its end", () -> !top.isAlive() && !top.lines().isEmpty());
            assertThat(top.exitCode()).isEqualTo(1);
            assertThat(top.lines()).singleElement().asString()
                .contains("needs a terminal", "gannet streams --watch");
        }
    }
}

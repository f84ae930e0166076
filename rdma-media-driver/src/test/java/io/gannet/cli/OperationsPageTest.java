package io.gannet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.counters.RemoteStatistic;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.errors.OperatorError;
import io.gannet.harness.TestDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** What operators read names commands, options, counters and tests that are there. */
@ResourceLock(Resources.SYSTEM_OUT)
@ResourceLock(Resources.SYSTEM_ERR)
class OperationsPageTest
{
    private static final Path ROOT = Path.of("..");
    private static final Path PAGE = ROOT.resolve("docs/operations.md");
    /** Of other modules. */
    private static final Set<String> ELSEWHERE = Set.of("perf", "sample", "demo", "orders", "feed", "model");
    private static final Pattern COMMAND = Pattern.compile("(?<![\\w-])gannet ([a-z][a-z-]*)((?:(?![`;|&#(]).)*)");
    private static final Pattern FLAG = Pattern.compile("(?<![\\w-])--[a-z][a-z-]*");
    private static final Pattern CODE_SPAN = Pattern.compile("`([^`]+)`");
    private static final Pattern MODULES_WITHOUT_ALL = Pattern.compile("modprobe [a-z0-9_]+ [a-z0-9_]+");

    record Text(String from, String code)
    {
        @Override
        public String toString()
        {
            return from + ": " + code;
        }
    }

    private static Stream<MatchResult> matches(final Pattern pattern, final String text)
    {
        return pattern.matcher(text).results();
    }

    /** Lines and spans of code of a page. */
    private static Stream<Text> codeOf(final Path page)
    {
        try
        {
            final List<String> lines = Files.readAllLines(page);
            return Stream.concat(
                lines.stream().filter(line -> line.startsWith("    ")),
                matches(CODE_SPAN, String.join("\n", lines)).map(match -> match.group(1)))
                .map(code -> new Text(page.getFileName().toString(), code));
        }
        catch (final IOException e)
        {
            throw new java.io.UncheckedIOException(e);
        }
    }

    static Stream<Text> code()
    {
        return Stream.of(
            codeOf(PAGE),
            codeOf(ROOT.resolve("docs/configuration.md")),
            codeOf(ROOT.resolve("docs/monitoring.md")),
            Arrays.stream(OperatorError.values()).map(error -> new Text(error.code(), error.remedy())))
            .flatMap(texts -> texts).filter(text -> COMMAND.matcher(text.code()).find());
    }

    @ParameterizedTest
    @MethodSource("code")
    void eachCommandIsOneAndHasTheOptions(final Text text)
    {
        final Map<String, CommandLine> commands = Main.commandLine("").getSubcommands();
        final List<MatchResult> named = matches(COMMAND, text.code()).toList();
        for (final MatchResult match : named)
        {
            final String name = match.group(1);
            if (!ELSEWHERE.contains(name) && !isOfASystem(text.code(), match.start()))
            {
                assertThat(commands).as(text.toString()).containsKey(name);
                matches(FLAG, match.group(2)).map(MatchResult::group).forEach(flag ->
                    assertThat(commands.get(name).getCommandSpec().optionsMap()).as(text.toString()).containsKey(flag));
            }
        }
    }

    /** A user, group, unit or package of that name, not the command. */
    private static boolean isOfASystem(final String code, final int at)
    {
        return code.substring(0, at).matches("(?s).*(systemctl( [a-z-]+)*|adduser|usermod -aG|-u|alice) ");
    }

    @Test
    void someTextsAreLookedAt()
    {
        assertThat(code()).hasSizeGreaterThan(30);
    }

    @Test
    void countersThatAreExplainedAreCounted() throws IOException
    {
        final Path directory = TestDirectory.create("operations-page");
        final String counters;
        try (MediaDriver driver = MediaDriver.launch(
            DriverConfiguration.defaults().with(DriverOptions.DIRECTORY, directory), line -> { }))
        {
            counters = Captured.run("stat", "--dir", driver.directory().toString()).out() +
                Arrays.stream(RemoteStatistic.values()).map(RemoteStatistic::label).collect(Collectors.joining("\n"));
        }
        finally
        {
            TestDirectory.remove(directory);
        }
        final List<String> rows = Files.readAllLines(PAGE);
        final List<String> labels = rows.subList(rows.indexOf("| counter | means |") + 2, rows.size()).stream()
            .takeWhile(row -> row.startsWith("| "))
            .flatMap(row -> matches(CODE_SPAN, row.split(" \\| ", 2)[0]).map(match -> match.group(1))).toList();
        assertThat(labels).hasSizeGreaterThan(5).allSatisfy(label ->
            assertThat(counters).contains(label.replaceFirst("^(\\.\\.\\.|to HOST): ", "")));
    }

    @Test
    void testsThatAreNamedAreThere() throws IOException
    {
        final List<String> tests = matches(Pattern.compile("`([A-Z]\\w+(?:IT|Test|Check))`"), Files.readString(PAGE))
            .map(match -> match.group(1)).toList();
        assertThat(tests).hasSizeGreaterThan(3);
        for (final String test : tests)
        {
            try (Stream<Path> sources = Files.walk(Path.of("src/test/java")))
            {
                assertThat(sources).as(test).anyMatch(source -> source.endsWith(test + ".java"));
            }
        }
    }

    @Test
    void modulesAreLoadedByACommandThatLoadsSeveral() throws IOException
    {
        for (final OperatorError error : OperatorError.values())
        {
            assertThat(error.remedy()).doesNotContainPattern(MODULES_WITHOUT_ALL);
        }
        assertThat(Files.readString(ROOT.resolve("docs/hardware.md"))).doesNotContainPattern(MODULES_WITHOUT_ALL);
    }
}

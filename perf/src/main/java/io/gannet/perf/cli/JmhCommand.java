package io.gannet.perf.cli;

import io.gannet.cli.OperatorException;
import io.gannet.cli.UsageException;
import io.gannet.perf.chart.MarkdownTables;
import io.gannet.perf.jmh.JmhTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/**
 * {@code gannet perf jmh}: the pieces of the hot path, one by one.
 */
@Command(name = "jmh", sortOptions = false, description = {
    "Runs the micro-benchmarks of the pieces: memory, offer, claim, poll, gating, client, codecs, foreign calls.",
    "Everything else goes to JMH, as in: gannet perf jmh offer -f 3, or -l for a list. Allocation is profiled",
    "(-prof gc). All of them: about three minutes."})
public final class JmhCommand implements Callable<Integer>
{
    private static final String TABLE = "jmh";
    private static final List<String> QUESTIONS = List.of("-l", "-lp", "-lprof", "-lrf", "-h");

    @Option(names = "--document", paramLabel = "FILE", description =
        "Refreshes the table '" + TABLE + "' of a Markdown file.")
    private Path document;

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() throws IOException
    {
        if (arguments.stream().anyMatch(QUESTIONS::contains))
        {
            org.openjdk.jmh.Main.main(arguments.toArray(String[]::new));
            return 0;
        }
        final List<String> all = new ArrayList<>(arguments);
        if (!all.contains("-prof"))
        {
            all.addAll(List.of("-prof", "gc"));
        }
        final Collection<RunResult> results;
        try
        {
            results = new Runner(new CommandLineOptions(all.toArray(String[]::new))).run();
        }
        catch (final CommandLineOptionException e)
        {
            throw new UsageException("JMH: " + e.getMessage());
        }
        catch (final RunnerException e)
        {
            throw new OperatorException("JMH: " + e.getMessage(), e);
        }
        final String table = JmhTable.of(results);
        System.out.println();
        System.out.print(table);
        if (document != null)
        {
            try
            {
                Files.writeString(document,
                    MarkdownTables.refresh(Files.readString(document), Map.of(TABLE, table)));
            }
            catch (final IllegalArgumentException e)
            {
                throw new OperatorException(document + ": " + e.getMessage(), e);
            }
        }
        return 0;
    }
}

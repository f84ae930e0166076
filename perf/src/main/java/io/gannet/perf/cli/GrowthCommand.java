package io.gannet.perf.cli;

import com.google.gson.GsonBuilder;
import io.gannet.cli.OperatorException;
import io.gannet.cli.UsageException;
import io.gannet.perf.chart.MarkdownTables;
import io.gannet.perf.growth.GrowthOptions;
import io.gannet.perf.growth.GrowthPlots;
import io.gannet.perf.growth.GrowthRun;
import io.gannet.perf.growth.Point;
import io.gannet.perf.rig.Machine;
import io.gannet.perf.rig.RigException;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gannet perf growth}: what more streams, subscribers and bytes cost.
 */
@Command(name = "growth", mixinStandardHelpOptions = true, sortOptions = false, description =
    "Measures how costs grow: 1 to 10,000 streams on one driver, 1 to 1,000 between two, 1 to 64 subscribers of a " +
    "ring, rings of 1 to 256 MiB, messages to 64 MiB. About two minutes.")
public final class GrowthCommand implements Callable<Integer>
{
    private static final int MILLIS = 1_000;
    private static final int MOST_STREAMS = 60_000;
    private static final List<String> PARTS = List.of("streams", "replicated", "subscribers", "rings", "messages");

    @Option(names = "--part", split = ",", paramLabel = "NAME", description =
        "Only these: streams, replicated, subscribers, rings, messages.")
    private List<String> parts = List.of();

    @Option(names = "--streams", split = ",", paramLabel = "N", description =
        "Numbers of streams on one driver. Default: 1,10,100,1000,10000.")
    private List<Integer> streams = List.of();

    @Option(names = "--replicated", split = ",", paramLabel = "N", description =
        "Numbers of streams between two drivers. Default: 1,10,100,1000.")
    private List<Integer> replicated = List.of();

    @Option(names = "--millis", paramLabel = "MS", description = "For each point. Default: " + MILLIS + ".")
    private int millis = MILLIS;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes machine and points.")
    private Path json;

    @Option(names = "--plots", paramLabel = "DIRECTORY", description = "Writes the plots there, as SVG.")
    private Path plots;

    @Option(names = "--document", paramLabel = "FILE", description =
        "Refreshes the tables in a Markdown file, and the plots in a directory of its name beside it.")
    private Path document;

    private record Result(Map<String, String> machine, List<Point> points)
    {
    }

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final GrowthOptions options = options();
        final Map<String, String> machine = Machine.describe();
        final List<Point> points;
        try
        {
            points = new GrowthRun(options,
                new PrintWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8))).run();
        }
        catch (final RigException e)
        {
            throw new OperatorException(e.getMessage(), e);
        }
        if (json != null)
        {
            Files.writeString(json, new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create()
                .toJson(new Result(machine, points)) + "\n");
        }
        if (plots != null)
        {
            writePlots(plots, points);
        }
        if (document != null)
        {
            refresh(points);
        }
        return 0;
    }

    private void refresh(final List<Point> points) throws IOException
    {
        try
        {
            Files.writeString(document,
                MarkdownTables.refresh(Files.readString(document), GrowthPlots.tables(points)));
        }
        catch (final IllegalArgumentException e)
        {
            throw new OperatorException(document + ": " + e.getMessage(), e);
        }
        writePlots(document.resolveSibling(document.getFileName().toString().replaceFirst("[.]md$", "")), points);
    }

    private static void writePlots(final Path directory, final List<Point> points) throws IOException
    {
        Files.createDirectories(directory);
        for (final Map.Entry<String, String> plot : GrowthPlots.plots(points).entrySet())
        {
            Files.writeString(directory.resolve(plot.getKey()), plot.getValue());
        }
    }

    private GrowthOptions options()
    {
        for (final String part : parts)
        {
            if (!PARTS.contains(part))
            {
                throw new UsageException("--part " + part + ": must be one of " + PARTS);
            }
        }
        if (millis < 1 || millis > 60_000)
        {
            throw new UsageException("--millis " + millis + ": must be from 1 to 60000");
        }
        final GrowthOptions all = GrowthOptions.all(millis);
        return new GrowthOptions(
            part("streams", counts("--streams", streams, all.streams())),
            part("replicated", counts("--replicated", replicated, all.replicated())),
            part("subscribers", all.subscribers()), part("rings", all.ringMiB()), part("messages", all.messages()),
            millis);
    }

    private List<Integer> part(final String name, final List<Integer> values)
    {
        return parts.isEmpty() || parts.contains(name) ? values : List.of();
    }

    private static List<Integer> counts(final String option, final List<Integer> wanted, final List<Integer> all)
    {
        for (final int count : wanted)
        {
            if (count < 1 || count > MOST_STREAMS)
            {
                throw new UsageException(option + " " + count + ": must be from 1 to " + MOST_STREAMS);
            }
        }
        return wanted.isEmpty() ? all : wanted;
    }
}

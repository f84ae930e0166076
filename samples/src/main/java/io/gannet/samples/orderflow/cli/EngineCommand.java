package io.gannet.samples.orderflow.cli;

import io.gannet.Gannet;
import io.gannet.GannetException;
import io.gannet.cli.OperatorException;
import io.gannet.cli.UsageException;
import io.gannet.samples.marketdata.cli.BookDigest;
import io.gannet.samples.marketdata.cli.Reporter;
import io.gannet.samples.marketdata.cli.StatusLine;
import io.gannet.samples.marketdata.cli.StopSignal;
import io.gannet.samples.orderflow.engine.Engine;
import io.gannet.samples.orderflow.engine.EngineCounters;
import io.gannet.samples.orderflow.engine.EngineSettings;
import io.gannet.samples.orderflow.engine.Layout;
import io.gannet.samples.orderflow.journal.Journal;
import io.gannet.samples.orderflow.matching.EngineLimits;
import io.gannet.samples.orderflow.matching.Tradables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code gannet orders engine}.
 */
@Command(name = "engine", sortOptions = false, mixinStandardHelpOptions = true, description = {
    "Runs a matching engine: takes gateways' commands, journals and matches them, publishes reports and market data.",
    "Starts from its journal. Ends by Ctrl-C."})
final class EngineCommand implements Callable<Integer>
{
    @Mixin
    private VenueOptions venue;

    @Option(names = "--journal", paramLabel = "DIR", required = true, description =
        "Directory of journal and snapshots; on a disk if it is to survive the machine.")
    private Path journal;

    @Option(names = "--segment-size", paramLabel = "MIB", defaultValue = "64", description =
        "Size of a journal's file. Default: ${DEFAULT-VALUE}.")
    private int segmentMiB;

    @Option(names = "--durability", defaultValue = "process", description =
        "What an acknowledged order survives: process (kill -9 included), or machine (a loss of power): then each " +
        "batch is forced to the disk before it is matched. Default: ${DEFAULT-VALUE}.")
    private String durability;

    @Option(names = "--layout", defaultValue = "auto", description =
        "Threads: one, two, full, or auto: by the number of processors. Default: ${DEFAULT-VALUE}.")
    private String layout;

    @Option(names = "--no-feed", description = "Publish no market data.")
    private boolean noFeed;

    @Option(names = "--snapshot", description = "Write a snapshot at the end.")
    private boolean snapshot;

    @Override
    public Integer call() throws IOException
    {
        venue.check();
        VenueOptions.require("--segment-size", segmentMiB, 1, 1_024);
        final Tradables tradables = venue.tradables();
        final EngineSettings settings = new EngineSettings(journal, segmentMiB << 20, durability(), tradables,
            EngineLimits.defaults(), venue.streams(), layout(), venue.waiting(), !noFeed, snapshot,
            EngineSettings.REPORT_LOG);
        final Failures failures = new Failures();
        try (StopSignal stop = venue.stopSignal();
            Gannet client = venue.connect("matching engine"))
        {
            final Engine engine = start(settings, client, failures);
            try (engine;
                Reporter _ = new Reporter(() -> report(engine), venue.isChild() ? 200 : 1_000))
            {
                failures.awaitStop(stop);
            }
            sumUp(engine, tradables);
        }
        catch (final GannetException failure)
        {
            throw new OperatorException(failure.getMessage(), failure);
        }
        return 0;
    }

    private Engine start(final EngineSettings settings, final Gannet client, final Failures failures)
    {
        try
        {
            final Engine engine = new Engine(settings, venue.transport(client), failures);
            if (!venue.isChild())
            {
                System.out.printf(Locale.ROOT, "recovered %,d commands%s; threads: %s, waiting: %s%n",
                    engine.recovered().commands(), engine.recovered().tornBytes() == 0 ? "" : ", dropped " +
                    engine.recovered().tornBytes() + " bytes of a torn tail", settings.layout(), settings.waiting());
            }
            return engine;
        }
        catch (final IOException failure)
        {
            throw new OperatorException(failure.getMessage(), failure);
        }
    }

    private Journal.Durability durability()
    {
        try
        {
            return Journal.Durability.valueOf(durability.toUpperCase(Locale.ROOT));
        }
        catch (final IllegalArgumentException unknown)
        {
            throw new UsageException("--durability " + durability + ": process and machine are possible", unknown);
        }
    }

    private Layout layout()
    {
        try
        {
            return Layout.of(layout);
        }
        catch (final IllegalArgumentException unknown)
        {
            throw new UsageException("--layout " + layout + ": one, two, full and auto are possible", unknown);
        }
    }

    private void report(final Engine engine)
    {
        final EngineCounters counters = engine.counters();
        if (venue.isChild())
        {
            System.out.println(status(engine));
        }
        else
        {
            System.out.printf(Locale.ROOT, "%,d commands, %,d reports, duplicates %,d, gaps %,d, malformed %,d%n",
                counters.commands.get(), counters.reports.get(), counters.duplicates.get(), counters.gaps.get(),
                counters.malformed.get());
        }
    }

    private static StatusLine status(final Engine engine)
    {
        final EngineCounters counters = engine.counters();
        return new StatusLine()
            .put("commands", counters.commands.get())
            .put("reports", counters.reports.get())
            .put("duplicates", counters.duplicates.get())
            .put("gaps", counters.gaps.get())
            .put("malformed", counters.malformed.get())
            .put("skipped", counters.skipped.get())
            .put("recovered", engine.recovered().commands())
            .put("torn", engine.recovered().tornBytes());
    }

    private void sumUp(final Engine engine, final Tradables tradables)
    {
        final BookDigest digest = new BookDigest();
        for (int i = 0; i < tradables.size(); i++)
        {
            digest.add(tradables.get(i).id(), engine.matching().book(i));
        }
        if (venue.isChild())
        {
            System.out.println(status(engine)
                .put("final", 1)
                .put("trades", engine.matching().trades())
                .put("orders", digest.orders())
                .put("digest", digest));
        }
        else
        {
            System.out.printf(Locale.ROOT, "%,d commands, %,d trades; final books: %,d orders, digest %s%n",
                engine.matching().commands(), engine.matching().trades(), digest.orders(), digest);
        }
    }
}

package io.gannet.samples.orderflow.cli;

import io.gannet.cli.OperatorException;
import io.gannet.cli.UsageException;
import io.gannet.samples.orderflow.journal.JournalReader;
import io.gannet.samples.orderflow.journal.Recovery;
import io.gannet.samples.orderflow.journal.Snapshots;
import io.gannet.samples.orderflow.link.MessageLog;
import io.gannet.samples.orderflow.matching.EngineLimits;
import io.gannet.samples.orderflow.matching.EngineOutput;
import io.gannet.samples.orderflow.matching.MatchingEngine;
import io.gannet.samples.orderflow.matching.Tradables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gannet orders snapshot}.
 */
@Command(name = "snapshot", sortOptions = false, mixinStandardHelpOptions = true, description = {
    "Replays a journal, writes a snapshot of where it ends and removes the files that no recovery needs any more.",
    "The engine may be running meanwhile: it is not disturbed."})
final class SnapshotCommand implements Callable<Integer>
{
    private static final int LOG = 1 << 24;

    @Option(names = "--journal", paramLabel = "DIR", required = true, description = "The engine's --journal.")
    private Path journal;

    @Option(names = "--instruments", defaultValue = "4", description =
        "Number of instruments, as for the engine. Default: ${DEFAULT-VALUE}.")
    private int instruments;

    @Option(names = "--keep", description = "Remove nothing.")
    private boolean keep;

    @Override
    public Integer call()
    {
        VenueOptions.require("--instruments", instruments, 1, 1_000);
        if (!Files.isDirectory(journal))
        {
            throw new UsageException("--journal " + journal + ": no such directory");
        }
        final MatchingEngine engine = new MatchingEngine(Tradables.example(instruments), EngineLimits.defaults(),
            new EngineOutput(MessageLog.allocate(LOG * 4), MessageLog.allocate(LOG)));
        try
        {
            final JournalReader.Summary summary = Recovery.recover(journal, engine);
            Snapshots.write(journal, summary.lastSequence(), engine);
            final int removed = keep ? 0 : Snapshots.prune(journal);
            System.out.printf(Locale.ROOT, "snapshot at command %,d: %,d orders; removed %,d files%n",
                summary.lastSequence(), engine.orders(), removed);
            return 0;
        }
        catch (final IOException | IllegalStateException failure)
        {
            throw new OperatorException(failure.getMessage(), failure);
        }
    }
}

package io.gannet.samples.orderflow.engine;

import io.gannet.samples.orderflow.journal.Journal;
import io.gannet.samples.orderflow.link.Streams;
import io.gannet.samples.orderflow.link.Waiting;
import io.gannet.samples.orderflow.matching.EngineLimits;
import io.gannet.samples.orderflow.matching.Tradables;
import java.nio.file.Path;

/**
 * How an engine runs.
 *
 * @param journal       directory of journal and snapshots; made if need be.
 * @param segmentSize   bytes of a journal's file.
 * @param durability    what an acknowledged command survives.
 * @param tradables     instruments.
 * @param limits        what there is room for.
 * @param streams       where it listens and speaks.
 * @param layout        threads.
 * @param waiting       how they wait.
 * @param feed          publish market data.
 * @param snapshotAtEnd write a snapshot when closed.
 * @param reportLog     bytes of memory for reports that may have to be sent again, a power of two; half of it for
 *                      market data.
 */
public record EngineSettings(
    Path journal, int segmentSize, Journal.Durability durability, Tradables tradables, EngineLimits limits,
    Streams streams, Layout layout, Waiting waiting, boolean feed, boolean snapshotAtEnd,
    int reportLog)
{
    /** Default of {@link #reportLog}: about 800,000 reports. */
    public static final int REPORT_LOG = 128 << 20;

    /** Checks that the answer to any command can be sent again. */
    public EngineSettings
    {
        if (limits.largestAnswer() > reportLog * 3L / 8)
        {
            throw new IllegalArgumentException("a log of " + reportLog + " bytes for reports: " + limits.maxOrders() +
                " orders can cause " + limits.largestAnswer() + " bytes at once, and three eighths of the log must " +
                "hold them. Choose a larger log or fewer orders");
        }
    }

    /** The usual, with a journal there. */
    public static EngineSettings of(final Path journal, final Tradables tradables)
    {
        return new EngineSettings(journal, Journal.SEGMENT_SIZE, Journal.Durability.PROCESS, tradables,
            EngineLimits.defaults(), Streams.defaults(), Layout.forThisMachine(), Waiting.forThisMachine(), true,
            false, REPORT_LOG);
    }
}

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
 */
public record EngineSettings(
    Path journal, int segmentSize, Journal.Durability durability, Tradables tradables, EngineLimits limits,
    Streams streams, Layout layout, Waiting waiting, boolean feed, boolean snapshotAtEnd)
{
    /** The usual, with a journal there. */
    public static EngineSettings of(final Path journal, final Tradables tradables)
    {
        return new EngineSettings(journal, Journal.SEGMENT_SIZE, Journal.Durability.PROCESS, tradables,
            EngineLimits.defaults(), Streams.defaults(), Layout.forThisMachine(), Waiting.forThisMachine(), true,
            false);
    }
}

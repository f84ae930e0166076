package io.gannet.samples.orderflow.journal;

import io.gannet.samples.orderflow.matching.MatchingEngine;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Brings a new engine to where its journal ends.
 */
public final class Recovery
{
    private Recovery()
    {
    }

    /**
     * Loads the newest snapshot and applies the commands behind it; the engine's output is what it was.
     *
     * @throws JournalException if a command is missing or damaged.
     */
    public static JournalReader.Summary recover(final Path directory, final MatchingEngine engine) throws IOException
    {
        final long from = Snapshots.load(directory, engine);
        return JournalReader.read(directory, from, engine.configuration(),
            (sequence, time, buffer, offset, length) -> engine.apply(time, buffer, offset));
    }
}

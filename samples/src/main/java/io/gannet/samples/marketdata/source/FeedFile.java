package io.gannet.samples.marketdata.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Opens a user's file as a feed by looking at its first bytes.
 */
public final class FeedFile
{
    private FeedFile()
    {
    }

    /**
     * Opens a Databento DBN or a Nasdaq ITCH 5.0 file.
     *
     * @throws FeedFormatException if it is neither, naming what was found.
     */
    public static FeedSource open(final Path file) throws IOException
    {
        if (!Files.isRegularFile(file))
        {
            throw new IOException(file + (Files.exists(file) ? ": not a regular file" : ": no such file"));
        }
        final boolean dbn;
        try (ByteSource in = ByteSource.open(file))
        {
            if (in.atEnd())
            {
                throw in.error(0, "the file is empty");
            }
            dbn = in.tryPeek(3) == 3 && in.buffer().getByte(in.index()) == 'D' &&
                in.buffer().getByte(in.index() + 1) == 'B' && in.buffer().getByte(in.index() + 2) == 'N';
        }
        return dbn ? DbnSource.open(file) : ItchSource.open(file);
    }
}

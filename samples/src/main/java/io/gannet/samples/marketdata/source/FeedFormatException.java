package io.gannet.samples.marketdata.source;

import java.io.IOException;

/**
 * A file is not what it should be: the message names the file, the offset and what was expected there.
 */
public final class FeedFormatException extends IOException
{
    private static final long serialVersionUID = 1;

    /**
     * @param name   of the file.
     * @param offset of the first wrong byte, in the decompressed file.
     * @param what   is wrong.
     */
    public FeedFormatException(final String name, final long offset, final String what)
    {
        super(name + ": at byte " + offset + ": " + what);
    }
}

package io.gannet.samples.orderflow.matching;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * Reads what {@link StateWriter} wrote.
 */
public final class StateReader
{
    private final DataInputStream in;

    /**
     * @param in owned by the caller.
     */
    public StateReader(final InputStream in)
    {
        this.in = new DataInputStream(in);
    }

    /** Reads 4 bytes. */
    public int getInt()
    {
        try
        {
            return in.readInt();
        }
        catch (final IOException failure)
        {
            throw new UncheckedIOException(failure);
        }
    }

    /** Reads 8 bytes. */
    public long getLong()
    {
        try
        {
            return in.readLong();
        }
        catch (final IOException failure)
        {
            throw new UncheckedIOException(failure);
        }
    }
}

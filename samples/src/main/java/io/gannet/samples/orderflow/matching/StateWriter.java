package io.gannet.samples.orderflow.matching;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Writes a state to be read by {@link StateReader}.
 */
public final class StateWriter
{
    private final DataOutputStream out;

    /**
     * @param out owned by the caller.
     */
    public StateWriter(final OutputStream out)
    {
        this.out = new DataOutputStream(out);
    }

    /** Writes 4 bytes. */
    public void putInt(final int value)
    {
        try
        {
            out.writeInt(value);
        }
        catch (final IOException failure)
        {
            throw new UncheckedIOException(failure);
        }
    }

    /** Writes 8 bytes. */
    public void putLong(final long value)
    {
        try
        {
            out.writeLong(value);
        }
        catch (final IOException failure)
        {
            throw new UncheckedIOException(failure);
        }
    }
}

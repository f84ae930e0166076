package io.gannet.rdma.roce.rc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The values of all {@link Counter}s of one NIC: written by its working thread, read by any.
 */
@SuppressWarnings("EnumOrdinal")       // an array by enum, nothing that outlives the process
public final class Counters
{
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] values = new long[Counter.values().length];

    /** Adds one. */
    public void increment(final Counter counter)
    {
        add(counter, 1);
    }

    /** Adds {@code amount}. */
    public void add(final Counter counter, final long amount)
    {
        final int index = counter.ordinal();
        ELEMENT.setOpaque(values, index, values[index] + amount);
    }

    /** Sets a gauge. */
    public void set(final Counter counter, final long value)
    {
        ELEMENT.setOpaque(values, counter.ordinal(), value);
    }

    /** The value, perhaps a little old. */
    public long get(final Counter counter)
    {
        return (long) ELEMENT.getOpaque(values, counter.ordinal());
    }

    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder();
        for (final Counter counter : Counter.values())
        {
            if (get(counter) != 0)
            {
                text.append(text.isEmpty() ? "" : ", ").append(counter).append('=').append(get(counter));
            }
        }
        return text.toString();
    }
}

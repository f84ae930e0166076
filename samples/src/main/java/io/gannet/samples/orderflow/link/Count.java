package io.gannet.samples.orderflow.link;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A count with one writer; others read what may be a moment old. Opaque: no ordering is needed and none is paid for.
 */
public final class Count
{
    private static final VarHandle VALUE;

    static
    {
        try
        {
            VALUE = MethodHandles.lookup().findVarHandle(Count.class, "value", long.class);
        }
        catch (final ReflectiveOperationException impossible)
        {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private long value;

    /** Adds one. */
    public void increment()
    {
        VALUE.setOpaque(this, value + 1);
    }

    /** Adds some. */
    public void add(final long more)
    {
        VALUE.setOpaque(this, value + more);
    }

    /** Sets it. */
    public void set(final long newValue)
    {
        VALUE.setOpaque(this, newValue);
    }

    /** The count, for any thread. */
    public long get()
    {
        return (long) VALUE.getOpaque(this);
    }
}

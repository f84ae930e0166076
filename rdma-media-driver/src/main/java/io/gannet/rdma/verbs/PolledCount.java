package io.gannet.rdma.verbs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What the polling thread tells the posting one, on cache lines of its own.
 */
final class PolledCount
{
    private static final VarHandle VALUE;

    static
    {
        try
        {
            VALUE = MethodHandles.lookup().findVarHandle(PolledCount.class, "value", long.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused")
    private long p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15, p16;
    private long value;
    private long completions;
    @SuppressWarnings("unused")
    private long p17, p18, p19, p20, p21, p22, p23, p24, p25, p26, p27, p28, p29, p30, p31, p32;

    /** {@return completions counted so far, before this one} Poller. */
    long nextCompletion()
    {
        return completions++;
    }

    /** Poller; pairs with {@link #get}. */
    void set(final long newValue)
    {
        VALUE.setRelease(this, newValue);
    }

    /** Poster; pairs with {@link #set}. */
    long get()
    {
        return (long) VALUE.getAcquire(this);
    }
}

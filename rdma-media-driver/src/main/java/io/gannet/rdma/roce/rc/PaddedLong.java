package io.gannet.rdma.roce.rc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A counter with one writing thread, on cache lines of its own.
 */
final class PaddedLong
{
    private static final VarHandle VALUE;

    static
    {
        try
        {
            VALUE = MethodHandles.lookup().findVarHandle(PaddedLong.class, "value", long.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused")
    private long p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15;
    private long value;
    @SuppressWarnings("unused")
    private long p17, p18, p19, p20, p21, p22, p23, p24, p25, p26, p27, p28, p29, p30, p31;

    /** For the writing thread itself. */
    long plain()
    {
        return value;
    }

    long acquire()
    {
        return (long) VALUE.getAcquire(this);
    }

    void release(final long newValue)
    {
        VALUE.setRelease(this, newValue);
    }
}

package io.gannet;

import org.agrona.MutableDirectBuffer;

/** A claim in a ring. */
final class RingClaim implements BufferClaim
{
    @Override
    public MutableDirectBuffer buffer()
    {
        throw new IllegalStateException("no claim is open");
    }

    @Override
    public int offset()
    {
        throw new IllegalStateException("no claim is open");
    }

    @Override
    public int length()
    {
        throw new IllegalStateException("no claim is open");
    }

    @Override
    public BufferClaim reservedValue(final long value)
    {
        throw new IllegalStateException("no claim is open");
    }

    @Override
    public void commit()
    {
        throw new IllegalStateException("no claim is open");
    }

    @Override
    public void abort()
    {
    }
}

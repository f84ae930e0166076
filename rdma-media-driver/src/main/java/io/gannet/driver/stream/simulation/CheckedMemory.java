package io.gannet.driver.stream.simulation;

import io.gannet.ring.NativeMemory;
import io.gannet.ring.RingMemory;

/**
 * The machine's memory, asking before each access whether it is allowed.
 */
abstract class CheckedMemory extends RingMemory
{
    private static final RingMemory NATIVE = NativeMemory.INSTANCE;

    /** Bytes are about to be read. */
    abstract void onLoad(long address, long length);

    /** Bytes are about to be written. */
    abstract void onStore(long address, long length);

    @Override
    public int getInt(final long address)
    {
        onLoad(address, Integer.BYTES);
        return NATIVE.getInt(address);
    }

    @Override
    public long getLong(final long address)
    {
        onLoad(address, Long.BYTES);
        return NATIVE.getLong(address);
    }

    @Override
    public int getIntAcquire(final long address)
    {
        onLoad(address, Integer.BYTES);
        return NATIVE.getIntAcquire(address);
    }

    @Override
    public long getLongAcquire(final long address)
    {
        onLoad(address, Long.BYTES);
        return NATIVE.getLongAcquire(address);
    }

    @Override
    public int getIntOpaque(final long address)
    {
        onLoad(address, Integer.BYTES);
        return NATIVE.getIntOpaque(address);
    }

    @Override
    public long getLongOpaque(final long address)
    {
        onLoad(address, Long.BYTES);
        return NATIVE.getLongOpaque(address);
    }

    @Override
    public long getLongVolatile(final long address)
    {
        onLoad(address, Long.BYTES);
        return NATIVE.getLongVolatile(address);
    }

    @Override
    public void putInt(final long address, final int value)
    {
        onStore(address, Integer.BYTES);
        NATIVE.putInt(address, value);
    }

    @Override
    public void putLong(final long address, final long value)
    {
        onStore(address, Long.BYTES);
        NATIVE.putLong(address, value);
    }

    @Override
    public void putIntRelease(final long address, final int value)
    {
        onStore(address, Integer.BYTES);
        NATIVE.putIntRelease(address, value);
    }

    @Override
    public void putLongRelease(final long address, final long value)
    {
        onStore(address, Long.BYTES);
        NATIVE.putLongRelease(address, value);
    }

    @Override
    public void putIntOpaque(final long address, final int value)
    {
        onStore(address, Integer.BYTES);
        NATIVE.putIntOpaque(address, value);
    }

    @Override
    public void putLongOpaque(final long address, final long value)
    {
        onStore(address, Long.BYTES);
        NATIVE.putLongOpaque(address, value);
    }

    @Override
    public boolean compareAndSetLong(final long address, final long expected, final long value)
    {
        onStore(address, Long.BYTES);
        return NATIVE.compareAndSetLong(address, expected, value);
    }

    @Override
    public long getAndAddLong(final long address, final long delta)
    {
        onStore(address, Long.BYTES);
        return NATIVE.getAndAddLong(address, delta);
    }

    @Override
    public long getAndSetLong(final long address, final long value)
    {
        onStore(address, Long.BYTES);
        return NATIVE.getAndSetLong(address, value);
    }

    @Override
    public int getAndAddInt(final long address, final int delta)
    {
        onStore(address, Integer.BYTES);
        return NATIVE.getAndAddInt(address, delta);
    }

    @Override
    public void copy(final long source, final long target, final long length)
    {
        onLoad(source, length);
        onStore(target, length);
        NATIVE.copy(source, target, length);
    }

    @Override
    public void copyFrom(final byte[] source, final long offset, final long target, final long length)
    {
        onStore(target, length);
        NATIVE.copyFrom(source, offset, target, length);
    }

    @Override
    public void setMemory(final long address, final long length, final byte value)
    {
        onStore(address, length);
        NATIVE.setMemory(address, length, value);
    }

    @Override
    public void fullFence()
    {
        NATIVE.fullFence();
    }

    @Override
    public void fenceEverywhere()
    {
        NATIVE.fenceEverywhere();
    }

    @Override
    public void storeStoreFence()
    {
        NATIVE.storeStoreFence();
    }

    @Override
    public void acquireFence()
    {
        NATIVE.acquireFence();
    }
}

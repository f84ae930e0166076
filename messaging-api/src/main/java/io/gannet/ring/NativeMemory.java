package io.gannet.ring;

import io.gannet.os.Membarrier;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.agrona.UnsafeApi;

/** Ring memory as the machine has it. Stateless; thread-safe. */
public final class NativeMemory extends RingMemory
{
    /** The one instance. */
    public static final NativeMemory INSTANCE = new NativeMemory();

    /** Up to here a loop of 8-byte moves beats the call of a copy stub: 152 against 97 M/s at 32 bytes. */
    private static final long LOOP_COPY_LIMIT = 256;

    static
    {
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN)
        {
            throw new UnsupportedOperationException("rings are little-endian and this machine is not");
        }
    }

    private NativeMemory()
    {
    }

    @Override
    public int getInt(final long address)
    {
        return UnsafeApi.getInt(address);
    }

    @Override
    public long getLong(final long address)
    {
        return UnsafeApi.getLong(address);
    }

    @Override
    public void putInt(final long address, final int value)
    {
        UnsafeApi.putInt(address, value);
    }

    @Override
    public void putLong(final long address, final long value)
    {
        UnsafeApi.putLong(address, value);
    }

    @Override
    public int getIntAcquire(final long address)
    {
        return UnsafeApi.getIntAcquire(null, address);
    }

    @Override
    public long getLongAcquire(final long address)
    {
        return UnsafeApi.getLongAcquire(null, address);
    }

    @Override
    public int getIntOpaque(final long address)
    {
        return UnsafeApi.getIntOpaque(null, address);
    }

    @Override
    public long getLongOpaque(final long address)
    {
        return UnsafeApi.getLongOpaque(null, address);
    }

    @Override
    public long getLongVolatile(final long address)
    {
        return UnsafeApi.getLongVolatile(null, address);
    }

    @Override
    public void putIntRelease(final long address, final int value)
    {
        UnsafeApi.putIntRelease(null, address, value);
    }

    @Override
    public void putLongRelease(final long address, final long value)
    {
        UnsafeApi.putLongRelease(null, address, value);
    }

    @Override
    public void putIntOpaque(final long address, final int value)
    {
        UnsafeApi.putIntOpaque(null, address, value);
    }

    @Override
    public void putLongOpaque(final long address, final long value)
    {
        UnsafeApi.putLongOpaque(null, address, value);
    }

    @Override
    public boolean compareAndSetLong(final long address, final long expected, final long value)
    {
        return UnsafeApi.compareAndSetLong(null, address, expected, value);
    }

    @Override
    public long getAndAddLong(final long address, final long delta)
    {
        return UnsafeApi.getAndAddLong(null, address, delta);
    }

    @Override
    public long getAndSetLong(final long address, final long value)
    {
        return UnsafeApi.getAndSetLong(null, address, value);
    }

    @Override
    public int getAndAddInt(final long address, final int delta)
    {
        return UnsafeApi.getAndAddInt(null, address, delta);
    }

    @Override
    public void copy(final long source, final long target, final long length)
    {
        if (length > LOOP_COPY_LIMIT)
        {
            UnsafeApi.copyMemory(source, target, length);
            return;
        }
        long i = 0;
        for (final long words = length & -8L; i < words; i += 8)
        {
            UnsafeApi.putLong(target + i, UnsafeApi.getLong(source + i));
        }
        if ((length & 4) != 0)
        {
            UnsafeApi.putInt(target + i, UnsafeApi.getInt(source + i));
            i += 4;
        }
        for (; i < length; i++)
        {
            UnsafeApi.putByte(target + i, UnsafeApi.getByte(source + i));
        }
    }

    @Override
    public void copyFrom(final byte[] source, final long offset, final long target, final long length)
    {
        if (length > LOOP_COPY_LIMIT)
        {
            UnsafeApi.copyMemory(source, offset, null, target, length);
            return;
        }
        long i = 0;
        for (final long words = length & -8L; i < words; i += 8)
        {
            UnsafeApi.putLong(target + i, UnsafeApi.getLong(source, offset + i));
        }
        if ((length & 4) != 0)
        {
            UnsafeApi.putInt(target + i, UnsafeApi.getInt(source, offset + i));
            i += 4;
        }
        for (; i < length; i++)
        {
            UnsafeApi.putByte(target + i, UnsafeApi.getByte(source, offset + i));
        }
    }

    @Override
    public void setMemory(final long address, final long length, final byte value)
    {
        UnsafeApi.setMemory(address, length, value);
    }

    @Override
    public void fullFence()
    {
        VarHandle.fullFence();
    }

    @Override
    public void fenceEverywhere()
    {
        VarHandle.fullFence();
        Membarrier.fence();
    }

    @Override
    public void storeStoreFence()
    {
        VarHandle.storeStoreFence();
    }

    @Override
    public void acquireFence()
    {
        VarHandle.acquireFence();
    }
}

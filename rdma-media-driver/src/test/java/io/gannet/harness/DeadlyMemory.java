package io.gannet.harness;

import io.gannet.os.Syscall;
import io.gannet.os.SyscallNumber;
import io.gannet.ring.NativeMemory;
import io.gannet.ring.RingMemory;

/**
 * Ring memory in which the process kills itself, with SIGKILL, before one chosen access: for death at each point of a
 * claim, by plan and not by luck.
 */
final class DeadlyMemory extends RingMemory
{
    private static final int SIGKILL = 9;
    private static final long UNARMED = Long.MAX_VALUE;

    private final RingMemory memory = NativeMemory.INSTANCE;
    private long left = UNARMED;

    /** The thread that calls dies before this access from now on, 0 being the next one. */
    void dieBefore(final long access)
    {
        left = access;
    }

    void disarm()
    {
        left = UNARMED;
    }

    private void step()
    {
        if (left-- == 0)
        {
            Syscall.call(SyscallNumber.KILL, ProcessHandle.current().pid(), SIGKILL, 0);
        }
    }

    @Override
    public int getInt(final long address)
    {
        step();
        return memory.getInt(address);
    }

    @Override
    public long getLong(final long address)
    {
        step();
        return memory.getLong(address);
    }

    @Override
    public void putInt(final long address, final int value)
    {
        step();
        memory.putInt(address, value);
    }

    @Override
    public void putLong(final long address, final long value)
    {
        step();
        memory.putLong(address, value);
    }

    @Override
    public int getIntAcquire(final long address)
    {
        step();
        return memory.getIntAcquire(address);
    }

    @Override
    public long getLongAcquire(final long address)
    {
        step();
        return memory.getLongAcquire(address);
    }

    @Override
    public int getIntOpaque(final long address)
    {
        step();
        return memory.getIntOpaque(address);
    }

    @Override
    public long getLongOpaque(final long address)
    {
        step();
        return memory.getLongOpaque(address);
    }

    @Override
    public long getLongVolatile(final long address)
    {
        step();
        return memory.getLongVolatile(address);
    }

    @Override
    public void putIntRelease(final long address, final int value)
    {
        step();
        memory.putIntRelease(address, value);
    }

    @Override
    public void putLongRelease(final long address, final long value)
    {
        step();
        memory.putLongRelease(address, value);
    }

    @Override
    public void putIntOpaque(final long address, final int value)
    {
        step();
        memory.putIntOpaque(address, value);
    }

    @Override
    public void putLongOpaque(final long address, final long value)
    {
        step();
        memory.putLongOpaque(address, value);
    }

    @Override
    public boolean compareAndSetLong(final long address, final long expected, final long value)
    {
        step();
        return memory.compareAndSetLong(address, expected, value);
    }

    @Override
    public long getAndAddLong(final long address, final long delta)
    {
        step();
        return memory.getAndAddLong(address, delta);
    }

    @Override
    public long getAndSetLong(final long address, final long value)
    {
        step();
        return memory.getAndSetLong(address, value);
    }

    @Override
    public int getAndAddInt(final long address, final int delta)
    {
        step();
        return memory.getAndAddInt(address, delta);
    }

    @Override
    public void copy(final long source, final long target, final long length)
    {
        step();
        memory.copy(source, target, length);
    }

    @Override
    public void copyFrom(final byte[] source, final long offset, final long target, final long length)
    {
        step();
        memory.copyFrom(source, offset, target, length);
    }

    @Override
    public void setMemory(final long address, final long length, final byte value)
    {
        step();
        memory.setMemory(address, length, value);
    }

    @Override
    public void fullFence()
    {
        step();
        memory.fullFence();
    }

    @Override
    public void fenceEverywhere()
    {
        step();
        memory.fenceEverywhere();
    }

    @Override
    public void storeStoreFence()
    {
        step();
        memory.storeStoreFence();
    }

    @Override
    public void acquireFence()
    {
        step();
        memory.acquireFence();
    }
}

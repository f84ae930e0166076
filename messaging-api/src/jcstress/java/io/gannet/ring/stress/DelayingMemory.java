package io.gannet.ring.stress;

import io.gannet.ring.NativeMemory;
import io.gannet.ring.RingMemory;
import java.util.concurrent.ThreadLocalRandom;
import org.agrona.UnsafeApi;

/**
 * One actor's access to ring memory with some order taken away. What a processor or compiler may do to weakly ordered
 * accesses is done here by hand, within what the memory model allows, so that it shows on any machine:
 * <ul>
 * <li>Stores wait in a buffer until the actor's next release store, atomic update or fence. A weakened release store
 * overtakes them.</li>
 * <li>Before a weakened acquire load, the words that may be loaded after it are loaded; plain loads that follow get
 * these values.</li>
 * <li>With fences weakened, release stores wait in the buffer as well, in order, as in a processor's store buffer.</li>
 * </ul>
 * Used by one thread; {@link #finish()} ends its turn.
 */
final class DelayingMemory extends RingMemory
{
    private static final int SPINS = 1000;
    private static final RingMemory NATIVE = NativeMemory.INSTANCE;

    private final Weakened weakened;
    private final long[] addresses = new long[1024];
    private final long[] values = new long[addresses.length];
    private final int[] sizes = new int[addresses.length];
    private int pending;
    private long speculatedAddress;
    private final int[] speculated;
    private boolean speculating;

    /**
     * What has lost its order.
     *
     * @param storeAddress   of the release store or atomic update, 0 for none.
     * @param loadAddress    of the acquire load, 0 for none.
     * @param fences         whether full fences do nothing.
     * @param speculateFrom  first address loaded too early at a weakened load.
     * @param speculateBytes how much is loaded too early.
     */
    record Weakened(long storeAddress, long loadAddress, boolean fences, long speculateFrom, int speculateBytes)
    {
        static Weakened store(final long address)
        {
            return new Weakened(address, 0, false, 0, 0);
        }

        static Weakened load(final long address, final long speculateFrom, final int speculateBytes)
        {
            return new Weakened(0, address, false, speculateFrom, speculateBytes);
        }

        static Weakened fence()
        {
            return new Weakened(0, 0, true, 0, 0);
        }
    }

    DelayingMemory(final Weakened weakened)
    {
        this.weakened = weakened;
        speculated = new int[weakened.speculateBytes() / 4];
    }

    /** Lets out what still waits. */
    void finish()
    {
        drainLate();
        speculating = false;
    }

    @Override
    public int getInt(final long address)
    {
        final int at = find(address, 4);
        if (at >= 0)
        {
            return (int) values[at];
        }
        return isSpeculated(address, 4) ?
            speculated[(int) (address - speculatedAddress) / 4] : NATIVE.getInt(address);
    }

    @Override
    public long getLong(final long address)
    {
        final int at = find(address, 8);
        if (at >= 0)
        {
            return values[at];
        }
        if (isSpeculated(address, 8))
        {
            final int index = (int) (address - speculatedAddress) / 4;
            return (speculated[index] & 0xFFFF_FFFFL) | (long) speculated[index + 1] << 32;
        }
        return NATIVE.getLong(address);
    }

    @Override
    public void putInt(final long address, final int value)
    {
        delay(address, value, 4);
    }

    @Override
    public void putLong(final long address, final long value)
    {
        delay(address, value, 8);
    }

    @Override
    public int getIntAcquire(final long address)
    {
        if (isSpeculated(address, 4))
        {
            speculating = false;
            return speculated[(int) (address - speculatedAddress) / 4];
        }
        beforeAcquire(address);
        final int at = find(address, 4);
        return at >= 0 ? (int) values[at] : NATIVE.getIntAcquire(address);
    }

    @Override
    public long getLongAcquire(final long address)
    {
        beforeAcquire(address);
        final int at = find(address, 8);
        return at >= 0 ? values[at] : NATIVE.getLongAcquire(address);
    }

    @Override
    public int getIntOpaque(final long address)
    {
        final int at = find(address, 4);
        return at >= 0 ? (int) values[at] : NATIVE.getIntOpaque(address);
    }

    @Override
    public long getLongOpaque(final long address)
    {
        final int at = find(address, 8);
        return at >= 0 ? values[at] : NATIVE.getLongOpaque(address);
    }

    @Override
    public long getLongVolatile(final long address)
    {
        return getLongAcquire(address);
    }

    @Override
    public void putIntRelease(final long address, final int value)
    {
        if (isDelayed(address))
        {
            delay(address, value, 4);
        }
        else
        {
            NATIVE.putIntRelease(address, value);
            drainLate();
        }
    }

    @Override
    public void putLongRelease(final long address, final long value)
    {
        if (isDelayed(address))
        {
            delay(address, value, 8);
        }
        else
        {
            NATIVE.putLongRelease(address, value);
            drainLate();
        }
    }

    @Override
    public void putIntOpaque(final long address, final int value)
    {
        if (weakened.fences())
        {
            delay(address, value, 4);
        }
        else
        {
            NATIVE.putIntOpaque(address, value);
        }
    }

    @Override
    public void putLongOpaque(final long address, final long value)
    {
        if (weakened.fences())
        {
            delay(address, value, 8);
        }
        else
        {
            NATIVE.putLongOpaque(address, value);
        }
    }

    /** Whether a release store waits: any, in order, without fences; one that an unordered one may overtake. */
    private boolean isDelayed(final long address)
    {
        if (weakened.fences())
        {
            return true;
        }
        if (address == weakened.storeAddress())
        {
            return false;
        }
        drain();
        return weakened.storeAddress() != 0;
    }

    @Override
    public boolean compareAndSetLong(final long address, final long expected, final long value)
    {
        beforeUpdate(address);
        final boolean done = NATIVE.compareAndSetLong(address, expected, value);
        drainLate();
        return done;
    }

    @Override
    public long getAndAddLong(final long address, final long delta)
    {
        beforeUpdate(address);
        final long old = NATIVE.getAndAddLong(address, delta);
        drainLate();
        return old;
    }

    @Override
    public long getAndSetLong(final long address, final long value)
    {
        beforeUpdate(address);
        final long old = NATIVE.getAndSetLong(address, value);
        drainLate();
        return old;
    }

    @Override
    public int getAndAddInt(final long address, final int delta)
    {
        beforeUpdate(address);
        final int old = NATIVE.getAndAddInt(address, delta);
        drainLate();
        return old;
    }

    @Override
    public void copy(final long source, final long target, final long length)
    {
        long i = 0;
        for (; i + 4 <= length; i += 4)
        {
            delay(target + i, getInt(source + i), 4);
        }
        for (; i < length; i++)
        {
            delay(target + i, UnsafeApi.getByte(source + i), 1);
        }
    }

    @Override
    public void copyFrom(final byte[] source, final long offset, final long target, final long length)
    {
        throw new UnsupportedOperationException("the stress tests copy from direct buffers");
    }

    @Override
    public void setMemory(final long address, final long length, final byte value)
    {
        for (long i = 0; i < length; i += 4)
        {
            delay(address + i, value * 0x0101_0101, 4);
        }
    }

    @Override
    public void fullFence()
    {
        if (!weakened.fences())
        {
            drain();
            speculating = false;
            NATIVE.fullFence();
        }
    }

    @Override
    public void fenceEverywhere()
    {
        throw new UnsupportedOperationException("a store buffer made by hand can't be drained by another thread");
    }

    @Override
    public void storeStoreFence()
    {
        drain();
        NATIVE.storeStoreFence();
    }

    @Override
    public void acquireFence()
    {
        if (!weakened.fences())
        {
            speculating = false;
            NATIVE.acquireFence();
        }
    }

    private void beforeAcquire(final long address)
    {
        speculating = address == weakened.loadAddress();
        if (speculating)
        {
            speculatedAddress = weakened.speculateFrom();
            for (int i = 0; i < speculated.length; i++)
            {
                speculated[i] = NATIVE.getIntOpaque(speculatedAddress + 4L * i);
            }
            pause();
        }
    }

    private void beforeUpdate(final long address)
    {
        speculating = false;
        if (address != weakened.storeAddress())
        {
            drain();
        }
    }

    private boolean isSpeculated(final long address, final int size)
    {
        return speculating && address >= speculatedAddress &&
            address + size <= speculatedAddress + 4L * speculated.length;
    }

    private void delay(final long address, final long value, final int size)
    {
        if (pending == addresses.length)
        {
            drain();
        }
        addresses[pending] = address;
        values[pending] = value;
        sizes[pending++] = size;
    }

    /** Index of the waiting store of exactly this word, -1 for none. A partial overlap lets everything out. */
    private int find(final long address, final int size)
    {
        for (int i = pending - 1; i >= 0; i--)
        {
            if (addresses[i] == address && sizes[i] == size)
            {
                return i;
            }
            if (addresses[i] < address + size && address < addresses[i] + sizes[i])
            {
                drain();
                return -1;
            }
        }
        return -1;
    }

    private void drainLate()
    {
        if (pending > 0)
        {
            pause();
            drain();
        }
    }

    private void drain()
    {
        for (int i = 0; i < pending; i++)
        {
            switch (sizes[i])
            {
                case 1 -> UnsafeApi.putByte(addresses[i], (byte) values[i]);
                case 4 -> NATIVE.putIntRelease(addresses[i], (int) values[i]);
                default -> NATIVE.putLongRelease(addresses[i], values[i]);
            }
        }
        pending = 0;
    }

    private static void pause()
    {
        for (int i = ThreadLocalRandom.current().nextInt(SPINS); i > 0; i--)
        {
            Thread.onSpinWait();
        }
    }
}

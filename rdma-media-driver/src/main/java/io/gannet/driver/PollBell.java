package io.gannet.driver;

import io.gannet.os.DescriptorSet;
import io.gannet.os.EventCounter;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A bell whose sleeper waits in poll(2): for rings of this process by an eventfd, and for whatever else makes a
 * descriptor readable, such as packets, or the pipe by which publishers wake a driver.
 */
final class PollBell implements Sleeper, AutoCloseable
{
    private final EventCounter counter = new EventCounter();
    private final AtomicBoolean armed = new AtomicBoolean();
    private final Waking waking;
    private final DescriptorSet descriptors;

    /** What else can wake the sleeper. All on its thread. */
    interface Waking
    {
        /** From now on others ring, or make a descriptor readable. */
        void arm();

        /** Undoes that. */
        void disarm();

        /** Nanoseconds for which nobody is needed unless somebody rings; at least 0. */
        long waitLimit();

        /** Takes out what made the descriptors readable. */
        void drain();
    }

    /**
     * @param waking what else can wake the sleeper.
     * @param others descriptors that it makes readable; negative ones are left out.
     */
    PollBell(final Waking waking, final int... others)
    {
        this.waking = waking;
        final int[] all = new int[others.length + 1];
        int count = 0;
        all[count++] = counter.descriptor();
        for (final int other : others)
        {
            if (other >= 0)
            {
                all[count++] = other;
            }
        }
        descriptors = new DescriptorSet(java.util.Arrays.copyOf(all, count));
    }

    @Override
    public void arm()
    {
        armed.set(true);
        // Before every look for work that follows, whose loads are no volatile ones. Pairs with the fence in ring().
        java.lang.invoke.VarHandle.fullFence();
        waking.arm();
    }

    @Override
    public void disarm()
    {
        armed.set(false);
        waking.disarm();
    }

    @Override
    public void sleep(final long timeoutNanos)
    {
        final long limit = Math.min(timeoutNanos, waking.waitLimit());
        if (limit > 0 && descriptors.await(limit))
        {
            if (descriptors.isReady(0))
            {
                counter.drain();
            }
            waking.drain();
        }
        disarm();
    }

    @Override
    public void ring()
    {
        // Between the caller's store of its work and the load of the flag. Pairs with the fence in arm().
        java.lang.invoke.VarHandle.fullFence();
        if (armed.getOpaque() && armed.compareAndSet(true, false))
        {
            counter.signal();
        }
    }

    @Override
    public void close()
    {
        descriptors.close();
        counter.close();
    }
}

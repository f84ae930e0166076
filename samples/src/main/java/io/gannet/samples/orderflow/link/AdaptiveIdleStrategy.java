package io.gannet.samples.orderflow.link;

import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

/**
 * For more busy threads than processors. A thread that finds nothing yields, as long as little comes. Where it took
 * much without a pause it sleeps instead, for the kernel's shortest time, some 60 us: threads that yield still get
 * their full share of the processors, and the one that all wait for gets no more than they. What comes meanwhile is
 * taken at once. For one thread; does not allocate.
 */
class AdaptiveIdleStrategy implements IdleStrategy
{
    /** Messages between two pauses from which on it sleeps: more than a burst of orders, less than 60 us of a flood. */
    static final int MUCH = 32;

    private int taken;

    @Override
    public final void idle(final int workCount)
    {
        if (workCount > 0)
        {
            taken += workCount;
        }
        else
        {
            idle();
        }
    }

    @Override
    public final void idle()
    {
        final boolean much = taken >= MUCH;
        taken = 0;
        if (much)
        {
            sleep();
        }
        else
        {
            yieldProcessor();
        }
    }

    @Override
    public final void reset()
    {
        // What was taken before counts until the next pause.
    }

    void sleep()
    {
        LockSupport.parkNanos(1);
    }

    void yieldProcessor()
    {
        YieldingIdleStrategy.INSTANCE.idle();
    }
}

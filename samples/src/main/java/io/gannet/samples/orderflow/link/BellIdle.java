package io.gannet.samples.orderflow.link;

import io.gannet.MessageWaiter;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.IdleStrategy;

/**
 * Lets others run for a while, then sleeps until a stream has a message, at most 10 us, and twice as long each time,
 * up to 1 ms: for duties that no message tells of, such as a stream with room again, and where who woke it does
 * not leave it the processor. For the one thread that reads the streams.
 */
final class BellIdle implements IdleStrategy
{
    private static final long SHORTEST_NANOS = TimeUnit.MICROSECONDS.toNanos(10);
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final MessageWaiter waiter;
    private final int yields;
    private int idle;
    private long sleep = SHORTEST_NANOS;

    BellIdle(final MessageWaiter waiter, final int yields)
    {
        this.waiter = waiter;
        this.yields = yields;
    }

    @Override
    public void idle(final int workCount)
    {
        if (workCount > 0)
        {
            reset();
        }
        else
        {
            idle();
        }
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // threads that wait for each other share few processors
    public void idle()
    {
        if (idle < yields)
        {
            idle++;
            Thread.yield();
        }
        else if (waiter.await(sleep, TimeUnit.NANOSECONDS))
        {
            // If there is no room for what has come, others must run until there is.
            reset();
        }
        else
        {
            sleep = Math.min(2 * sleep, LONGEST_NANOS);
        }
    }

    @Override
    public void reset()
    {
        idle = 0;
        sleep = SHORTEST_NANOS;
    }

    @Override
    public String toString()
    {
        return "bell, " + yields + " yields before";
    }
}

package io.gannet.samples.orderflow.link;

import io.gannet.MessageWaiter;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.IdleStrategy;

/**
 * Lets others run for a while, then sleeps until a stream has a message, or a millisecond is over: for duties that no
 * message tells of, such as a stream with room again. For the one thread that reads the streams.
 */
final class BellIdle implements IdleStrategy
{
    private static final long LONGEST_MILLIS = 1;

    private final MessageWaiter waiter;
    private final int yields;
    private int idle;

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
            idle = 0;
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
        else if (waiter.await(LONGEST_MILLIS, TimeUnit.MILLISECONDS))
        {
            // If there is no room for what has come, others must run until there is.
            idle = 0;
        }
    }

    @Override
    public void reset()
    {
        idle = 0;
    }

    @Override
    public String toString()
    {
        return "bell, " + yields + " yields before";
    }
}

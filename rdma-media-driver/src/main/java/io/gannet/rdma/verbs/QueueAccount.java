package io.gannet.rdma.verbs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The slots of one send queue, counted from what was posted and what polled completions have confirmed, never from what
 * the device takes: some take more than their depth, and some free slots before anything was polled. One thread posts,
 * one polls.
 *
 * <p>Completions come in the order of requests, so the queue of the signaled ones' numbers tells what each confirms,
 * whatever the caller's {@code wr_id} means.
 */
final class QueueAccount
{
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);

    private final int depth;
    private final long[] signaled;
    private final int mask;
    private long posted;
    private long added;
    private long tail;
    /** Number of the last request that a polled completion covers. */
    private final PolledCount reclaimed = new PolledCount();

    /**
     * @param depth requests in the queue at once.
     * @param batch requests that may be added before they are posted.
     */
    QueueAccount(final int depth, final int batch)
    {
        this.depth = depth;
        // A power of two above all numbers that can wait.
        signaled = new long[Integer.highestOneBit(depth + batch) * 2];
        mask = signaled.length - 1;
    }

    /** Notes a request of the batch. Poster. */
    void add(final boolean isSignaled)
    {
        added++;
        if (isSignaled)
        {
            ELEMENT.setRelease(signaled, (int) tail & mask, added);      // pairs with the acquire in confirm
            tail++;
        }
    }

    /** {@return slots free now} Poster. */
    int free()
    {
        return depth - (int) (posted - reclaimed.get());
    }

    /** Ends a batch: its first requests were taken, the rest was dropped. Poster. */
    void post(final int taken)
    {
        posted += taken;
        while (added > posted && tail > 0 && signaled[(int) (tail - 1) & mask] > posted)
        {
            tail--;
        }
        added = posted;
    }

    /** A successful completion was polled. Poller. */
    void confirm()
    {
        // The completion itself tells that the number was stored before.
        final long number = (long) ELEMENT.getAcquire(signaled, (int) reclaimed.nextCompletion() & mask);
        reclaimed.set(number);
    }
}

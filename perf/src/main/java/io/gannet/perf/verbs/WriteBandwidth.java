package io.gannet.perf.verbs;

import io.gannet.rdma.QueuePair;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.WorkCompletions;
import java.util.concurrent.TimeUnit;

/**
 * Writes as fast as the queues take them, round robin over the queue pairs: {@code ib_write_bw}.
 */
final class WriteBandwidth
{
    private static final int POLL = 64;

    private final VerbsPair pair;
    private final int length;
    private final int signalEvery;
    private final boolean inline;
    private final boolean oneThread;
    private final WorkCompletions completions = new WorkCompletions(POLL);
    private final int[] outstanding;
    private final int[] sinceSignal;
    private volatile boolean running = true;

    /**
     * What came out.
     *
     * @param writes         done.
     * @param nanos          taken.
     * @param processorNanos of the threads of both ends.
     */
    record Result(long writes, long nanos, long processorNanos)
    {
    }

    WriteBandwidth(
        final VerbsPair pair, final int length, final int signalEvery, final boolean inline, final boolean oneThread)
    {
        this.pair = pair;
        this.length = length;
        this.inline = inline && length <= pair.a().queuePairs.getFirst().maxInline();
        this.oneThread = oneThread;
        this.signalEvery = Math.min(signalEvery, pair.a().queuePairs.getFirst().sendDepth() / 2);
        outstanding = new int[pair.a().queuePairs.size()];
        sinceSignal = new int[outstanding.length];
    }

    Result run(final long nanos) throws InterruptedException
    {
        running = true;
        final ThreadTimes times = new ThreadTimes();
        final long[] other = new long[1];
        final Thread peer = new Thread(() -> other[0] = times.measure(this::serve), "verbs-b");
        if (!oneThread)
        {
            peer.start();
        }
        final long[] writes = new long[1];
        final long start = System.nanoTime();
        final long own = times.measure(() -> writes[0] = drive(start + nanos));
        final long taken = System.nanoTime() - start;
        running = false;
        if (!oneThread)
        {
            peer.join(TimeUnit.SECONDS.toMillis(10));
        }
        return new Result(writes[0], taken, own + other[0]);
    }

    private void serve()
    {
        while (running)
        {
            if (pair.b().device.doWork() == 0)
            {
                Idle.pause();
            }
        }
    }

    private long drive(final long end)
    {
        long done = 0;
        boolean open = true;
        while (open || !isEmpty())
        {
            if (open)
            {
                post();
                open = System.nanoTime() - end < 0;
            }
            int work = pair.a().device.doWork();
            if (oneThread)
            {
                work += pair.b().device.doWork();
            }
            final int count = pair.a().sends.poll(completions);
            for (int i = 0; i < count; i++)
            {
                if (completions.status(i) != WcStatus.SUCCESS)
                {
                    throw new IllegalStateException("a write ended with status " + completions.status(i));
                }
                outstanding[(int) completions.wrId(i)] -= signalEvery;
                done += signalEvery;
            }
            if (work + count == 0)
            {
                Idle.pause();
            }
        }
        return done;
    }

    private boolean isEmpty()
    {
        int sum = 0;
        for (int i = 0; i < outstanding.length; i++)
        {
            sum += outstanding[i] - sinceSignal[i];
        }
        return sum == 0;
    }

    private void post()
    {
        for (int i = 0; i < outstanding.length; i++)
        {
            final QueuePair queuePair = pair.a().queuePairs.get(i);
            int added = 0;
            while (outstanding[i] < queuePair.sendDepth() && added < POLL)
            {
                final boolean signaled = ++sinceSignal[i] == signalEvery;
                sinceSignal[i] = signaled ? 0 : sinceSignal[i];
                queuePair.addWrite(i, (signaled ? SendFlags.SIGNALED : SendFlags.NONE) |
                    (inline ? SendFlags.INLINE : SendFlags.NONE), pair.a().region.address(), length,
                    pair.a().region.lkey(), pair.b().region.address(), pair.b().region.rkey());
                outstanding[i]++;
                added++;
            }
            if (added != 0 && queuePair.ringDoorbell() != 0)
            {
                throw new IllegalStateException("the doorbell was refused");
            }
        }
    }
}

package io.gannet.perf.verbs;

import io.gannet.rdma.QueuePair;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.WorkCompletions;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * One write outstanding, answered by another; half of the round trip. A plain write is seen in memory, as
 * {@code ib_write_lat} does it; one with an immediate as the completion of a receive, which is posted again at once.
 */
public final class WriteLatency
{
    private static final int SIGNAL_EVERY = 16;
    private static final int DIGITS = 3;

    private final VerbsPair pair;
    private final int length;
    private final boolean immediate;
    private final boolean inline;
    private volatile boolean running = true;

    /**
     * @param length    bytes of a write.
     * @param immediate whether writes carry an immediate.
     * @param inline    whether they go inline, if the device can.
     */
    public WriteLatency(final VerbsPair pair, final int length, final boolean immediate, final boolean inline)
    {
        this.pair = pair;
        this.length = length;
        this.immediate = immediate;
        this.inline = inline && length <= pair.a().queuePairs.getFirst().maxInline();
    }

    /** Half round trips in nanoseconds. */
    public Histogram run(final long nanos) throws InterruptedException
    {
        final Histogram halves = new Histogram(TimeUnit.SECONDS.toNanos(10), DIGITS);
        running = true;
        pair.a().view.setMemory(0, 2 * length, (byte) 0);
        pair.b().view.setMemory(0, 2 * length, (byte) 0);
        if (immediate)
        {
            pair.a().fillReceives();
            pair.b().fillReceives();
        }
        final Thread peer = new Thread(this::answer, "verbs-b");
        peer.start();
        final Turn turn = new Turn(pair.a(), pair.b());
        byte number = 0;
        // The clock is read once per trip, as in C: where it is no register, a reading takes as long as a post.
        long start = System.nanoTime();
        final long end = start + nanos;
        while (start - end < 0)
        {
            turn.write(++number);
            turn.await(number);
            final long after = System.nanoTime();
            halves.recordValue((after - start) / 2);
            start = after;
        }
        running = false;
        peer.join(TimeUnit.SECONDS.toMillis(10));
        return halves;
    }

    private void answer()
    {
        final Turn turn = new Turn(pair.b(), pair.a());
        byte number = 0;
        while (turn.await(++number))
        {
            turn.write(number);
        }
    }

    /** Source bytes are in the first {@code length} bytes of the memory, the peer writes the second. */
    private final class Turn
    {
        private final VerbsPair.End own;
        private final VerbsPair.End other;
        private final QueuePair queuePair;
        private final WorkCompletions completions = new WorkCompletions(SIGNAL_EVERY);
        private final WorkCompletions received = new WorkCompletions(1);
        private int since;

        Turn(final VerbsPair.End own, final VerbsPair.End other)
        {
            this.own = own;
            this.other = other;
            queuePair = own.queuePairs.getFirst();
        }

        void write(final byte number)
        {
            own.view.putByte(length - 1, number);
            since = since + 1 == SIGNAL_EVERY ? 0 : since + 1;
            final int flags = (since == 0 ? SendFlags.SIGNALED : SendFlags.NONE) |
                (inline ? SendFlags.INLINE : SendFlags.NONE);
            if (immediate)
            {
                queuePair.addWriteWithImm(0, flags, own.region.address(), length, own.region.lkey(),
                    other.region.address() + length, other.region.rkey(), number);
            }
            else
            {
                queuePair.addWrite(0, flags, own.region.address(), length, own.region.lkey(),
                    other.region.address() + length, other.region.rkey());
            }
            if (queuePair.ringDoorbell() != 0)
            {
                throw new IllegalStateException("the doorbell was refused");
            }
        }

        /** False if the run is over. */
        boolean await(final byte number)
        {
            own.device.doWork();
            own.sends.poll(completions);
            while (!(immediate ? receive(number) : own.view.getByteVolatile(2 * length - 1) == number))
            {
                if (own.device.doWork() == 0)
                {
                    if (!running)
                    {
                        return false;
                    }
                    Idle.pause();
                }
            }
            return true;
        }

        private boolean receive(final byte number)
        {
            final int count = own.receives.poll(received);
            if (count == 0)
            {
                return false;
            }
            if (count < 0 || received.status(0) != WcStatus.SUCCESS || received.imm(0) != number)
            {
                throw new IllegalStateException("a receive ended with status " +
                    (count < 0 ? count : received.status(0)));
            }
            queuePair.addReceive(0, 0, 0, 0);
            return queuePair.postReceives() == 0;
        }
    }
}

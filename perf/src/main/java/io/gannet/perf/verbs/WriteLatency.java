package io.gannet.perf.verbs;

import io.gannet.rdma.SendFlags;
import io.gannet.rdma.WorkCompletions;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * One write outstanding, seen in memory and answered by another: {@code ib_write_lat}; half of the round trip.
 */
final class WriteLatency
{
    private static final int SIGNAL_EVERY = 16;
    private static final int DIGITS = 3;

    private final VerbsPair pair;
    private final int length;
    private final boolean inline;
    private volatile boolean running = true;

    WriteLatency(final VerbsPair pair, final int length, final boolean inline)
    {
        this.pair = pair;
        this.length = length;
        this.inline = inline && length <= pair.a().queuePairs.getFirst().maxInline();
    }

    /** Half round trips in nanoseconds. */
    Histogram run(final long nanos) throws InterruptedException
    {
        final Histogram halves = new Histogram(TimeUnit.SECONDS.toNanos(10), DIGITS);
        running = true;
        pair.a().view.setMemory(0, 2 * length, (byte) 0);
        pair.b().view.setMemory(0, 2 * length, (byte) 0);
        final Thread peer = new Thread(this::answer, "verbs-b");
        peer.start();
        final Turn turn = new Turn(pair.a(), pair.b());
        final long end = System.nanoTime() + nanos;
        byte number = 0;
        while (System.nanoTime() - end < 0)
        {
            final long start = System.nanoTime();
            turn.write(++number);
            turn.await(number);
            halves.recordValue((System.nanoTime() - start) / 2);
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
        private final WorkCompletions completions = new WorkCompletions(SIGNAL_EVERY);
        private int since;

        Turn(final VerbsPair.End own, final VerbsPair.End other)
        {
            this.own = own;
            this.other = other;
        }

        void write(final byte number)
        {
            own.view.putByte(length - 1, number);
            since = since + 1 == SIGNAL_EVERY ? 0 : since + 1;
            own.queuePairs.getFirst().addWrite(0, (since == 0 ? SendFlags.SIGNALED : SendFlags.NONE) |
                (inline ? SendFlags.INLINE : SendFlags.NONE), own.region.address(), length, own.region.lkey(),
                other.region.address() + length, other.region.rkey());
            if (own.queuePairs.getFirst().ringDoorbell() != 0)
            {
                throw new IllegalStateException("the doorbell was refused");
            }
        }

        /** False if the run is over. */
        boolean await(final byte number)
        {
            own.device.doWork();
            own.sends.poll(completions);
            while (own.view.getByteVolatile(2 * length - 1) != number)
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
    }
}

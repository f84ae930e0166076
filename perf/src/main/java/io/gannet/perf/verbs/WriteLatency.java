package io.gannet.perf.verbs;

import io.gannet.rdma.QueuePair;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.WorkCompletions;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.agrona.UnsafeApi;

/**
 * One write outstanding, answered by another; half of the round trip. A plain write is seen in memory, as
 * {@code ib_write_lat} does it; one with an immediate as the completion of a receive. The answer goes first: sends'
 * completions are polled, and receives posted again in chains as the engine does, while the next one is on its way.
 */
public final class WriteLatency
{
    /** Writes by completion, and receives by chain; less where a queue is not much deeper. */
    private static final int CHAIN = 16;
    /** Looks in vain before a yield where processors are scarce: a yield takes as long as a trip. */
    private static final int SPINS = 1000;
    /** At memory in one look, without anything else between them. */
    private static final int GLANCES = 16;
    private static final int DIGITS = 3;
    private static final long WARM_TRIPS = 100_000;
    private static final long WARM_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long WARM_RUN = TimeUnit.MILLISECONDS.toNanos(500);

    private final VerbsPair pair;
    private final int length;
    private final boolean immediate;
    private final Turn asking;
    private final Turn answering;
    /** Trips that wait to be counted, so that counting takes no time between trips. */
    private final long[] trips = new long[10_000];
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
        final int flags = inline && length <= pair.a().queuePairs.getFirst().maxInline() ?
            SendFlags.INLINE : SendFlags.NONE;
        asking = new Turn(pair.a(), pair.b(), flags);
        answering = new Turn(pair.b(), pair.a(), flags);
    }

    /** Runs until its code is compiled, by the number of trips; a slow machine has what it has after 30 s. */
    public void warmUp() throws InterruptedException
    {
        final long start = System.nanoTime();
        long trips = 0;
        while (trips < WARM_TRIPS && System.nanoTime() - start < WARM_NANOS)
        {
            trips += run(WARM_RUN).getTotalCount();
        }
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
        final long end = System.nanoTime() + nanos;
        byte number = 0;
        while (System.nanoTime() - end < 0)
        {
            final int count = ask(number, end);
            number += (byte) count;
            for (int i = 0; i < count; i++)
            {
                halves.recordValue(trips[i] / 2);
            }
        }
        running = false;
        peer.join(TimeUnit.SECONDS.toMillis(10));
        asking.postUsed();
        answering.postUsed();
        return halves;
    }

    /**
     * Makes as many trips as there is room for, until the end. How many is no field: the other thread would lose the
     * line with its neighbours at each trip.
     */
    private int ask(final byte last, final long end)
    {
        int count = 0;
        byte number = last;
        // The clock is read once per trip, as in C: where it is no register, a reading takes as long as a post.
        long start = System.nanoTime();
        while (start - end < 0 && count < trips.length)
        {
            asking.write(++number);
            asking.tidy();
            asking.await(number);
            final long after = System.nanoTime();
            trips[count++] = after - start;
            start = after;
        }
        return count;
    }

    private void answer()
    {
        byte number = 0;
        while (answering.await(++number))
        {
            answering.write(number);
            answering.tidy();
        }
    }

    /** Source bytes are in the first {@code length} bytes of the memory, the peer writes the second. */
    private final class Turn
    {
        private final VerbsPair.End own;
        private final QueuePair queuePair;
        private final int flags;
        private final boolean withImm;
        private final long local;
        /** Last byte of what is written, and of what the peer writes. */
        private final long outbound;
        private final long inbound;
        private final int lkey;
        private final long remote;
        private final int rkey;
        private final WorkCompletions completions = new WorkCompletions(CHAIN);
        private final WorkCompletions received = new WorkCompletions(1);
        private final int signalEvery;
        private final int chain;
        private int since;
        private int unconfirmed;
        private int used;

        Turn(final VerbsPair.End own, final VerbsPair.End other, final int flags)
        {
            this.own = own;
            this.flags = flags;
            queuePair = own.queuePairs.getFirst();
            signalEvery = Math.clamp(queuePair.sendDepth() / 4, 1, CHAIN);
            chain = Math.clamp(queuePair.receiveDepth() / 4, 1, CHAIN);
            local = own.region.address();
            outbound = local + length - 1;
            inbound = outbound + length;
            withImm = immediate;
            lkey = own.region.lkey();
            remote = other.region.address() + length;
            rkey = other.region.rkey();
        }

        void write(final byte number)
        {
            UnsafeApi.putByte(outbound, number);
            int all = flags;
            if (++since == signalEvery)
            {
                since = 0;
                unconfirmed++;
                all |= SendFlags.SIGNALED;
            }
            if (withImm)
            {
                queuePair.addWriteWithImm(0, all, local, length, lkey, remote, rkey, number);
            }
            else
            {
                queuePair.addWrite(0, all, local, length, lkey, remote, rkey);
            }
            if (queuePair.ringDoorbell() != 0)
            {
                throw new IllegalStateException("the doorbell was refused");
            }
        }

        /** What can be done while the peer has its turn. */
        void tidy()
        {
            own.device.doWork();
            if (unconfirmed > 0)
            {
                confirm();
            }
            if (used >= chain)
            {
                postUsed();
            }
        }

        private void confirm()
        {
            final int count = own.sends.poll(completions);
            if (count < 0)
            {
                throw new IllegalStateException("a poll of the sends' completions was refused");
            }
            for (int i = 0; i < count; i++)
            {
                if (completions.status(i) != WcStatus.SUCCESS)
                {
                    throw new IllegalStateException("a write ended with status " + completions.status(i));
                }
            }
            // What a run before has left may come too.
            unconfirmed = Math.max(0, unconfirmed - count);
        }

        /** Posts the receives again that writes have taken. */
        private void postUsed()
        {
            for (int i = 0; i < used; i++)
            {
                queuePair.addReceive(0, 0, 0, 0);
            }
            if (used > 0 && queuePair.postReceives() != 0)
            {
                throw new IllegalStateException("receives were refused");
            }
            used = 0;
        }

        /** False if the run is over. */
        boolean await(final byte number)
        {
            int looks = 0;
            while (!hasArrived(number))
            {
                if (own.device.doWork() == 0)
                {
                    if (!running)
                    {
                        return false;
                    }
                    if (++looks == SPINS)
                    {
                        looks = 0;
                        Idle.yieldIfScarce();
                    }
                }
            }
            return true;
        }

        private boolean hasArrived(final byte number)
        {
            return withImm ? receive(number) : isWritten(number);
        }

        private boolean isWritten(final byte number)
        {
            for (int i = 0; i < GLANCES; i++)
            {
                if (UnsafeApi.getByteVolatile(null, inbound) == number)
                {
                    return true;
                }
            }
            return false;
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
            used++;
            return true;
        }
    }
}

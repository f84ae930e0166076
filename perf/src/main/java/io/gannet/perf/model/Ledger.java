package io.gannet.perf.model;

import io.gannet.rdma.SendFlags;
import io.gannet.rdma.SendLedger;

/**
 * Counts the slots of the send queue and decides what is signaled: the engine's ledger and policy, or a fixed interval.
 */
abstract class Ledger
{
    /** As {@code ReplicationSettings} has it by default. */
    static final long TAIL_DELAY = 40_000;

    static Ledger of(final Workload workload)
    {
        return workload.interval() == Workload.ADAPTIVE ? new OfTheEngine(workload.depth()) :
            new Fixed(workload.depth(), workload.interval());
    }

    abstract int free();

    /** Counts a request; whether it is signaled. */
    abstract boolean post(double now);

    /** Counts a signaled request of the tail rule. */
    abstract void postTail(double now);

    abstract long sequence();

    abstract void complete(long sequence, double now);

    abstract boolean isTailDue(double now);

    abstract int outstanding();

    /** What ships. */
    private static final class OfTheEngine extends Ledger
    {
        private final SendLedger ledger;

        OfTheEngine(final int depth)
        {
            ledger = new SendLedger(depth, TAIL_DELAY);
        }

        @Override
        int free()
        {
            return ledger.free();
        }

        @Override
        boolean post(final double now)
        {
            return ledger.post((long) now) == SendFlags.SIGNALED;
        }

        @Override
        void postTail(final double now)
        {
            ledger.postSignaled((long) now);
        }

        @Override
        long sequence()
        {
            return ledger.posted();
        }

        @Override
        void complete(final long sequence, final double now)
        {
            if (!ledger.complete((int) sequence, (long) now))
            {
                throw new IllegalStateException("the engine's ledger does not know request " + sequence);
            }
        }

        @Override
        boolean isTailDue(final double now)
        {
            return ledger.isTailDue((long) now);
        }

        @Override
        int outstanding()
        {
            return ledger.outstanding();
        }
    }

    /** Every n-th, whatever the queue's depth: what the policy is compared with. */
    private static final class Fixed extends Ledger
    {
        private final int depth;
        private final int interval;
        private long posted;
        private long reclaimed;
        private long signaled;
        private double lastPost;

        Fixed(final int depth, final int interval)
        {
            this.depth = depth;
            this.interval = interval;
        }

        @Override
        int free()
        {
            return depth - 1 - outstanding();
        }

        @Override
        boolean post(final double now)
        {
            posted++;
            lastPost = now;
            if (posted - signaled >= interval)
            {
                signaled = posted;
                return true;
            }
            return false;
        }

        @Override
        void postTail(final double now)
        {
            posted++;
            lastPost = now;
            signaled = posted;
        }

        @Override
        long sequence()
        {
            return posted;
        }

        @Override
        void complete(final long sequence, final double now)
        {
            reclaimed = sequence;
        }

        @Override
        boolean isTailDue(final double now)
        {
            return signaled != posted && now - lastPost >= TAIL_DELAY && free() > 0;
        }

        @Override
        int outstanding()
        {
            return (int) (posted - reclaimed);
        }
    }
}

package io.gannet.rdma.roce;

import io.gannet.rdma.Errno;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.roce.rc.CompletionRing;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The queue pairs of a NIC. Those that have something to do take turns; one that has had nothing for a few turns is
 * left out, until a packet comes for it or whoever uses it posts. Everything under the device's lock, but
 * {@link #tell}.
 */
final class QueuePairs
{
    private static final int MOST_PACKETS = 64;
    private static final int FIRST_NUMBER = 16;
    /** Turns without anything to do after which one is left out. */
    private static final int IDLE_TURNS = 16;

    private final RoceDevice device;
    private final List<RoceQueuePair> all = new ArrayList<>();
    private final List<RoceQueuePair> active = new ArrayList<>();
    /** Those that were posted to while they were left out, linked to each other. */
    private final AtomicReference<RoceQueuePair> told = new AtomicReference<>();
    private int turn;

    QueuePairs(final RoceDevice device)
    {
        this.device = device;
    }

    RoceQueuePair create(final ProtectionDomain domain, final QpAttributes attributes)
    {
        if (all.size() == RoceLimits.MAX_QUEUE_PAIRS)
        {
            throw new RdmaException(Errno.ENOMEM, "cannot make a queue pair: " + device.name() + " has its " +
                RoceLimits.MAX_QUEUE_PAIRS + " open");
        }
        int number = device.identifiers().qpn();
        while (number < FIRST_NUMBER || device.dispatcher().isTaken(number))
        {
            number = device.identifiers().qpn();
        }
        final RoceQueuePair queuePair =
            new RoceQueuePair(device, this, number, (RoceProtectionDomain) domain, attributes);
        all.add(queuePair);
        device.dispatcher().add(queuePair);
        return queuePair;
    }

    void remove(final RoceQueuePair queuePair)
    {
        all.remove(queuePair);
        takeTold();
        active.remove(queuePair);
        device.dispatcher().remove(queuePair);
    }

    static void check(final RoceDevice device, final ProtectionDomain domain, final QpAttributes attributes)
    {
        if (!((RoceProtectionDomain) domain).belongsTo(device))
        {
            throw new RdmaException(Errno.EINVAL, "cannot make a queue pair in another device's protection domain");
        }
        checkDepth("send", attributes.sendDepth());
        checkDepth("receive", attributes.receiveDepth());
        if (attributes.maxInline() < 0 || attributes.minRnrTimer() < 0 || attributes.minRnrTimer() > 31)
        {
            throw new RdmaException(Errno.EINVAL, "cannot make a queue pair: inline bytes must not be negative, is " +
                attributes.maxInline() + "; the RNR timer is a code of 0 to 31, is " + attributes.minRnrTimer());
        }
    }

    private static void checkDepth(final String which, final int depth)
    {
        if (depth < 1 || depth > RoceLimits.MAX_QUEUE_DEPTH)
        {
            throw new RdmaException(Errno.EINVAL, "cannot make a queue pair with a " + which + " queue of " + depth +
                ": 1 to " + RoceLimits.MAX_QUEUE_DEPTH);
        }
    }

    /** Something was posted to a queue pair. The posting thread's. */
    void tell(final RoceQueuePair queuePair)
    {
        // Between the release of what was posted and the look at the list; pairs with the one in leaveOut.
        VarHandle.fullFence();
        if (queuePair.enlist())
        {
            RoceQueuePair first = told.get();
            queuePair.next = first;
            while (!told.compareAndSet(first, queuePair))
            {
                first = told.get();
                queuePair.next = first;
            }
        }
    }

    /** A packet has come for a queue pair, or its state has changed. */
    void activate(final RoceQueuePair queuePair)
    {
        if (queuePair.enlist())
        {
            active.add(queuePair);
        }
        queuePair.idleTurns = 0;
    }

    private void takeTold()
    {
        RoceQueuePair queuePair = told.get() == null ? null : told.getAndSet(null);
        while (queuePair != null)
        {
            final RoceQueuePair next = queuePair.next;
            queuePair.next = null;
            queuePair.idleTurns = 0;
            active.add(queuePair);
            queuePair = next;
        }
    }

    /** Gives every queue pair that is active a turn, each time another one first. */
    int work(final long now)
    {
        takeTold();
        int work = 0;
        boolean idle = false;
        final int count = active.size();
        turn = turn + 1 >= count ? 0 : turn + 1;
        for (int i = 0; i < count; i++)
        {
            final RoceQueuePair queuePair = active.get(turn + i < count ? turn + i : turn + i - count);
            work += queuePair.protocol().work(now, MOST_PACKETS, true);
            queuePair.idleTurns = queuePair.protocol().isSettled() ? queuePair.idleTurns + 1 : 0;
            idle |= queuePair.idleTurns >= IDLE_TURNS;
        }
        if (idle)
        {
            leaveOut();
        }
        return work;
    }

    private void leaveOut()
    {
        for (int i = active.size() - 1; i >= 0; i--)
        {
            final RoceQueuePair queuePair = active.get(i);
            if (queuePair.idleTurns >= IDLE_TURNS)
            {
                queuePair.delist();
                // Before the look for what was posted; pairs with the one in tell.
                VarHandle.fullFence();
                if (!queuePair.protocol().isSettled() && queuePair.enlist())
                {
                    queuePair.idleTurns = 0;
                }
                else
                {
                    // If another thread has enlisted it meanwhile, that one has told of it.
                    final RoceQueuePair last = active.removeLast();
                    if (i < active.size())
                    {
                        active.set(i, last);
                    }
                }
            }
        }
    }

    /**
     * Makes packets of what was posted since the last turn.
     *
     * @return how many.
     */
    int post(final long now)
    {
        takeTold();
        int packets = 0;
        for (int i = 0; i < active.size(); i++)
        {
            packets += active.get(i).protocol().post(now, MOST_PACKETS);
        }
        return packets;
    }

    boolean areQuiet()
    {
        boolean quiet = told.get() == null;
        for (int i = 0; i < active.size() && quiet; i++)
        {
            quiet = active.get(i).protocol().isQuiet();
        }
        return quiet;
    }

    /** {@return queue pairs that take turns} For tests. */
    int activeCount()
    {
        return active.size();
    }

    /** In packets; 0 without queue pairs. */
    int smallestWindow()
    {
        int smallest = 0;
        for (int i = 0; i < all.size(); i++)
        {
            final int window = all.get(i).protocol().window();
            smallest = i == 0 ? window : Math.min(smallest, window);
        }
        return smallest;
    }

    /** A completion queue has lost something: all that use it end. Returns it. */
    RoceCompletionQueue onOverrun(final CompletionRing ring)
    {
        RoceCompletionQueue queue = null;
        for (int i = 0; i < all.size(); i++)
        {
            queue = queue == null ? all.get(i).queueOf(ring) : queue;
        }
        for (int i = 0; i < all.size(); i++)
        {
            if (all.get(i).uses(queue))
            {
                all.get(i).protocol().toError();
                activate(all.get(i));
            }
        }
        return queue;
    }
}

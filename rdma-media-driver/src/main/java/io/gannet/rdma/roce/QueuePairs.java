package io.gannet.rdma.roce;

import io.gannet.rdma.Errno;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.roce.rc.CompletionRing;
import io.gannet.rdma.roce.rc.RcQueuePair;
import io.gannet.rdma.roce.rc.TurnList;
import java.util.ArrayList;
import java.util.List;

/**
 * The queue pairs of a NIC. Those that have something to do take turns; one that has had nothing for a few turns is
 * left out, until a packet comes for it or whoever uses it posts; see {@link TurnList}. Everything under the device's
 * lock, but {@link #tell}.
 */
final class QueuePairs
{
    private static final int MOST_PACKETS = 64;
    private static final int FIRST_NUMBER = 16;

    private final RoceDevice device;
    private final List<RoceQueuePair> all = new ArrayList<>();
    private final TurnList active = new TurnList();
    private int turn;

    /** A queue pair that takes turns. */
    static final class Turn extends TurnList.Member
    {
        private final RcQueuePair protocol;

        Turn(final RcQueuePair protocol)
        {
            this.protocol = protocol;
        }

        @Override
        protected boolean isSettled()
        {
            return protocol.isSettled();
        }
    }

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
        active.remove(queuePair.turn());
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
        active.tell(queuePair.turn());
    }

    /** A packet has come for a queue pair, or its state has changed. */
    void activate(final RoceQueuePair queuePair)
    {
        active.add(queuePair.turn());
    }

    private RcQueuePair protocolAt(final int place)
    {
        return ((Turn) active.get(place)).protocol;
    }

    /** Gives every queue pair that is active a turn, each time another one first. */
    int work(final long now)
    {
        active.takeTold();
        int work = 0;
        final int count = active.size();
        turn = turn + 1 >= count ? 0 : turn + 1;
        for (int i = 0; i < count; i++)
        {
            work += protocolAt(turn + i < count ? turn + i : turn + i - count).work(now, MOST_PACKETS, true);
        }
        active.turned();
        return work;
    }

    /**
     * Makes packets of what was posted since the last turn.
     *
     * @return how many.
     */
    int post(final long now)
    {
        active.takeTold();
        int packets = 0;
        for (int i = 0; i < active.size(); i++)
        {
            packets += protocolAt(i).post(now, MOST_PACKETS);
        }
        return packets;
    }

    boolean areQuiet()
    {
        boolean quiet = !active.isTold();
        for (int i = 0; i < active.size() && quiet; i++)
        {
            quiet = protocolAt(i).isQuiet();
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

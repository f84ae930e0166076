package io.gannet.driver.stream;

import io.gannet.ring.RingMemory;

/**
 * What the receiving driver writes into a publication ring by RDMA: the first words of a remote subscriber's gating
 * entry, each placed whole.
 * <pre>
 *  0          8       16        24          32
 *  +----------+-------+---------+-----------+
 *  | position | 0     | credits | heartbeat |
 *  +----------+-------+---------+-----------+
 * </pre>
 * {@code position}: all below has been consumed; it gates the publisher. {@code credits}: receives that were posted in
 * all. {@code heartbeat}: raised at each write. A value that goes backwards, or ahead of what was sent, is ignored and
 * counted: an older write of the same peer, or a peer that lies. Not thread-safe: owned by the sender.
 */
final class FeedbackCell
{
    static final int POSITION = 0;
    static final int CREDITS = 16;
    static final int HEARTBEAT = 24;
    /** Bytes that the peer may write. */
    static final int LENGTH = 32;

    private final RingMemory memory;
    private final long address;
    private final int receiveDepth;
    private long consumed;
    private long credits;
    private long positionSeen;
    private long creditsSeen;
    private long heartbeat;
    private long heardAt;
    private long movedAt;
    private long ignored;

    /**
     * @param address      of the cell.
     * @param consumed     where the subscriber starts.
     * @param receiveDepth receives that the peer has posted at the start, and never more at a time.
     * @param now          nanoseconds.
     */
    FeedbackCell(
        final RingMemory memory, final long address, final long consumed, final int receiveDepth, final long now)
    {
        this.memory = memory;
        this.address = address;
        this.consumed = consumed;
        this.positionSeen = consumed;
        this.receiveDepth = receiveDepth;
        this.credits = receiveDepth;
        this.heardAt = now;
        this.movedAt = now;
    }

    /** Clears the words that do not gate, before a peer gets the right to write them. */
    static void reset(final RingMemory memory, final long address)
    {
        memory.putLongRelease(address + CREDITS, 0);
        memory.putLongRelease(address + HEARTBEAT, 0);
    }

    /**
     * Reads the cell.
     *
     * @param sent         position up to which the peer has been sent anything.
     * @param receivesUsed receives that requests posted so far use up at the peer.
     */
    void read(final long sent, final long receivesUsed, final long now)
    {
        // The NIC places each word by one release store, in any order.
        final long position = memory.getLongAcquire(address + POSITION);
        if (position != positionSeen)
        {
            positionSeen = position;
            if (position >= consumed && position <= sent)
            {
                consumed = position;
                movedAt = now;
            }
            else
            {
                ignored++;
            }
        }
        final long posted = memory.getLongAcquire(address + CREDITS);
        if (posted != creditsSeen)
        {
            creditsSeen = posted;
            if (posted >= credits && posted <= receivesUsed + receiveDepth)
            {
                credits = posted;
                movedAt = now;
            }
            else
            {
                ignored++;
            }
        }
        final long beat = memory.getLongAcquire(address + HEARTBEAT);
        if (beat != heartbeat)
        {
            heartbeat = beat;
            heardAt = now;
        }
    }

    /** {@return position up to which the subscriber has consumed} */
    long consumed()
    {
        return consumed;
    }

    /** {@return receives that the peer has posted in all} */
    long credits()
    {
        return credits;
    }

    /** Nobody has looked for so long. */
    void wasAway(final long nanos)
    {
        heardAt += nanos;
        movedAt += nanos;
    }

    /** {@return when the peer was heard last} */
    long heardAt()
    {
        return heardAt;
    }

    /** {@return when the peer last said that it had taken something} */
    long movedAt()
    {
        return movedAt;
    }

    /** {@return values ignored so far} */
    long ignored()
    {
        return ignored;
    }
}

package io.gannet.ring;

import io.gannet.ring.ControlledFrameHandler.Action;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads a ring from the position at which its gating entry was entered. Not thread-safe: one thread at a time, except
 * for {@link #close()} and {@link #isInPoll()}.
 * <p>
 * Up to where a poll reads:
 * <ul>
 * <li>edge: to the first length word that is 0, of an exclusive or concurrent ring;</li>
 * <li>streaming: to the gate, which {@link StreamingPolicy} lets the reader pass in large steps: the coarse position of
 *     an exclusive ring, a distance behind the tail of a concurrent one;</li>
 * <li>image: to the received position, whatever stands above it, since the bytes of a transfer land in any order.</li>
 * </ul>
 * A length is acquired and checked against the ring before it is used for anything. The position is released once per
 * poll, also if the handler throws, and then it is behind the message that was thrown at.
 */
public final class RingReader extends RingReaderState implements AutoCloseable
{
    /** Readers of a concurrent ring keep this far behind its tail when they stream. */
    private static final long TAIL_DISTANCE = RingLayout.COARSE_INTERVAL;
    /** Nothing can be polled. */
    private static final long NOTHING = -1;

    private final Ring ring;
    private final RingMemory memory;
    private final UnsafeBuffer buffer;
    private final StreamingPolicy policy;
    private final long data;
    private final long mask;
    private final int maxMessageLength;
    private final boolean image;
    private final boolean hotFence;
    private final long gateAddress;
    private final long gateDistance;
    private final long positionAddress;
    private final long pollStateAddress;
    private final long dropAddress;
    private final long joinPosition;
    private boolean dropped;
    private volatile boolean closed;

    /**
     * Starts where the entry says.
     *
     * @param entry     index in the gating list, given by the conductor.
     * @param streaming whether messages may be held back for up to 60 us when that makes a fast stream faster.
     */
    public RingReader(final Ring ring, final int entry, final boolean streaming)
    {
        this.ring = ring;
        memory = ring.memory();
        buffer = ring.wrapData();
        data = ring.dataAddress();
        mask = ring.capacity() - 1L;
        maxMessageLength = ring.maxMessageLength();
        image = ring.kind() == RingKind.IMAGE;
        hotFence = ring.hotFence();
        final boolean concurrent = ring.kind() == RingKind.CONCURRENT;
        final int window = RingLayout.window(ring.kind(), ring.capacity());
        policy = streaming && !image && window >= 4 * StreamingPolicy.GATE ? new StreamingPolicy() : null;
        gateAddress = ring.headerAddress() + (concurrent ? RingLayout.TAIL_OFFSET : RingLayout.COARSE_OFFSET);
        gateDistance = concurrent ? TAIL_DISTANCE : 0;
        final GatingList list = new GatingList(ring);
        positionAddress = list.positionAddress(entry);
        pollStateAddress = list.field(entry, RingLayout.ENTRY_POLL_STATE);
        dropAddress = list.field(entry, RingLayout.ENTRY_DROP);
        // Not the entry's position: that is FREE already if the reader was dropped before it was made.
        joinPosition = list.joinPosition(entry);
        position = joinPosition;
        gate = joinPosition;
        if (list.kind(entry) == GatingList.Kind.NONE)
        {
            throw new IllegalStateException(ring + " has no subscriber at entry " + entry);
        }
    }

    /**
     * Takes messages without blocking.
     *
     * @param fragmentLimit messages at most.
     * @return messages taken. 0 doesn't always mean that there is nothing, see {@link #isReady()}.
     * @throws CorruptRingException if there is something that can't be a frame.
     */
    public int poll(final FrameHandler handler, final int fragmentLimit)
    {
        return boundedPoll(handler, Long.MAX_VALUE, fragmentLimit);
    }

    /** As {@link #poll(FrameHandler, int)}, of messages that start before {@code limitPosition}. */
    public int boundedPoll(final FrameHandler handler, final long limitPosition, final int fragmentLimit)
    {
        final long end = enter();
        if (end == NOTHING)
        {
            return 0;
        }
        final long stop = Math.min(end, limitPosition);
        final long boundary = image ? end : Long.MAX_VALUE;
        long next = position;
        int fragments = 0;
        try
        {
            while (fragments < fragmentLimit && next < stop)
            {
                final long start = next;
                final long frame = data + (start & mask);
                // Pairs with the producer's release of the length: the frame is whole.
                final int length = memory.getIntAcquire(frame) - FrameHeader.HEADER_LENGTH;
                if (Integer.compareUnsigned(length, maxMessageLength) > 0)
                {
                    checkAbsent(start, length);
                    break;
                }
                final long after = start + FrameHeader.step(length);
                final int kind = memory.getInt(frame + FrameHeader.KIND_OFFSET);
                if (kind == FrameHeader.KIND_DATA && after <= boundary)
                {
                    next = after;
                    fragments++;
                    handler.onFrame(buffer, (int) (start & mask) + FrameHeader.HEADER_LENGTH, length, after);
                }
                else if (isPadding(start, kind, after, boundary))
                {
                    next = after;
                }
                else
                {
                    break;
                }
            }
        }
        finally
        {
            leave(next, fragments, fragmentLimit, end);
        }
        return fragments;
    }

    /** As {@link #poll(FrameHandler, int)}, with a handler that says how to go on. */
    public int controlledPoll(final ControlledFrameHandler handler, final int fragmentLimit)
    {
        final long end = enter();
        if (end == NOTHING)
        {
            return 0;
        }
        final long boundary = image ? end : Long.MAX_VALUE;
        long next = position;
        int fragments = 0;
        try
        {
            while (fragments < fragmentLimit && next < end)
            {
                final long start = next;
                final long frame = data + (start & mask);
                // Pairs with the producer's release of the length: the frame is whole.
                final int length = memory.getIntAcquire(frame) - FrameHeader.HEADER_LENGTH;
                if (Integer.compareUnsigned(length, maxMessageLength) > 0)
                {
                    checkAbsent(start, length);
                    break;
                }
                final long after = start + FrameHeader.step(length);
                final int kind = memory.getInt(frame + FrameHeader.KIND_OFFSET);
                if (kind != FrameHeader.KIND_DATA || after > boundary)
                {
                    if (!isPadding(start, kind, after, boundary))
                    {
                        break;
                    }
                    next = after;
                    continue;
                }
                next = after;
                fragments++;
                final Action action =
                    handler.onFrame(buffer, (int) (start & mask) + FrameHeader.HEADER_LENGTH, length, after);
                if (action == Action.ABORT)
                {
                    fragments--;
                    next = start;
                    break;
                }
                if (action == Action.BREAK)
                {
                    break;
                }
                if (action == Action.COMMIT)
                {
                    publish(next);
                }
            }
        }
        finally
        {
            leave(next, fragments, fragmentLimit, end);
        }
        return fragments;
    }

    /**
     * Takes a run of whole frames at once. Padding ends a run, and is left out where one would start with it.
     *
     * @param byteLimit bytes at most, headers and alignment counted; a first frame that is longer is taken alone.
     * @return bytes taken.
     */
    public int blockPoll(final BlockHandler handler, final int byteLimit)
    {
        return blockPoll(handler, byteLimit, false);
    }

    /** As {@link #blockPoll(BlockHandler, int)}, padding included, for whoever copies the stream as it is. */
    public int rawPoll(final BlockHandler handler, final int byteLimit)
    {
        return blockPoll(handler, byteLimit, true);
    }

    private int blockPoll(final BlockHandler handler, final int byteLimit, final boolean withPadding)
    {
        final long end = enter();
        if (end == NOTHING)
        {
            return 0;
        }
        final long boundary = image ? end : Long.MAX_VALUE;
        long from = position;
        long next = from;
        int frames = 0;
        boolean limited = false;
        try
        {
            while (next < end)
            {
                final long start = next;
                final long frame = data + (start & mask);
                // Pairs with the producer's release of the length: the frame is whole.
                final int length = memory.getIntAcquire(frame) - FrameHeader.HEADER_LENGTH;
                if (Integer.compareUnsigned(length, maxMessageLength) > 0)
                {
                    checkAbsent(start, length);
                    break;
                }
                final long after = start + FrameHeader.step(length);
                final int kind = memory.getInt(frame + FrameHeader.KIND_OFFSET);
                if (kind != FrameHeader.KIND_DATA || after > boundary)
                {
                    if (!isPadding(start, kind, after, boundary) || (frames > 0 && !withPadding))
                    {
                        break;
                    }
                    if (!withPadding)
                    {
                        next = after;
                        from = after;
                        continue;
                    }
                }
                if (frames > 0 && after - from > byteLimit)
                {
                    limited = true;
                    break;
                }
                frames++;
                next = after;
            }
            if (frames > 0)
            {
                handler.onBlock(buffer, (int) (from & mask), (int) (next - from), next);
            }
        }
        finally
        {
            leave(next, frames, limited ? frames : Integer.MAX_VALUE, end);
        }
        return (int) (next - from);
    }

    /** Says that a poll has begun, and up to where it may read, or {@link #NOTHING}. */
    private long enter()
    {
        if (ring.isClosed())
        {
            // Without a look at the ring, whose addresses may be free after this thread has once been here.
            buffer.wrap(0, 0);
            ring.acknowledgeClosed();
            return NOTHING;
        }
        // Before the drop request is looked at. Whoever sets the request or closes puts a fence into this thread by
        // membarrier and then reads the poll state: it sees 1, or this poll sees its wish.
        memory.putLongOpaque(pollStateAddress, 1);
        if (hotFence)
        {
            memory.fullFence();
        }
        if (closed || memory.getLongOpaque(dropAddress) != 0)
        {
            dropped = !closed && !ring.isClosed();
            return nothing();
        }
        if (image)
        {
            if (position >= gate)
            {
                // Pairs with the receiver's release: all below has arrived.
                gate = memory.getLongAcquire(gateAddress);
            }
            return position < gate ? gate : nothing();
        }
        return policy != null && policy.isStreaming() ? gateWhenStreaming() : Long.MAX_VALUE;
    }

    private long gateWhenStreaming()
    {
        if (position >= gate)
        {
            // Pairs with the release of the coarse position. A tail says nothing of commits, but lengths are acquired.
            final long available = memory.getLongAcquire(gateAddress) - gateDistance;
            final long ahead = available - position;
            if (policy.waitFor(ahead, ahead >= StreamingPolicy.GATE ? 0 : System.nanoTime()))
            {
                return nothing();
            }
            gate = available;
        }
        return policy.isStreaming() && position < gate ? gate : Long.MAX_VALUE;
    }

    private long nothing()
    {
        // Pairs with the acquires in isInPoll() and Membership.tryDrop, as the one in leave().
        memory.putLongRelease(pollStateAddress, 0);
        return NOTHING;
    }

    /** Says that the poll has ended. */
    private void leave(final long next, final int fragments, final int fragmentLimit, final long end)
    {
        if (policy != null && end == Long.MAX_VALUE && fragments < fragmentLimit)
        {
            policy.onCaughtUp(fragments, next);
        }
        if (next != position)
        {
            publish(next);
        }
        // Behind the position: whoever sees 0 sees that this poll reads and stores nothing more.
        memory.putLongRelease(pollStateAddress, 0);
    }

    private void publish(final long next)
    {
        position = next;
        // Pairs with the acquire in GatingList.position: the producer may overwrite what has been read.
        memory.putLongRelease(positionAddress, next);
    }

    /** Of a length that can't be one: fine if there is no frame yet. */
    private void checkAbsent(final long start, final int length)
    {
        if ((length == -FrameHeader.HEADER_LENGTH && !image) || ring.isClosed())
        {
            return;
        }
        throw new CorruptRingException(start, ring + " has no frame at position " + start + " but a length of " +
            (length + FrameHeader.HEADER_LENGTH) + ", which must be from " + FrameHeader.HEADER_LENGTH + " to " +
            (maxMessageLength + FrameHeader.HEADER_LENGTH) + "; the stream ends here");
    }

    /** Of a frame that isn't a message within the boundary: fine if it is padding. */
    private boolean isPadding(final long start, final int kind, final long next, final long boundary)
    {
        if (kind == FrameHeader.KIND_PADDING && next <= boundary)
        {
            return true;
        }
        if (ring.isClosed())
        {
            return false;
        }
        throw new CorruptRingException(start, ring + " has no frame at position " + start + ": kind " +
            Integer.toHexString(kind) + ", end " + next + (boundary == Long.MAX_VALUE ? "" : " of " + boundary) +
            "; the stream ends here");
    }

    /**
     * Whether there is anything to do: a message, whether or not a poll would hold it back, or the news that this
     * reader is closed or dropped. To be asked on the reader's thread before it goes to sleep.
     */
    public boolean isReady()
    {
        if (closed || ring.isClosed() || memory.getLongOpaque(dropAddress) != 0)
        {
            return true;
        }
        // Pairs as in a poll; with the sleeper's fence before it, see Bell.
        return image ?
            memory.getLongAcquire(gateAddress) > position :
            memory.getIntAcquire(data + (position & mask)) != 0;
    }

    /**
     * Goes back, to read again what another entry still gates. On the reader's thread, between polls.
     *
     * @param newPosition start of a frame, not above {@link #position()}.
     */
    public void rewindTo(final long newPosition)
    {
        if (newPosition > position || newPosition < position - ring.capacity() ||
            (newPosition & (FrameHeader.ALIGNMENT - 1)) != 0)
        {
            throw new IllegalArgumentException("position " + newPosition + ": must be the start of a frame from " +
                (position - ring.capacity()) + " to " + position);
        }
        gate = Math.min(gate, newPosition);
        if (!ring.isClosed())
        {
            publish(newPosition);
        }
    }

    /** Position up to which this reader has consumed. On the reader's thread. */
    public long position()
    {
        return position;
    }

    /**
     * Up to where the ring holds whole frames behind what was consumed: at most its capacity ahead, less if it is
     * damaged. Any thread, as long as the ring isn't freed.
     */
    public long committedPosition()
    {
        final long start = position;
        final long limit = start + mask + 1;
        if (image)
        {
            // Pairs with the receiver's release; whoever damages the header may have written this too.
            final long received = memory.getLongAcquire(gateAddress);
            return received >= start && received <= limit && (received & (FrameHeader.ALIGNMENT - 1)) == 0 ?
                received : start;
        }
        return ring.committedFrom(start);
    }

    /** Position at which it started. */
    public long joinPosition()
    {
        return joinPosition;
    }

    /** Whether the producer has ended and everything was consumed. */
    public boolean isEndOfStream()
    {
        if (ring.isClosed())
        {
            return false;
        }
        final long end = ring.endOfStreamPosition();
        // And after the load, which reads 0 if the ring was closed meanwhile.
        return position >= end && !ring.isClosed();
    }

    /** Whether this reader was cut off because it was too slow; its last position is where its gap begins. */
    public boolean isDropped()
    {
        return dropped;
    }

    /** Whether it keeps behind a fast producer at this time. On the reader's thread. */
    public boolean isStreaming()
    {
        return policy != null && policy.isStreaming();
    }

    /**
     * Makes all later polls return 0. Any thread; the ring stays open. Its entry may be given back when, after a
     * {@link Bell#fence}, {@link #isInPoll()} is false.
     */
    @Override
    public void close()
    {
        closed = true;
    }

    /** Whether {@link #close()} was called. */
    public boolean isClosed()
    {
        return closed;
    }

    /** Whether the reader's thread is in a poll, perhaps in a handler. Any thread, as long as the ring isn't freed. */
    public boolean isInPoll()
    {
        // Pairs with the releases at a poll's end.
        return memory.getLongAcquire(pollStateAddress) != 0;
    }

    /** The ring read. */
    public Ring ring()
    {
        return ring;
    }
}

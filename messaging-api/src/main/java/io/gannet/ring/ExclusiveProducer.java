package io.gannet.ring;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The one producer of an exclusive ring. Not thread-safe: one thread at a time, except where said otherwise.
 * <p>
 * Stores of a message, in this order: payload and the rest of the header, plain; 0 to the <em>next</em> length word,
 * plain; the own length word, release. So a reader that acquires a length sees that frame whole and the next word 0
 * until it is committed in turn; no zeroing of the ring is needed. After each
 * {@link RingLayout#COARSE_INTERVAL} bytes the position is release-stored to the header's coarse position.
 */
public final class ExclusiveProducer extends ExclusiveProducerState implements FrameClaim.Owner
{
    private final Ring ring;
    private final RingMemory memory;
    private final GatingMinimum gating;
    private final GatingList gatingList;
    private final Bell bell;
    private final UnsafeBuffer buffer;
    private final long data;
    private final long mask;
    private final int maxMessageLength;
    private final long window;
    private final long versionAddress;
    private final long coarseAddress;

    /**
     * Makes the producer of a new ring.
     *
     * @throws IllegalArgumentException if the ring isn't exclusive.
     */
    public ExclusiveProducer(final Ring ring, final Bell.Waker waker)
    {
        if (ring.kind() != RingKind.EXCLUSIVE)
        {
            throw new IllegalArgumentException(ring + ": an exclusive producer needs an exclusive ring");
        }
        this.ring = ring;
        memory = ring.memory();
        gating = new GatingMinimum(ring);
        gatingList = new GatingList(ring);
        bell = new Bell(ring, waker);
        buffer = ring.wrapData();
        data = ring.dataAddress();
        mask = ring.capacity() - 1L;
        maxMessageLength = ring.maxMessageLength();
        window = RingLayout.window(RingKind.EXCLUSIVE, ring.capacity());
        versionAddress = ring.headerAddress() + RingLayout.GATING_VERSION_OFFSET;
        coarseAddress = ring.headerAddress() + RingLayout.COARSE_OFFSET;
        position = ring.description().initialPosition();
        nextCoarse = position + RingLayout.COARSE_INTERVAL;
    }

    /**
     * Offers one message without blocking.
     *
     * @param source bytes are copied before return.
     * @param offset first byte.
     * @param length from 0 to {@link Ring#maxMessageLength()}.
     * @return the position after the message, or {@link Ring#NOT_CONNECTED}, {@link Ring#BACK_PRESSURED},
     *         {@link Ring#CLOSED} or {@link Ring#MAX_POSITION_EXCEEDED}, and then nothing is written.
     * @throws IllegalArgumentException if the range or the length is wrong.
     * @throws IllegalStateException    if a claim is open.
     */
    public long offer(final DirectBuffer source, final int offset, final int length)
    {
        Payload.check(source, offset, length);
        final long frame = prepare(length);
        if (frame < 0)
        {
            return frame;
        }
        Payload.copy(memory, source, offset, frame + FrameHeader.HEADER_LENGTH, length);
        memory.putLong(frame + FrameHeader.RESERVED_VALUE_OFFSET, 0);
        return publish(frame, length);
    }

    /** As {@link #offer(DirectBuffer, int, int)}, with a reserved value. */
    public long offer(
        final DirectBuffer source, final int offset, final int length, final ReservedValueSupplier reservedValue)
    {
        Payload.check(source, offset, length);
        final long frame = prepare(length);
        if (frame < 0)
        {
            return frame;
        }
        Payload.copy(memory, source, offset, frame + FrameHeader.HEADER_LENGTH, length);
        supply(frame, length, reservedValue);
        return publish(frame, length);
    }

    /**
     * As {@link #offer(DirectBuffer, int, int)}, of one message in two pieces.
     *
     * @param reservedValue null for 0.
     */
    public long offer(
        final DirectBuffer source,
        final int offset,
        final int length,
        final DirectBuffer secondSource,
        final int secondOffset,
        final int secondLength,
        final ReservedValueSupplier reservedValue)
    {
        Payload.check(source, offset, length);
        Payload.check(secondSource, secondOffset, secondLength);
        Payload.checkLength((long) length + secondLength, maxMessageLength);
        final long frame = prepare(length + secondLength);
        if (frame < 0)
        {
            return frame;
        }
        Payload.copy(memory, source, offset, frame + FrameHeader.HEADER_LENGTH, length);
        Payload.copy(memory, secondSource, secondOffset, frame + FrameHeader.HEADER_LENGTH + length, secondLength);
        supply(frame, length + secondLength, reservedValue);
        return publish(frame, length + secondLength);
    }

    /**
     * As {@link #offer(DirectBuffer, int, int)}, of one message in any number of pieces.
     *
     * @param reservedValue null for 0.
     */
    public long offer(final BufferVector[] vectors, final ReservedValueSupplier reservedValue)
    {
        final long length = Payload.length(vectors);
        Payload.checkLength(length, maxMessageLength);
        final long frame = prepare((int) length);
        if (frame < 0)
        {
            return frame;
        }
        Payload.copy(memory, vectors, frame + FrameHeader.HEADER_LENGTH);
        supply(frame, (int) length, reservedValue);
        return publish(frame, (int) length);
    }

    /**
     * Claims a range to be filled in place. Until it is committed or aborted nothing else can be offered.
     *
     * @return as {@link #offer(DirectBuffer, int, int)}; only if positive the claim is open.
     */
    public long tryClaim(final int length, final FrameClaim claim)
    {
        final long frame = prepare(length);
        if (frame < 0)
        {
            return frame;
        }
        claim.wrap(this, memory, frame, length + FrameHeader.HEADER_LENGTH, position, 0);
        claimOpen = 1;
        // No offer passes the limit check while the claim is open.
        limit = Long.MIN_VALUE;
        return position + claim.step();
    }

    @Override
    public void commit(final FrameClaim claim)
    {
        close(claim);
        publish(claim.frame(), claim.length());
    }

    @Override
    public void abort(final FrameClaim claim)
    {
        // The length word of a claim is 0 until the commit, so there is nothing to undo.
        close(claim);
    }

    private void close(final FrameClaim claim)
    {
        if (claim.position() != position)
        {
            throw new IllegalStateException("claim at " + claim.position() + " but the producer is at " + position);
        }
        claimOpen = 0;
        limit = limitOf(gating.minimum());
    }

    private void supply(final long frame, final int length, final ReservedValueSupplier reservedValue)
    {
        final long before = position;
        final long value = reservedValue == null ?
            0 : reservedValue.get(buffer, (int) (frame - data) + FrameHeader.HEADER_LENGTH, length);
        if (position != before || claimOpen != 0)
        {
            // The frame went to the message or claim of the supplier; a commit here would leave a hole behind it.
            throw new IllegalStateException("the supplier of a message's reserved value used the publication that it" +
                " supplies: this message is not sent, what the supplier offered or claimed is");
        }
        memory.putLong(frame + FrameHeader.RESERVED_VALUE_OFFSET, value);
    }

    /** Address of the next frame if it may have a payload so long, else a negative result. */
    private long prepare(final int length)
    {
        if (length < 0 || length > maxMessageLength)
        {
            Payload.checkLength(length, maxMessageLength);
        }
        final long end = position + FrameHeader.step(length);
        if (end > limit || memory.getLongOpaque(versionAddress) != version || ring.isClosed())
        {
            final long result = refresh(end);
            if (result < 0)
            {
                return result;
            }
        }
        return data + (position & mask);
    }

    private long publish(final long frame, final int length)
    {
        final int step = FrameHeader.step(length);
        final long end = position + step;
        memory.putInt(frame + FrameHeader.KIND_OFFSET, FrameHeader.KIND_DATA);
        memory.putInt(frame + step, 0);
        // Pairs with the acquire in RingReader: a reader that sees the length sees the frame, and 0 behind it.
        memory.putIntRelease(frame, length + FrameHeader.HEADER_LENGTH);
        position = end;
        if (end >= nextCoarse)
        {
            nextCoarse = end + RingLayout.COARSE_INTERVAL;
            // Pairs with the acquires of streaming readers and of joiners: all below it is committed.
            memory.putLongRelease(coarseAddress, end);
        }
        bell.ringIfAwaited();
        return end;
    }

    private long refresh(final long end)
    {
        if (claimOpen != 0)
        {
            throw new IllegalStateException(
                "the claim at position " + position + " is still open: commit or abort it first");
        }
        // Before the ring is looked at, as its addresses may be free once this thread has said that it is closed; and
        // after, as the look may have met the zeroes that a close from another thread leaves.
        final long minimum = ring.isClosed() ? -1 : gating.refresh(position);
        if (ring.isClosed())
        {
            limit = Long.MIN_VALUE;
            buffer.wrap(0, 0);
            ring.acknowledgeClosed();
            return Ring.CLOSED;
        }
        if (minimum >= 0)
        {
            version = gating.version();
            limit = limitOf(minimum);
        }
        if (end <= limit)
        {
            return 0;
        }
        if (limit == Long.MIN_VALUE)
        {
            return Ring.NOT_CONNECTED;
        }
        return end > RingLayout.MAX_POSITION ? Ring.MAX_POSITION_EXCEEDED : Ring.BACK_PRESSURED;
    }

    private long limitOf(final long minimum)
    {
        return gating.connected() == 0 ? Long.MIN_VALUE : Math.min(minimum + window, RingLayout.MAX_POSITION);
    }

    /** Position after the last message committed. Exact on the producer's thread, a little late on others. */
    public long position()
    {
        return position;
    }

    /** Position up to which the last look at the subscribers allows. On the producer's thread. */
    public long positionLimit()
    {
        return Math.max(limit, 0);
    }

    /** Bytes that can be offered before the next look at the subscribers; 0 when not connected. */
    public long availableWindow()
    {
        return Math.max(positionLimit() - position, 0);
    }

    /** Whether anybody subscribes, as of now. Any thread, as long as the ring isn't freed. */
    public boolean isConnected()
    {
        return !ring.isClosed() && gatingList.subscribers() > 0;
    }

    /** The producer's last look at its subscribers, for diagnostics. */
    public GatingMinimum gating()
    {
        return gating;
    }

    /** The ring written. */
    public Ring ring()
    {
        return ring;
    }
}

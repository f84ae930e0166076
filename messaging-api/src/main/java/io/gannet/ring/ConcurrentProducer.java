package io.gannet.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One client's producer of a concurrent ring, to which several clients may have one each. Thread-safe.
 * <p>
 * Steps of a message:
 * <ol>
 * <li>limit check: the claim must end below minimum + capacity/2 - slack;</li>
 * <li>record the step in a slot, state CLAIMING;</li>
 * <li>take the bytes by CAS of the tail;</li>
 * <li>record the position in the slot, state PENDING, before anything is stored there;</li>
 * <li>zero the same range half a ring ahead, wherever the length of a frame can be;</li>
 * <li>store the payload, then commit by a release store of the length;</li>
 * <li>slot to IDLE.</li>
 * </ol>
 * <em>Why there is no length yet where nothing was committed.</em> A reader releases a position above x only after it
 * acquired the commit of the frame that holds x, and that frame's producer had zeroed x + capacity/2 before that. So
 * every word below minimum + capacity/2 that may become a length and wasn't claimed yet is zero for whoever acquired
 * that minimum. The bytes zeroed, half a ring ahead, are consumed ones, as the claim ends below minimum + capacity/2.
 * <p>
 * <em>Threads that claim at once</em> take the line of the tail from each other, which costs each of them several times
 * what a claim costs. Who loses it therefore stays away for a moment, 50 ns at first and up to 4 us if that happens all
 * the time, and the other makes a run of claims meanwhile; its next attempt comes at once.
 */
public final class ConcurrentProducer extends ConcurrentProducerState implements FrameClaim.Owner
{
    private static final int SPINS_FOR_OTHERS_REFRESH = 32;
    /** Longest step zeroed word by word. To 1 KiB that was not dearer than one call for all bytes; above is a guess. */
    private static final int ZEROED_WORD_BY_WORD = 2048;
    private static final VarHandle LIMIT;
    private static final VarHandle VERSION;
    private static final VarHandle REFRESHING;

    static
    {
        try
        {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            LIMIT = lookup.findVarHandle(ConcurrentProducerState.class, "limit", long.class);
            VERSION = lookup.findVarHandle(ConcurrentProducerState.class, "version", long.class);
            REFRESHING = lookup.findVarHandle(ConcurrentProducerState.class, "refreshing", long.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    /** Bits that no tail has: it is neither negative nor within a frame. */
    private static final long NO_TAIL = Long.MIN_VALUE | (FrameHeader.ALIGNMENT - 1);

    private final Ring ring;
    private final RingMemory memory;
    private final GatingMinimum gating;
    private final GatingList gatingList;
    private final ClaimSlots slots;
    private final Bell bell;
    private final UnsafeBuffer buffer;
    private final long data;
    private final long mask;
    private final long half;
    private final int maxMessageLength;
    private final long window;
    private final long versionAddress;
    private final long tailAddress;

    /** Read by every offer; set once. */
    private volatile boolean closing;

    /**
     * Makes a client's producer.
     *
     * @param clientId names the client to whoever repairs after its death: never 0. A client may have several producers
     *                 of a ring, at once or one after the other: it counts as living from before the first of them
     *                 is made until after the last has given its slots back, see {@link HoleRepair#repair}.
     * @throws IllegalArgumentException if the ring isn't concurrent, or the id is 0.
     * @throws IllegalStateException    if all {@link RingLayout#MAX_SLOTS} claim slots are taken.
     */
    public ConcurrentProducer(final Ring ring, final long clientId, final Bell.Waker waker)
    {
        if (ring.kind() != RingKind.CONCURRENT || clientId == 0)
        {
            throw new IllegalArgumentException(ring + ", client " + clientId +
                ": a concurrent producer needs a concurrent ring and a client id other than 0");
        }
        this.ring = ring;
        memory = ring.memory();
        gating = new GatingMinimum(ring);
        gatingList = new GatingList(ring);
        slots = new ClaimSlots(ring, clientId);
        bell = new Bell(ring, waker);
        buffer = ring.wrapData();
        data = ring.dataAddress();
        mask = ring.capacity() - 1L;
        half = (long) ring.capacity() >> 1;
        maxMessageLength = ring.maxMessageLength();
        window = RingLayout.window(RingKind.CONCURRENT, ring.capacity());
        versionAddress = ring.headerAddress() + RingLayout.GATING_VERSION_OFFSET;
        tailAddress = ring.headerAddress() + RingLayout.TAIL_OFFSET;
    }

    /** As {@link ExclusiveProducer#offer(DirectBuffer, int, int)}. */
    public long offer(final DirectBuffer source, final int offset, final int length)
    {
        return offer(source, offset, length, null);
    }

    /**
     * As {@link ExclusiveProducer#offer(DirectBuffer, int, int, ReservedValueSupplier)}.
     *
     * @param reservedValue null for 0.
     */
    public long offer(
        final DirectBuffer source, final int offset, final int length, final ReservedValueSupplier reservedValue)
    {
        Payload.check(source, offset, length);
        final int slot = admit(length);
        if (slot < 0)
        {
            return slot;
        }
        final long position = claim(slot, FrameHeader.step(length));
        if (position < 0)
        {
            return position;
        }
        final long frame = data + (position & mask);
        boolean whole = false;
        try
        {
            Payload.copy(memory, source, offset, frame + FrameHeader.HEADER_LENGTH, length);
            supply(frame, length, reservedValue);
            whole = true;
        }
        finally
        {
            publish(slot, frame, length, whole);
        }
        return position + FrameHeader.step(length);
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
        final int sum = length + secondLength;
        final int slot = admit(sum);
        if (slot < 0)
        {
            return slot;
        }
        final long position = claim(slot, FrameHeader.step(sum));
        if (position < 0)
        {
            return position;
        }
        final long frame = data + (position & mask);
        final long payload = frame + FrameHeader.HEADER_LENGTH;
        boolean whole = false;
        try
        {
            Payload.copy(memory, source, offset, payload, length);
            Payload.copy(memory, secondSource, secondOffset, payload + length, secondLength);
            supply(frame, sum, reservedValue);
            whole = true;
        }
        finally
        {
            publish(slot, frame, sum, whole);
        }
        return position + FrameHeader.step(sum);
    }

    /**
     * As {@link #offer(DirectBuffer, int, int)}, of one message in any number of pieces.
     *
     * @param reservedValue null for 0.
     */
    public long offer(final BufferVector[] vectors, final ReservedValueSupplier reservedValue)
    {
        final long sum = Payload.length(vectors);
        Payload.checkLength(sum, maxMessageLength);
        final int length = (int) sum;
        final int slot = admit(length);
        if (slot < 0)
        {
            return slot;
        }
        final long position = claim(slot, FrameHeader.step(length));
        if (position < 0)
        {
            return position;
        }
        final long frame = data + (position & mask);
        boolean whole = false;
        try
        {
            Payload.copy(memory, vectors, frame + FrameHeader.HEADER_LENGTH);
            supply(frame, length, reservedValue);
            whole = true;
        }
        finally
        {
            publish(slot, frame, length, whole);
        }
        return position + FrameHeader.step(length);
    }

    /**
     * Claims a range to be filled in place. Until it is committed or aborted no reader gets past it, so it should be
     * soon; other claims and offers go on.
     *
     * @return as {@link #offer(DirectBuffer, int, int)}; only if positive the claim is open.
     */
    public long tryClaim(final int length, final FrameClaim claim)
    {
        final int slot = admit(length);
        if (slot < 0)
        {
            return slot;
        }
        final int step = FrameHeader.step(length);
        final long position = claim(slot, step);
        if (position < 0)
        {
            return position;
        }
        final int frameLength = length + FrameHeader.HEADER_LENGTH;
        claim.wrap(this, memory, data + (position & mask), frameLength, position, slot);
        return position + step;
    }

    @Override
    public void commit(final FrameClaim claim)
    {
        publish(claim.slot(), claim.frame(), claim.length(), true);
    }

    @Override
    public void abort(final FrameClaim claim)
    {
        publish(claim.slot(), claim.frame(), claim.length(), false);
    }

    private void supply(final long frame, final int length, final ReservedValueSupplier reservedValue)
    {
        final long value = reservedValue == null ?
            0 : reservedValue.get(buffer, (int) (frame - data) + FrameHeader.HEADER_LENGTH, length);
        memory.putLong(frame + FrameHeader.RESERVED_VALUE_OFFSET, value);
    }

    /** A slot marked CLAIMING if a payload so long may be claimed, else a negative result. */
    private int admit(final int length)
    {
        Payload.checkLength(length, maxMessageLength);
        final int step = FrameHeader.step(length);
        final long end = memory.getLongVolatile(tailAddress) + step;
        if (end > limitAcquire() || memory.getLongOpaque(versionAddress) != (long) VERSION.getOpaque(this) ||
            ring.isClosed())
        {
            final long result = refresh(step);
            if (result < 0)
            {
                return (int) result;
            }
        }
        final int slot = slots.acquire(step);
        if (slot == ClaimSlots.NONE)
        {
            return (int) (closing ? Ring.CLOSED : Ring.BACK_PRESSURED);
        }
        if (closing)
        {
            // Behind the slot's CAS in the order of volatile accesses: this sees the close, or isIdle() sees the slot.
            slots.release(slot);
            return (int) Ring.CLOSED;
        }
        return slot;
    }

    /** Position of the range claimed, else a negative result, and then the slot is given back. */
    private long claim(final int slot, final int step)
    {
        boolean contended = false;
        while (true)
        {
            final long position = memory.getLongVolatile(tailAddress);
            if ((position & NO_TAIL) != 0)
            {
                // Somebody has written into the header: there is no place in such a ring.
                slots.release(slot);
                return Ring.CLOSED;
            }
            if (position + step > limitAcquire())
            {
                final long result = refresh(step);
                if (result < 0)
                {
                    slots.release(slot);
                    return result;
                }
            }
            // Pairs with the load of the tail in HoleRepair: who sees bytes taken finds their slot CLAIMING or later.
            else if (memory.compareAndSetLong(tailAddress, position, position + step))
            {
                slots.pending(slot, position, step);
                zeroLengths(data + ((position + half) & mask), step);
                return position;
            }
            else if (!contended)
            {
                // Once: the line of the tail is this processor's now, and the next attempt will hardly fail.
                contended = true;
                slots.backOff(slot);
            }
        }
    }

    /** All words of a range at which a frame can begin. */
    private void zeroLengths(final long address, final int step)
    {
        if (step > ZEROED_WORD_BY_WORD)
        {
            memory.setMemory(address, step, (byte) 0);
            return;
        }
        for (long word = address, end = address + step; word < end; word += FrameHeader.ALIGNMENT)
        {
            memory.putLong(word, 0);
        }
    }

    private void publish(final int slot, final long frame, final int length, final boolean whole)
    {
        memory.putInt(
            frame + FrameHeader.KIND_OFFSET, whole ? FrameHeader.KIND_DATA : FrameHeader.KIND_PADDING);
        // Pairs with the acquire in RingReader: the frame is whole, and zeroed is what lies half a ring ahead.
        memory.putIntRelease(frame, length + FrameHeader.HEADER_LENGTH);
        slots.release(slot);
        bell.ringIfAwaited();
    }

    /**
     * Looks at the subscribers again. One thread at a time: the others wait for it a moment and otherwise go by the
     * limit that they have, which is safe, as a limit once right stays right.
     */
    private long refresh(final int step)
    {
        // Each turn comes after the one before, whose end releases what it left in gating.
        if (REFRESHING.compareAndSet(this, 0L, 1L))
        {
            try
            {
                final long minimum = gating.refresh(memory.getLongVolatile(tailAddress));
                // After the refresh, which may have read the zeroes that a close from another thread leaves.
                if (minimum >= 0 && !ring.isClosed())
                {
                    limitRelease(gating.connected() == 0 ?
                        Long.MIN_VALUE : Math.min(minimum + window, RingLayout.MAX_POSITION));
                    VERSION.setOpaque(this, gating.version());
                }
            }
            finally
            {
                REFRESHING.setVolatile(this, 0L);     // pairs with the next turn's compareAndSet
            }
        }
        else
        {
            for (int i = 0; i < SPINS_FOR_OTHERS_REFRESH && isRefreshing(); i++)
            {
                Thread.onSpinWait();
            }
        }
        if (ring.isClosed())
        {
            // Not acknowledged: other threads may be in the middle of an offer.
            limitRelease(Long.MIN_VALUE);
            return Ring.CLOSED;
        }
        final long end = memory.getLongVolatile(tailAddress) + step;
        final long newLimit = limitAcquire();
        if (end <= newLimit)
        {
            return 0;
        }
        if (newLimit == Long.MIN_VALUE)
        {
            // Another thread that is still looking may be about to find a subscriber.
            return isRefreshing() ? Ring.BACK_PRESSURED : Ring.NOT_CONNECTED;
        }
        return end > RingLayout.MAX_POSITION ? Ring.MAX_POSITION_EXCEEDED : Ring.BACK_PRESSURED;
    }

    private boolean isRefreshing()
    {
        return (long) REFRESHING.getVolatile(this) != 0;
    }

    /**
     * Pairs with {@link #limitRelease}: a thread that overwrites up to the limit comes after the reads of the consumers
     * whose positions another thread acquired for it, and after the zeroing that these consumers acquired.
     */
    private long limitAcquire()
    {
        return (long) LIMIT.getAcquire(this);
    }

    private void limitRelease(final long value)
    {
        LIMIT.setRelease(this, value);     // pairs with limitAcquire
    }

    /** Refuses offers and claims from now on. Claims that are open can still be committed. Any thread; idempotent. */
    public void close()
    {
        closing = true;
    }

    /**
     * Whether no claim is open or being made, after {@link #close()}, so that the ring can be closed without leaving a
     * hole that would hold up its readers. Then its slots are given back.
     */
    public boolean isIdle()
    {
        // Pairs with the CAS of a slot and the load of the closing flag in admit().
        memory.fullFence();
        return slots.giveBackIfIdle();
    }

    /** Position after the last claim of any producer. Any thread, as long as the ring isn't freed. */
    public long position()
    {
        return memory.getLongVolatile(tailAddress);
    }

    /** Position up to which the last look at the subscribers allows. */
    public long positionLimit()
    {
        return Math.max(limitAcquire(), 0);
    }

    /** Bytes that can be offered before the next look at the subscribers; 0 when not connected. */
    public long availableWindow()
    {
        return Math.max(positionLimit() - position(), 0);
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

package io.gannet.ring.model;

import io.gannet.ring.Bell;
import io.gannet.ring.FrameHeader;
import io.gannet.ring.GatingMinimum;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An image ring: a receiver stands in for NIC and driver. What arrives is a run of whole frames whose bytes land in
 * pieces and in any order, length words included; then the received position is released.
 */
final class ImageWorld extends World
{
    private static final int MESSAGES = 90;
    private static final int PIECE = 1024;

    private final UnsafeBuffer wire = new UnsafeBuffer(ByteBuffer.allocateDirect(CAPACITY));
    private long position;
    private int next;

    ImageWorld(final long seed, final Weakening weakening, final boolean traced)
    {
        super(RingKind.IMAGE, seed, weakening, traced);
        client("receiver", this::receive, true);
        final int readers = 1 + random.nextInt(3);
        for (int i = 0; i < readers; i++)
        {
            addReader(i);
        }
    }

    private void receive()
    {
        final Bell bell = new Bell(ring, this::wake);
        final GatingMinimum gating = new GatingMinimum(ring);
        final UnsafeBuffer message = new UnsafeBuffer(ByteBuffer.allocateDirect(CAPACITY));
        long limit = 0;
        while (next < MESSAGES)
        {
            final long start = position;
            final int first = next;
            while (next < MESSAGES && next - first < 4 && position + frameStep(next) <= limit)
            {
                write(message);
            }
            if (position == start)
            {
                final long minimum = gating.refresh(position);
                limit = minimum == RingLayout.FREE ?
                    0 : Math.max(limit, minimum + RingLayout.window(RingKind.IMAGE, CAPACITY));
                if (gating.connected() == 0 && !isAnyReaderLeft())
                {
                    return;
                }
                scheduler.idle();
                continue;
            }
            land(start);
            memory.putLongRelease(ring.headerAddress() + RingLayout.RECEIVED_OFFSET, position);
            bell.ringIfAwaited();
            checkNobodySleepsBelow(position);
        }
    }

    private int frameStep(final int sequence)
    {
        return FrameHeader.step(payloads.length(Payloads.id(0, sequence)));
    }

    private void write(final UnsafeBuffer message)
    {
        final int id = Payloads.id(0, next);
        final int length = payloads.write(id, message);
        final int at = (int) (position & (CAPACITY - 1));
        put(at, length + FrameHeader.HEADER_LENGTH, FrameHeader.KIND_DATA);
        put(at + FrameHeader.RESERVED_VALUE_OFFSET, 0, 0);
        for (int i = 0; i < length; i++)
        {
            wire.putByte((at + FrameHeader.HEADER_LENGTH + i) & (CAPACITY - 1), message.getByte(i));
        }
        ledger.sent(id, position, position + FrameHeader.step(length));
        position += FrameHeader.step(length);
        next++;
    }

    private void put(final int at, final int low, final int high)
    {
        wire.putInt(at, low);
        wire.putInt(at + 4, high);
    }

    /** All bytes from {@code start} to the position, in pieces, from a random one on and around. */
    private void land(final long start)
    {
        final int pieces = (int) ((position - start + PIECE - 1) / PIECE);
        final int firstPiece = random.nextInt(pieces);
        for (int i = 0; i < pieces; i++)
        {
            final long from = start + (long) ((firstPiece + i) % pieces) * PIECE;
            final int at = (int) (from & (CAPACITY - 1));
            int length = (int) Math.min(PIECE, position - from);
            final int head = Math.min(length, CAPACITY - at);
            memory.copy(wire.addressOffset() + at, ring.addressOf(from), head);
            length -= head;
            if (length > 0)
            {
                memory.copy(wire.addressOffset(), ring.addressOf(from + head), length);
            }
        }
    }
}

package io.gannet.cli.dump;

import io.gannet.ring.FrameHeader;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.NavigableSet;
import org.agrona.DirectBuffer;

/**
 * Finds the frames that a ring still has. Where a frame starts is known for a few positions only, those of producer and
 * subscribers; a frame before them counts if the frames from it on lead exactly to one of them. That finds where the
 * oldest starts by content, so bytes of a payload that look like frames may appear before it.
 */
final class RingFrames
{
    private static final int SLOT_SHIFT = 5;

    private final RingCopy ring;
    private final DirectBuffer data;
    private final int longest;
    private final long oldest;
    private final long newest;
    private final NavigableSet<Long> boundaries;
    private final BitSet leads;
    private long position;

    RingFrames(final RingCopy ring)
    {
        this.ring = ring;
        data = ring.data();
        longest = RingLayout.maxFrameLength(ring.kind(), ring.capacity());
        final int slack = RingLayout.slack(ring.kind(), ring.capacity());
        final long produced = ring.produced() >= 0 ? ring.produced() :
            Math.max(0, ring.slowest()) + RingLayout.window(ring.kind(), ring.capacity());
        newest = ring.kind() == RingKind.EXCLUSIVE || ring.produced() < 0 ? produced + slack + longest : produced;
        long first = Math.max(ring.initial(), produced - ring.capacity());
        if (ring.produced() != ring.producedBefore())
        {
            // It was written while it was read.
            first = Math.max(first, produced + slack + longest - ring.capacity());
        }
        if (ring.kind() == RingKind.IMAGE && ring.slowest() >= 0)
        {
            // What is on its way already stands where frames stood that all have consumed.
            first = Math.max(first, ring.slowest() - slack);
        }
        oldest = Math.min(first, newest) + FrameHeader.ALIGNMENT - 1 & -FrameHeader.ALIGNMENT;
        boundaries = ring.boundaries().subSet(oldest, true, newest, true);
        leads = new BitSet(slot(newest) + 1);
        for (long at = newest; at >= oldest; at -= FrameHeader.ALIGNMENT)
        {
            final long next = next(at);
            if (boundaries.contains(at) || (next > 0 && next <= newest && leads.get(slot(next))))
            {
                leads.set(slot(at));
            }
        }
        position = start(oldest);
    }

    private int slot(final long at)
    {
        return (int) ((at - oldest) >> SLOT_SHIFT);
    }

    /** Where the next frame would start, if a frame starts at a position; -1 if none does. */
    private long next(final long at)
    {
        final int offset = ring.offset(at);
        final int length = data.getInt(offset, ByteOrder.LITTLE_ENDIAN);
        final int kind = data.getInt(offset + FrameHeader.KIND_OFFSET, ByteOrder.LITTLE_ENDIAN);
        return length < FrameHeader.HEADER_LENGTH || length > longest ||
            (kind != FrameHeader.KIND_DATA && kind != FrameHeader.KIND_PADDING) ? -1 :
            at + FrameHeader.align(length);
    }

    private long start(final long from)
    {
        final int found = leads.nextSetBit(slot(Math.max(from, oldest)));
        return found < 0 ? newest : oldest + ((long) found << SLOT_SHIFT);
    }

    /** The next frame is the first one at or behind a position. */
    void seek(final long from)
    {
        position = oldest;
        long frame = next();
        while (frame >= 0 && frame < from)
        {
            frame = next();
        }
        if (frame >= 0)
        {
            position = frame;
        }
    }

    /** Position of the next frame, and goes behind it; -1 if there are no more. */
    long next()
    {
        while (position <= newest)
        {
            final long at = position;
            final long next = next(at);
            if (next > 0 && (ring.kind() != RingKind.IMAGE || next <= newest))
            {
                position = next;
                return at;
            }
            // A claim that isn't committed, or bytes that are no frame: on behind the next known place.
            final Long known = boundaries.higher(at);
            if (known == null)
            {
                return -1;
            }
            position = start(at + FrameHeader.ALIGNMENT);
        }
        return -1;
    }

    int length(final long at)
    {
        return data.getInt(ring.offset(at), ByteOrder.LITTLE_ENDIAN);
    }

    boolean isPadding(final long at)
    {
        return data.getInt(ring.offset(at) + FrameHeader.KIND_OFFSET, ByteOrder.LITTLE_ENDIAN) ==
            FrameHeader.KIND_PADDING;
    }

    long reservedValue(final long at)
    {
        return data.getLong(ring.offset(at) + FrameHeader.RESERVED_VALUE_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    /** The payload of a frame, which may go over the end of the data, as the ring's second mapping shows it. */
    byte[] payload(final long at)
    {
        final byte[] payload = new byte[length(at) - FrameHeader.HEADER_LENGTH];
        final int offset = ring.offset(at + FrameHeader.HEADER_LENGTH);
        final int first = Math.min(payload.length, ring.capacity() - offset);
        data.getBytes(offset, payload, 0, first);
        data.getBytes(0, payload, first, payload.length - first);
        return payload;
    }
}

package io.gannet.driver.stream;

import io.gannet.ring.FrameHeader;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import io.gannet.ring.RingMemory;

/**
 * Finds runs of whole committed frames in a publication ring.
 */
final class RunScanner
{
    /** Result: there is something that cannot be a frame. */
    static final long CORRUPT = -1;

    /** Frames looked at together. */
    private static final int GROUP = 4;

    private final RingMemory memory;
    private final long data;
    private final long mask;
    private final int maxFrameLength;
    /** Where an exclusive producer says what it has left behind, else 0. */
    private final long coarseAddress;
    private long settled;
    private int frames;

    RunScanner(final Ring ring)
    {
        coarseAddress = ring.kind() == RingKind.EXCLUSIVE ? ring.headerAddress() + RingLayout.COARSE_OFFSET : 0;
        memory = ring.memory();
        data = ring.dataAddress();
        mask = ring.capacity() - 1L;
        maxFrameLength = RingLayout.maxFrameLength(ring.kind(), ring.capacity());
    }

    /** {@return frames of the last run} */
    int frames()
    {
        return frames;
    }

    /**
     * Walks from a frame's start.
     *
     * @param from  start of a frame, or of the first one that is not committed yet.
     * @param limit end of what may be sent.
     * @param cap   bytes of a run; a first frame that is longer is a run of its own.
     * @return the end of the run; {@code from} if no whole frame is in reach; {@link #CORRUPT}.
     */
    long endOfRun(final long from, final long limit, final int cap)
    {
        long end = from;
        frames = 0;
        if (settled <= from && coarseAddress != 0)
        {
            // Pairs with the producer's release; for what is below alone, as lengths are acquired.
            settled = memory.getLongAcquire(coarseAddress);
        }
        final long reach = Math.min(limit, from + cap);
        while (end < limit)
        {
            // Pairs with the producer's release of the length: the frame is whole.
            final int length = memory.getIntAcquire(data + (end & mask));
            if (length == 0)
            {
                break;
            }
            if (length < FrameHeader.HEADER_LENGTH || length > maxFrameLength)
            {
                return CORRUPT;
            }
            final long next = end + FrameHeader.align(length);
            if (next > limit || (next - from > cap && end != from))
            {
                break;
            }
            end = next;
            frames++;
            end = walkAlike(end, length, Math.min(reach, settled));
        }
        return end;
    }

    /**
     * Walks over frames of one length, as frames mostly are, in groups. A walk from frame to frame waits for each
     * header, one behind the other, as they come from another processor's cache; those of a group come together. Not
     * where the producer still writes.
     *
     * @param length of each frame.
     * @param stop   end of what is settled and may be in the run.
     */
    private long walkAlike(final long from, final int length, final long stop)
    {
        final long step = FrameHeader.align(length);
        final long group = GROUP * step;
        long end = from;
        while (end + group <= stop)
        {
            int different = 0;
            long at = end;
            for (int i = 0; i < GROUP; i++)
            {
                different |= memory.getIntAcquire(data + (at & mask)) ^ length;
                at += step;
            }
            if (different != 0)
            {
                break;
            }
            end = at;
            frames += GROUP;
        }
        return end;
    }
}

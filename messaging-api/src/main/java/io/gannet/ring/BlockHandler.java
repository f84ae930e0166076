package io.gannet.ring;

import org.agrona.concurrent.UnsafeBuffer;

/** Takes a run of whole frames at once. */
@FunctionalInterface
public interface BlockHandler
{
    /**
     * Frames as they are in the ring, with headers and alignment.
     *
     * @param buffer   over the whole ring.
     * @param offset   of the first frame.
     * @param length   bytes, a multiple of {@link FrameHeader#ALIGNMENT}.
     * @param position of the stream after the block.
     */
    void onBlock(UnsafeBuffer buffer, int offset, int length, long position);
}

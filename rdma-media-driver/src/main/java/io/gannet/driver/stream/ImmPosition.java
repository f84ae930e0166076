package io.gannet.driver.stream;

import io.gannet.ring.FrameHeader;

/**
 * The immediate of a write: the low 32 bits of the position behind its last frame, counted in frame alignments of 32
 * bytes. Unambiguous, as nothing advances by more than a ring, 2^29 bytes, and 2^32 steps are 2^37 bytes.
 */
final class ImmPosition
{
    private static final int SHIFT = Integer.numberOfTrailingZeros(FrameHeader.ALIGNMENT);

    private ImmPosition()
    {
    }

    static int of(final long position)
    {
        return (int) (position >>> SHIFT);
    }

    /** {@return bytes from a position to the one that the immediate means, in [0, 2^37)} */
    static long advance(final long position, final int imm)
    {
        return (imm - of(position) & 0xFFFF_FFFFL) << SHIFT;
    }
}

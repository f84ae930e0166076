package io.gannet.samples.marketdata.book;

/**
 * 64-bit hash of a sequence of words: FNV-1a over words instead of bytes, with a rotation that carries the high bits
 * down (a multiplication alone moves bits only up).
 */
public final class Checksum
{
    /** Hash of the empty sequence. */
    public static final long START = 0xcbf29ce484222325L;

    private static final long PRIME = 0x100000001b3L;

    private Checksum()
    {
    }

    /** Hash of the sequence of {@code hash} with {@code value} behind it. */
    public static long add(final long hash, final long value)
    {
        return Long.rotateLeft((hash ^ value) * PRIME, 29);
    }
}

package io.gannet.rdma.roce.wire;

/**
 * How long a requester waits after an RNR NAK: 5-bit codes of the InfiniBand specification, volume 1.
 */
public final class RnrTimer
{
    private static final int[] HUNDREDTHS_OF_MS = {
        65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192,
        256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152 };

    private RnrTimer()
    {
    }

    /** Nanoseconds of {@code code}; only its low five bits count. */
    public static long nanos(final int code)
    {
        return HUNDREDTHS_OF_MS[code & 0x1f] * 10_000L;
    }
}

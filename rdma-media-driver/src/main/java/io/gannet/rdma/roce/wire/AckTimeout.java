package io.gannet.rdma.roce.wire;

/**
 * The 5-bit time codes of local ACK time-outs and of connection management: 4.096 us x 2^code.
 */
public final class AckTimeout
{
    private AckTimeout()
    {
    }

    /** Nanoseconds of {@code code}; 0 is taken as 1, as Soft-RoCE does, since 0 would mean to wait for ever. */
    public static long nanos(final int code)
    {
        return 4096L << Math.max(1, code & 0x1f);
    }
}

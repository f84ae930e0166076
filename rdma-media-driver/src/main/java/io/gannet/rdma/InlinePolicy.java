package io.gannet.rdma;

/**
 * Decides which requests carry their bytes inline. Inline saves the NIC a read of memory and frees the buffer at once;
 * the processor pays with a copy. Worth it for small messages only: the default threshold is what four basic blocks of
 * an mlx5 work request hold beside a write's header (256 - 36 = 220 bytes), perftest's default for that device too.
 * Immutable.
 */
public final class InlinePolicy
{
    /** Bytes up to which inline pays where nothing was measured. */
    public static final int DEFAULT_THRESHOLD = 220;

    private final int limit;

    /**
     * @param granted   what the {@linkplain QueuePair#maxInline() queue pair} can.
     * @param threshold bytes up to which inline pays, 0 or more; 0 turns it off.
     */
    public InlinePolicy(final int granted, final int threshold)
    {
        if (threshold < 0)
        {
            throw new IllegalArgumentException("inline threshold must not be negative, is " + threshold);
        }
        limit = Math.min(Math.max(granted, 0), threshold);
    }

    /** {@return largest length that goes inline} */
    public int limit()
    {
        return limit;
    }

    /** {@return {@link SendFlags#INLINE} or {@link SendFlags#NONE} for a request of so many bytes} */
    public int flags(final int length)
    {
        return length <= limit ? SendFlags.INLINE : SendFlags.NONE;
    }
}

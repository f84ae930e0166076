package io.gannet.counters;

/**
 * Type ids of the counters of the control file that are not a stream's (those: {@link StreamKey},
 * {@link RemoteStatistic}), for tools that read it.
 */
public final class CounterTypes
{
    /** Numbers of the whole driver. No key; the label tells which. */
    public static final int SYSTEM = 1;
    /** Longest duty cycle of an agent, in nanoseconds. The label starts with the agent's name and {@code ": "}. */
    public static final int LONGEST_CYCLE = 2;
    /** Duty cycles of an agent over the stall threshold. */
    public static final int STALLS = 3;
    /** What the device counts, and gauges of it. The label starts with the device's name and {@code ": "}. */
    public static final int DEVICE = 4;
    /** Duty cycles of an agent of one {@linkplain #cycleBucket length}; the key is the bucket, an int. */
    public static final int CYCLE_BUCKET = 5;
    /** Sum of an agent's duty cycles, in nanoseconds. */
    public static final int CYCLE_TIME = 6;
    /** Smallest type id that engines and applications may use. */
    public static final int FIRST_FREE = 1000;

    /** Buckets of duty cycles: a power of two each, and one for those that are longer. */
    public static final int CYCLE_BUCKETS = 24;

    private static final int FIRST_BUCKET_BITS = 8;

    private CounterTypes()
    {
    }

    /** The bucket of a duty cycle: the first whose {@link #cycleBucketLimit} is not less. */
    public static int cycleBucket(final long nanos)
    {
        final int bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, nanos) - 1);
        return Math.clamp(bits - FIRST_BUCKET_BITS, 0, CYCLE_BUCKETS - 1);
    }

    /** Longest duty cycle of a bucket, in nanoseconds; {@link Long#MAX_VALUE} for the last. */
    public static long cycleBucketLimit(final int bucket)
    {
        return bucket == CYCLE_BUCKETS - 1 ? Long.MAX_VALUE : 1L << (FIRST_BUCKET_BITS + bucket);
    }
}

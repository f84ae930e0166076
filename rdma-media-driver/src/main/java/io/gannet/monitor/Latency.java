package io.gannet.monitor;

/**
 * How long sampled messages of a stream took from a place to another.
 *
 * @param stream  number.
 * @param session of the publication.
 * @param from    {@code publisher}, that has committed them, or {@code receiver} where the publisher's ring is not.
 * @param to      such as {@code subscriber NAME (pid N)}.
 * @param buckets how many took how long, as in the histograms of duty cycles; what was not followed to its end is in
 *                the last.
 * @param nanos   sum of all.
 */
public record Latency(int stream, int session, String from, String to, Buckets buckets, long nanos)
{
    /** Counts that nobody changes. */
    public static final class Buckets
    {
        private final long[] counts;

        /** Of a copy. */
        public Buckets(final long[] counts)
        {
            this.counts = counts.clone();
        }

        /** {@return a copy} */
        public long[] counts()
        {
            return counts.clone();
        }
    }
}

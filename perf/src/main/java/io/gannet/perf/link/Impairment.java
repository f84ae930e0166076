package io.gannet.perf.link;

/**
 * What a link does to packets, each way.
 *
 * @param loss           share of packets that vanish.
 * @param duplication    share that comes twice.
 * @param reordering     share that is overtaken by the next few.
 * @param bytesPerSecond rate that it carries, 0 for any: what is above waits in a queue.
 * @param queueBytes     of that queue; what does not fit vanishes.
 * @param marks          whether packets that find the queue more than half full are marked as sent into congestion
 *                       instead, if their sender says that it understands that.
 */
public record Impairment(
    double loss, double duplication, double reordering, long bytesPerSecond, int queueBytes, boolean marks)
{
    /** A perfect link. */
    public static final Impairment NONE = new Impairment(0, 0, 0, 0, 0, false);

    /** A link that loses packets. */
    public static Impairment loss(final double share)
    {
        return new Impairment(share, 0, 0, 0, 0, false);
    }
}

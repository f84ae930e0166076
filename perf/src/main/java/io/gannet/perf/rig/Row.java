package io.gannet.perf.rig;

/**
 * One line of the result. Rates are messages per second, latencies nanoseconds; {@code ratio} is {@code gannet /
 * peerValue}, so above 1 is better for a rate and below 1 for a latency. Values of a side with fewer than
 * {@value IpcOptions#FEWEST} phases, and the ratio then, are null: not seen.
 *
 * @param bench      load, kind of publication, producers, subscribers, processes.
 * @param peer       whom Gannet is compared with.
 * @param size       payload bytes.
 * @param placement  near, far, or any: more threads than processors.
 * @param start      even or backlog.
 * @param metric     name of the value.
 * @param n          phases, of the side that has fewer.
 * @param gannet     median.
 * @param peerValue  median of the peer.
 * @param ratio      {@code gannet / peerValue}.
 * @param gannetLow  lower quartile.
 * @param gannetHigh upper quartile.
 * @param peerLow    lower quartile of the peer.
 * @param peerHigh   upper quartile of the peer.
 */
public record Row(
    String bench,
    String peer,
    int size,
    String placement,
    String start,
    String metric,
    int n,
    Double gannet,
    Double peerValue,
    Double ratio,
    Double gannetLow,
    Double gannetHigh,
    Double peerLow,
    Double peerHigh)
{
    /** Messages per second. */
    public static final String RATE = "messagesPerSecond";

    static Row of(
        final Results.Cell cell, final String peer, final String metric, final Summary ours, final Summary theirs)
    {
        final boolean both = ours.seen() && theirs.seen();
        return new Row(cell.bench(), peer, cell.size(), cell.placement().label(), cell.start().label(), metric,
            peer.equals("none") ? ours.n() : Math.min(ours.n(), theirs.n()),
            seen(ours, ours.median()), seen(theirs, theirs.median()),
            both ? rounded(ours.median() / theirs.median()) : null,
            seen(ours, ours.low()), seen(ours, ours.high()), seen(theirs, theirs.low()), seen(theirs, theirs.high()));
    }

    private static Double seen(final Summary summary, final double value)
    {
        return summary.seen() ? rounded(value) : null;
    }

    private static Double rounded(final double value)
    {
        if (!Double.isFinite(value))
        {
            return null;
        }
        return value >= 1000 ? Math.rint(value) : Math.rint(value * 1000) / 1000;
    }
}

package io.gannet.perf.orders;

import java.util.List;

/**
 * What the load measured in one phase.
 *
 * @param sent      requests.
 * @param answered  of them.
 * @param business  answers that the engine was away, or the throttle's.
 * @param nanos     of the phase, to the last answer.
 * @param ack       compressed HdrHistogram of nanoseconds from intended time to answer, base 64.
 * @param trade     the same to a trade.
 * @param hops      the same between the stamps of an answer.
 */
record PhaseResult(
    long sent, long answered, long business, long nanos, String ack, String trade, List<String> hops)
{
}

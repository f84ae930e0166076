package io.gannet.perf.worker;

/**
 * What one thread saw in one phase. Units: counts and nanoseconds.
 *
 * @param role        "producer" or "subscriber".
 * @param messages    sent by a producer; received by the slowest subscription of a subscriber, within the phase.
 * @param nanos       time of it.
 * @param refused     offers that met back pressure.
 * @param histogram   compressed HdrHistogram of nanoseconds, base 64, or null.
 * @param gaps        pauses above 10 us between two looks at the clock of a paced producer.
 * @param gapNanos    sum of them.
 * @param preempted   involuntary context switches of the thread.
 * @param probeBefore nanoseconds of one line bounce before the phase, 0 if this thread did not probe, -1 if it failed.
 * @param probeAfter  the same after the phase.
 */
public record ThreadResult(
    String role,
    long messages,
    long nanos,
    long refused,
    String histogram,
    long gaps,
    long gapNanos,
    long preempted,
    long probeBefore,
    long probeAfter)
{
    ThreadResult with(final long switches, final long before, final long after)
    {
        return new ThreadResult(role, messages, nanos, refused, histogram, gaps, gapNanos, switches, before, after);
    }
}

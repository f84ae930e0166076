package io.gannet.perf.rig;

import io.gannet.perf.worker.Scenario;
import java.util.Map;

/**
 * One phase of one scenario, measured.
 *
 * @param scenario      what ran.
 * @param start         how it started.
 * @param placement     where the two processors were, before and after.
 * @param bounceNanos   round trip of one cache line before the phase; 0 if not probed, -1 if there was no answer.
 * @param atMillis      since the start of the run.
 * @param metrics       values by name.
 * @param interruptions what took processor time from the phase.
 */
public record Sample(
    Scenario scenario,
    Start start,
    Placement placement,
    long bounceNanos,
    long atMillis,
    Map<String, Double> metrics,
    Interruptions interruptions)
{
    /** How the two sides begin. */
    public enum Start
    {
        /** At the same time, over an empty log. */
        EVEN("even"),
        /** The producer earlier, so that it runs with a backlog. */
        BACKLOG("backlog");

        private final String label;

        Start(final String label)
        {
            this.label = label;
        }

        /** Name in rows. */
        public String label()
        {
            return label;
        }
    }

    /**
     * What interrupted a phase.
     *
     * @param preempted    involuntary context switches of the measuring threads.
     * @param gaps         pauses of a paced producer above 10 us.
     * @param gapMicros    sum of them.
     * @param stolenMillis time that the hypervisor gave to others, in steps of 10 ms.
     */
    public record Interruptions(long preempted, long gaps, long gapMicros, long stolenMillis)
    {
    }
}

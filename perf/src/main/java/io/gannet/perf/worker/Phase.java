package io.gannet.perf.worker;

/**
 * One timed stretch of one scenario. Times are {@link System#nanoTime()}, which all processes of a Linux host share.
 *
 * @param number       running number, never repeated within a pair of workers.
 * @param scenario     index of the scenario.
 * @param startNanos   when the subscribers start.
 * @param endNanos     when the measurement ends.
 * @param headNanos    how much earlier the producers start: 0 for an even start, else they build a backlog.
 * @param realTime     whether the threads run first-in-first-out while they measure.
 */
public record Phase(int number, int scenario, long startNanos, long endNanos, long headNanos, boolean realTime)
{
}

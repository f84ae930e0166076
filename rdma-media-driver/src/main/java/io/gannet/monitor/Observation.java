package io.gannet.monitor;

import io.gannet.control.DriverInfo;
import io.gannet.control.GannetDirectory;
import java.util.List;

/**
 * What one look at a directory showed.
 *
 * @param directory that was looked at.
 * @param health    of its driver.
 * @param driver    the last one that was ready, dead or alive; null if there is none, or if that can't be read.
 * @param nanos     when, of the monotonic clock.
 * @param counters  of that driver, by id; none without one.
 */
public record Observation(
    GannetDirectory directory, Health health, DriverInfo driver, long nanos, List<CounterValue> counters)
{
    /** Makes sure that nobody changes the list. */
    public Observation
    {
        counters = List.copyOf(counters);
    }
}

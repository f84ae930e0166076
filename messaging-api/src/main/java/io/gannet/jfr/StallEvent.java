package io.gannet.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * A duty cycle of an agent of the driver took longer than the stall threshold. On the agent's thread, when the cycle is
 * over.
 */
@Name("io.gannet.Stall")
@Label("Stall")
@Category("Gannet")
@Description("A duty cycle of an agent of the driver took longer than the stall threshold")
@StackTrace(false)
public final class StallEvent extends Event
{
    /** To ask without garbage whether such events are recorded. */
    private static final StallEvent PROBE = new StallEvent();

    @Label("Agent")
    String agent;

    @Label("Duty Cycle")
    @Timespan(Timespan.NANOSECONDS)
    long cycle;

    @Label("Stall Threshold")
    @Timespan(Timespan.NANOSECONDS)
    long stallThreshold;

    /** Emits the event, if it is recorded. */
    public static void emit(final String agent, final long cycleNanos, final long thresholdNanos)
    {
        if (PROBE.isEnabled())
        {
            final StallEvent event = new StallEvent();
            event.agent = agent;
            event.cycle = cycleNanos;
            event.stallThreshold = thresholdNanos;
            event.commit();
        }
    }
}

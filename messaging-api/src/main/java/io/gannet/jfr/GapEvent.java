package io.gannet.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * A subscription does not get a part of a stream; emitted by its client before the gap handler runs.
 */
@Name("io.gannet.Gap")
@Label("Gap")
@Category("Gannet")
@Description("A subscription does not get a part of a stream")
@StackTrace(false)
public final class GapEvent extends Event
{
    /** To ask without garbage whether such events are recorded. */
    private static final GapEvent PROBE = new GapEvent();

    @Label("Channel")
    String channel;

    @Label("Stream")
    int streamId;

    @Label("Session")
    int sessionId;

    @Label("From Position")
    long from;

    @Label("To Position")
    long to;

    @Label("Missed")
    @DataAmount
    long missed;

    /** Emits the event, if it is recorded. */
    public static void emit(
        final String channel, final int streamId, final int sessionId, final long from, final long to)
    {
        if (PROBE.isEnabled())
        {
            final GapEvent event = new GapEvent();
            event.channel = channel;
            event.streamId = streamId;
            event.sessionId = sessionId;
            event.from = from;
            event.to = to;
            event.missed = to - from;
            event.commit();
        }
    }
}

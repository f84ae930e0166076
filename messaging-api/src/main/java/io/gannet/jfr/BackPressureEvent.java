package io.gannet.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/**
 * A full ring made publishers wait. A driver emits it for each ring, which it looks at each 100 ms or so, with whom it
 * waited for; a client for each offer with a time-out that had to wait, on the thread that waited.
 */
@Name("io.gannet.BackPressure")
@Label("Back Pressure")
@Category("Gannet")
@Description("A full ring made publishers wait")
@StackTrace(false)
@Threshold("1 ms")
public final class BackPressureEvent extends Event
{
    /** To ask without garbage whether such events are recorded. */
    private static final BackPressureEvent PROBE = new BackPressureEvent();

    @Label("Channel")
    String channel;

    @Label("Stream")
    int streamId;

    @Label("Session")
    int sessionId;

    @Label("Waited For")
    String holder;

    /** {@return an event that has begun; null if they are not recorded} */
    public static BackPressureEvent begun()
    {
        if (!PROBE.isEnabled())
        {
            return null;
        }
        final BackPressureEvent event = new BackPressureEvent();
        event.begin();
        return event;
    }

    /**
     * Ends an event that has begun, and emits it if it was long enough.
     *
     * @param waitedFor in words; null if that isn't known.
     */
    public void finish(
        final String onChannel, final int ofStream, final int ofSession, final String waitedFor)
    {
        end();
        if (shouldCommit())
        {
            channel = onChannel;
            streamId = ofStream;
            sessionId = ofSession;
            holder = waitedFor;
            commit();
        }
    }
}

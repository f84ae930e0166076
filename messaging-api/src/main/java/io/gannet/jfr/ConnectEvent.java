package io.gannet.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * A client has found its driver, or a driver has a connection of a stream with another host.
 */
@Name("io.gannet.Connect")
@Label("Connected")
@Category("Gannet")
@Description("A client has a driver, or a stream goes to or comes from a host")
@StackTrace(false)
public final class ConnectEvent extends Event
{
    /** To ask without garbage whether such events are recorded. */
    private static final ConnectEvent PROBE = new ConnectEvent();

    @Label("Direction")
    String direction;

    @Label("Peer")
    String peer;

    @Label("Channel")
    String channel;

    @Label("Stream")
    int streamId;

    @Label("Session")
    int sessionId;

    @Label("Position")
    long position;

    @Label("Again")
    boolean again;

    /**
     * A client's: emits the event, if it is recorded.
     *
     * @param driver in words.
     * @param again  whether the client had one before.
     */
    public static void emitClient(final String driver, final boolean again)
    {
        if (PROBE.isEnabled())
        {
            final ConnectEvent event = new ConnectEvent();
            event.direction = "driver";
            event.peer = driver;
            event.again = again;
            event.commit();
        }
    }

    /** A driver's: whether it is recorded, so that somebody should find out what to tell. */
    public static boolean isRecorded()
    {
        return PROBE.isEnabled();
    }

    /**
     * A driver's: emits the event.
     *
     * @param direction {@code to} or {@code from}.
     * @param peer      the other host.
     * @param position  from which on frames come.
     * @param again     whether there was a connection before.
     */
    public static void emitStream(
        final String direction,
        final String peer,
        final String channel,
        final int streamId,
        final int sessionId,
        final long position,
        final boolean again)
    {
        final ConnectEvent event = new ConnectEvent();
        event.direction = direction;
        event.peer = peer;
        event.channel = channel;
        event.streamId = streamId;
        event.sessionId = sessionId;
        event.position = position;
        event.again = again;
        event.commit();
    }
}

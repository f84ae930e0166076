package io.gannet.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * A connection of a stream, which is one queue pair, has failed; it is made again unless the stream has ended.
 */
@Name("io.gannet.QueuePairError")
@Label("Queue Pair Error")
@Category("Gannet")
@Description("A connection of a stream has failed")
@StackTrace(false)
public final class QueuePairErrorEvent extends Event
{
    /** To ask without garbage whether such events are recorded. */
    private static final QueuePairErrorEvent PROBE = new QueuePairErrorEvent();

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

    @Label("Reason")
    String reason;

    @Label("Completion Status or Error Number")
    int status;

    /** Whether it is recorded, so that somebody should find out what to tell. */
    public static boolean isRecorded()
    {
        return PROBE.isEnabled();
    }

    /**
     * Emits the event.
     *
     * @param direction {@code to} or {@code from}.
     * @param peer      the other host.
     * @param position  that is known to be on the other side of it.
     * @param reason    a clause for people.
     * @param status    of the completion, or error number; 0 for none.
     */
    public static void emit(
        final String direction,
        final String peer,
        final String channel,
        final int streamId,
        final int sessionId,
        final long position,
        final String reason,
        final int status)
    {
        final QueuePairErrorEvent event = new QueuePairErrorEvent();
        event.direction = direction;
        event.peer = peer;
        event.channel = channel;
        event.streamId = streamId;
        event.sessionId = sessionId;
        event.position = position;
        event.reason = reason;
        event.status = status;
        event.commit();
    }
}

package io.gannet.driver;

import io.gannet.driver.stream.FailureKind;
import io.gannet.driver.stream.ImageSession;
import io.gannet.driver.stream.OutboundStream;
import io.gannet.driver.stream.StreamFailure;
import io.gannet.jfr.ConnectEvent;
import io.gannet.jfr.QueuePairErrorEvent;
import java.net.InetSocketAddress;
import java.util.function.LongFunction;

/**
 * Tells Flight Recorder of connections of streams and how they fail. On the control thread, and only when they change.
 */
final class FlightEvents
{
    private final LongFunction<StreamRing> rings;

    /**
     * @param rings the ring of an id; null if it is gone.
     */
    FlightEvents(final LongFunction<StreamRing> rings)
    {
        this.rings = rings;
    }

    void replicaConnected(
        final OutboundStream stream, final InetSocketAddress host, final long position, final boolean again)
    {
        if (ConnectEvent.isRecorded())
        {
            connected("to", host, ring(stream), position, again);
        }
    }

    void imageConnected(final StreamRing ring, final ImageSession image, final boolean again)
    {
        if (ConnectEvent.isRecorded())
        {
            connected("from", image.publisher(), ring, image.receivedPosition(), again);
        }
    }

    void replicaFailed(
        final OutboundStream stream, final InetSocketAddress host, final long position, final StreamFailure reason)
    {
        if (isError(reason) && QueuePairErrorEvent.isRecorded())
        {
            failed("to", host, ring(stream), position, reason);
        }
    }

    void imageFailed(final StreamRing ring, final ImageSession image, final StreamFailure reason)
    {
        if (isError(reason) && QueuePairErrorEvent.isRecorded())
        {
            failed("from", image.publisher(), ring, image.receivedPosition(), reason);
        }
    }

    private StreamRing ring(final OutboundStream stream)
    {
        return rings.apply(stream.ring().description().registrationId());
    }

    private static void connected(
        final String direction,
        final InetSocketAddress host,
        final StreamRing ring,
        final long position,
        final boolean again)
    {
        if (ring != null)
        {
            ConnectEvent.emitStream(direction, Addresses.text(host), ring.channel().toString(), ring.streamId(),
                ring.sessionId(), position, again);
        }
    }

    private static void failed(
        final String direction,
        final InetSocketAddress host,
        final StreamRing ring,
        final long position,
        final StreamFailure reason)
    {
        if (ring != null)
        {
            QueuePairErrorEvent.emit(direction, Addresses.text(host), ring.channel().toString(), ring.streamId(),
                ring.sessionId(), position, reason.toString(), reason.detail());
        }
    }

    /** Not those by which a connection ends that nobody needs. */
    private static boolean isError(final StreamFailure reason)
    {
        return reason.kind() != FailureKind.CLOSED && reason.kind() != FailureKind.END_OF_STREAM &&
            reason.kind() != FailureKind.DISCONNECTED && reason.kind() != FailureKind.TOO_SLOW;
    }
}

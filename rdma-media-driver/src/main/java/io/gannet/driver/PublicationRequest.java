package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.ring.RingKind;

/**
 * A publication that a client has asked for and that is not ready yet.
 */
final class PublicationRequest
{
    final ClientSession session;
    final long correlationId;
    final long registrationId;
    final RingKind kind;
    final Channel channel;
    final int streamId;
    private boolean cancelled;

    PublicationRequest(
        final ClientSession session,
        final long correlationId,
        final long registrationId,
        final RingKind kind,
        final Channel channel,
        final int streamId)
    {
        this.session = session;
        this.correlationId = correlationId;
        this.registrationId = registrationId;
        this.kind = kind;
        this.channel = channel;
        this.streamId = streamId;
    }

    /** The client gave up, or is gone. */
    void cancel()
    {
        cancelled = true;
    }

    boolean isCancelled()
    {
        return cancelled;
    }

    /** What publications that share a ring have in common. */
    String sharingKey()
    {
        return channel.media() + " " + channel.endpoint() + " " + channel.control() + " " + channel.sessionId() + " " +
            streamId;
    }
}

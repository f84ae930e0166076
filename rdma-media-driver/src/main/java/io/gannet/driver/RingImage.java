package io.gannet.driver;

import io.gannet.protocol.ImageEnd;

/**
 * One local subscriber of a ring: a gate in the ring's gating list. After a driver restart an image has no subscription
 * until its client has come back to this driver.
 */
final class RingImage
{
    /** Of an image that was not dropped. */
    static final long NOT_DROPPED = -1;

    final StreamRing ring;
    final int gate;
    final long clientId;
    final long registrationId;
    private Subscriber subscriber;
    private boolean endSent;
    private boolean dropRequested;
    private long droppedAt;

    RingImage(
        final StreamRing ring,
        final int gate,
        final long clientId,
        final long registrationId,
        final Subscriber subscriber)
    {
        this.ring = ring;
        this.gate = gate;
        this.clientId = clientId;
        this.registrationId = registrationId;
        this.subscriber = subscriber;
        dropRequested = ring.membership().isDropRequested(gate);
        droppedAt = ring.membership().isDropped(gate) ? ring.gates().joinPosition(gate) : NOT_DROPPED;
    }

    /** Null until the client has resumed it. */
    Subscriber subscriber()
    {
        return subscriber;
    }

    void resumedBy(final Subscriber owner)
    {
        subscriber = owner;
    }

    /** Whether the client was told that the stream ended for it. */
    boolean endSent()
    {
        return endSent;
    }

    /** Tells the subscription, which there must be, that this image has ended. */
    void sendEnd(final long position, final ImageEnd reason)
    {
        endSent = true;
        subscriber.session.events().send(events ->
            events.imageUnavailable(registrationId, ring.ringId(), position, reason));
    }

    /** Whether its reader was asked to stop because it is too slow. */
    boolean isDropRequested()
    {
        return dropRequested;
    }

    void dropWasRequested()
    {
        dropRequested = true;
    }

    /** Where its reader was when it stopped, or {@link #NOT_DROPPED}. */
    long droppedAt()
    {
        return droppedAt;
    }

    void wasDroppedAt(final long position)
    {
        droppedAt = position;
    }
}

package io.gannet.driver;

/**
 * One local subscriber of a ring: a gate in the ring's gating list. After a driver restart an image has no subscription
 * until its client has come back to this driver.
 */
final class RingImage
{
    final StreamRing ring;
    final int gate;
    final long clientId;
    final long registrationId;
    private Subscriber subscriber;
    private boolean endSent;

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

    void endWasSent()
    {
        endSent = true;
    }
}

package io.gannet;

import io.gannet.os.LateRelease;
import io.gannet.ring.Bell;
import io.gannet.ring.ConcurrentProducer;
import io.gannet.ring.Ring;

/**
 * A concurrent ring as one client writes it: all its publications of the channel and stream share one mapping and one
 * producer, and so its few claim slots. Counted and released by the conductor; its addresses are freed when no
 * publication is left that a thread could be in.
 */
final class SharedRing
{
    private final Ring ring;
    private final ConcurrentProducer producer;
    private int users;
    private boolean closing;

    SharedRing(final Ring ring, final long clientId, final Bell.Waker waker)
    {
        this.ring = ring;
        producer = producer(ring, clientId, waker);
        LateRelease.after(this, () ->
            FaultedRings.free(ring));
    }

    private static ConcurrentProducer producer(final Ring ring, final long clientId, final Bell.Waker waker)
    {
        try
        {
            return new ConcurrentProducer(ring, clientId, waker);
        }
        catch (final IllegalStateException noSlot)
        {
            FaultedRings.free(ring);
            throw noSlot;
        }
    }

    ConcurrentProducer producer()
    {
        return producer;
    }

    Ring ring()
    {
        return ring;
    }

    void acquire()
    {
        users++;
    }

    /** Whether another publication may join; no more once the last one is closing. */
    boolean isUsable()
    {
        return !closing;
    }

    boolean isUsed()
    {
        return users > 0;
    }

    /**
     * One publication less.
     *
     * @return false if it is the last, and a claim is open or being made; to be called again.
     */
    boolean tryRelease()
    {
        if (users == 1)
        {
            closing = true;
            producer.close();
            if (!producer.isIdle())
            {
                return false;
            }
            ring.close();
        }
        users--;
        return true;
    }

    /** All publications less; what is still written goes nowhere. */
    void forceRelease()
    {
        users = 0;
        closing = true;
        producer.close();
        ring.close();
    }
}

package io.gannet;

import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingReader;
import io.gannet.ring.model.ProcessWorld;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/** As {@link WaitWorld}, with one waiter for two subscriptions: the second wakes it, and is closed. */
final class WaiterWorld extends ProcessWorld
{
    private static final int LENGTH = 24;

    private final RingSubscription silent = new RingSubscription(null);
    private final RingSubscription subscription = new RingSubscription(null);
    private final MessageWaiter waiter = MessageWaiter.of(silent, subscription);
    private final Ring ring;
    private final int entry;
    private boolean awake;

    WaiterWorld(final long seed, final String[] sites)
    {
        super(RingKind.EXCLUSIVE, seed, sites);
        entry = join();
        ring = processRing("poller", "conductor");
        new ExclusiveProducer(othersRing(), this::wake)
            .offer(new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH)), 0, LENGTH);
        thread("poller", this::poll);
        thread("conductor", this::conduct);
    }

    private void poll()
    {
        awake = waiter.await(1, TimeUnit.DAYS);
        if (!awake || subscription.poll((buffer, offset, length, header) -> { }, 3) != 1)
        {
            throw new AssertionError("awake and without a message");
        }
        if (waiter.await(1, TimeUnit.DAYS))
        {
            throw new AssertionError("awake for a message that isn't there");
        }
    }

    private void conduct()
    {
        pause(60);
        final RingImage image =
            new RingImage(subscription, ring, new RingReader(ring, entry, false), 1, entry, false, "test");
        subscription.replaceImages(new RingImage[]{image});
        while (!awake)
        {
            idle();
        }
        pause(60);
        subscription.markClosed();
    }
}

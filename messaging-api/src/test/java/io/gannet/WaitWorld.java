package io.gannet;

import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingReader;
import io.gannet.ring.model.ProcessWorld;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/** A thread waits for messages: it wakes up for an image that has one, and for the close. */
class WaitWorld extends ProcessWorld
{
    private static final int LENGTH = 24;

    final RingSubscription subscription = new RingSubscription(null);
    private final Ring ring;
    private final int entry;
    private boolean awake;

    WaitWorld(final long seed, final String[] sites)
    {
        super(RingKind.EXCLUSIVE, seed, sites);
        entry = join();
        ring = processRing("poller", "conductor");
        new ExclusiveProducer(othersRing(), this::wake)
            .offer(new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH)), 0, LENGTH);
        thread("poller", this::poll);
        thread("conductor", this::conduct);
    }

    boolean await()
    {
        return subscription.awaitMessage(1, TimeUnit.DAYS);
    }

    private void poll()
    {
        awake = await();
        if (!awake || subscription.poll((buffer, offset, length, header) -> { }, 3) != 1)
        {
            throw new AssertionError("awake and without a message");
        }
        if (await())
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

package io.gannet;

import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.Ring;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingReader;
import io.gannet.ring.model.ProcessWorld;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Two threads poll a subscription, which tells one of them to go away when it finds both inside. The conductor adds an
 * image, takes it away and frees its ring, by the steps of {@link SubscriptionRegistration}.
 */
final class SubscriptionWorld extends ProcessWorld
{
    private static final int MESSAGES = 12;
    private static final int LENGTH = 24;

    private final RingSubscription subscription = new RingSubscription(null);
    private final UnsafeBuffer message = new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH));
    private final UnsafeBuffer received = new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH));
    private final Ring ring;
    private final int entry;
    private String inside;
    private boolean over;

    SubscriptionWorld(final long seed, final String[] sites)
    {
        super(RingKind.EXCLUSIVE, seed, sites);
        entry = join();
        ring = processRing("poller", "conductor");
        final ExclusiveProducer producer = new ExclusiveProducer(othersRing(), this::wake);
        thread("publisher", () -> publish(producer));
        thread("conductor", this::conduct);
        final int pollers = 1 + random.nextInt(2);
        for (int i = 0; i < pollers; i++)
        {
            thread("poller" + i, this::poll);
        }
    }

    private void publish(final ExclusiveProducer producer)
    {
        for (int i = 0; i < MESSAGES; i++)
        {
            pause(20);
            message.putLong(0, i);
            message.putLong(LENGTH - 8, i);
            if (producer.offer(message, 0, LENGTH) < 0)
            {
                throw new AssertionError("an offer was refused");
            }
        }
    }

    private void poll()
    {
        for (int i = 0; i < 40 && !over; i++)
        {
            try
            {
                if (random.nextInt(4) == 0)
                {
                    subscription.awaitMessage(1, TimeUnit.DAYS);
                }
                subscription.poll(this::onFragment, 3);
            }
            catch (final ConcurrentPollException ex)
            {
                idle();
            }
        }
    }

    private void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        if (inside != null)
        {
            throw new AssertionError(actor() + " and " + inside + " are in a handler at a time");
        }
        inside = actor();
        read(buffer.addressOffset() + offset, received.addressOffset(), length);
        if (length != LENGTH || received.getLong(0) != received.getLong(LENGTH - 8))
        {
            throw new AssertionError("a wrong message");
        }
        inside = null;
    }

    private void conduct()
    {
        pause(60);
        final RingImage image =
            new RingImage(subscription, ring, new RingReader(ring, entry, false), 1, entry, false, "test");
        subscription.replaceImages(new RingImage[]{image});
        pause(300);
        final boolean whole = random.nextBoolean();
        if (whole)
        {
            subscription.markClosed();
        }
        image.markClosed();
        if (!whole)
        {
            subscription.replaceImages(new RingImage[0]);
        }
        HotFence.rare();
        if (whole)
        {
            while (!subscription.guard().isIdle())
            {
                idle();
                HotFence.rare();
            }
            subscription.replaceImages(new RingImage[0]);
        }
        else
        {
            final PollGuard.Stay stay = subscription.guard().stay();
            subscription.messageWait().wake();
            while (!subscription.guard().isOver(stay))
            {
                idle();
            }
        }
        image.release();
        pause(60);
        over = true;
        subscription.markClosed();
    }
}

package io.gannet;

import io.gannet.os.LateFault;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Lets one thread that polls several subscriptions sleep until one of them has a message, as
 * {@link Subscription#awaitMessage} does for one: by the bells that publishers ring, at no cost of CPU meanwhile. The
 * subscriptions may belong to different clients. For one thread at a time, which is the one that polls.
 * <pre>{@code
 * MessageWaiter waiter = MessageWaiter.of(orders, reports);
 * while (running)
 * {
 *     if (orders.poll(onOrder, 16) + reports.poll(onReport, 16) == 0)
 *     {
 *         waiter.await(1, TimeUnit.MILLISECONDS);
 *     }
 * }
 * }</pre>
 */
public final class MessageWaiter
{
    private final RingSubscription[] subscriptions;
    private final RingImage[][] images;
    private final PollGuard.Owner[] inside;
    private final int[] tickets;
    private final BellSleeper sleeper = new BellSleeper();

    /** Of subscriptions that are different. */
    MessageWaiter(final RingSubscription[] subscriptions)
    {
        this.subscriptions = subscriptions;
        images = new RingImage[subscriptions.length][];
        inside = new PollGuard.Owner[subscriptions.length];
        tickets = new int[subscriptions.length];
    }

    /**
     * Makes one for these subscriptions. Where they have more than 128 images less one for each of them together, or
     * on Linux before 5.16, it does not sleep on bells but looks each millisecond.
     *
     * @throws IllegalArgumentException if there is none, one is there twice, or one is not a subscription of a client
     *                                  of this library.
     */
    public static MessageWaiter of(final Subscription... subscriptions)
    {
        if (subscriptions.length == 0)
        {
            throw new IllegalArgumentException("a waiter needs one subscription at least, and there is none");
        }
        final Set<Subscription> known = new HashSet<>();
        final RingSubscription[] own = new RingSubscription[subscriptions.length];
        for (int i = 0; i < subscriptions.length; i++)
        {
            if (!(subscriptions[i] instanceof final RingSubscription subscription))
            {
                throw new IllegalArgumentException("subscription " + i + " of " + subscriptions.length + ", " +
                    subscriptions[i] + ", was not made by addSubscription: give that one an awaitMessage of its own");
            }
            if (!known.add(subscription))
            {
                throw new IllegalArgumentException(subscription + " is there twice: name each subscription once");
            }
            own[i] = subscription;
        }
        return new MessageWaiter(own);
    }

    /**
     * Sleeps until a poll of one of the subscriptions may find something.
     *
     * @param timeout most time to sleep; 0 or less only looks.
     * @return false if the time passed, the thread was interrupted (the interrupt stays pending) or one of the
     *         subscriptions was closed.
     * @throws ConcurrentPollException if another thread polls one of them.
     * @throws IllegalStateException   from within a handler of one of them.
     */
    public boolean await(final long timeout, final TimeUnit unit)
    {
        final long start = System.nanoTime();
        final long limit = unit.toNanos(timeout);
        int entered = 0;
        try
        {
            for (; entered < subscriptions.length; entered++)
            {
                inside[entered] = subscriptions[entered].guard().enter();
            }
            while (!Thread.currentThread().isInterrupted())
            {
                if (!look())
                {
                    return false;
                }
                final boolean ready = isReady();
                LateFault.raise();
                if (ready)
                {
                    return true;
                }
                final long left = limit - (System.nanoTime() - start);
                if (left <= 0)
                {
                    return false;
                }
                sleep(left);
            }
            return false;
        }
        catch (final InternalError fault)
        {
            FaultedRings.check(fault);
            return true;
        }
        finally
        {
            if (entered == subscriptions.length)
            {
                // An image that is closed is garbage before the next wait. Not by a thread that was refused.
                Arrays.fill(images, null);
            }
            while (entered > 0)
            {
                entered--;
                subscriptions[entered].guard().exit(inside[entered]);
            }
        }
    }

    /** Takes the images as they are; false if a subscription is closed. */
    private boolean look()
    {
        for (int i = 0; i < subscriptions.length; i++)
        {
            // Before all that a wake-up is about: a change after it ends the wait.
            tickets[i] = subscriptions[i].messageWait().ticket();
            // Behind the ticket: who takes an image away looks at the stay, and then ends the wait.
            subscriptions[i].guard().renew(inside[i]);
            if (subscriptions[i].isClosed())
            {
                return false;
            }
            images[i] = subscriptions[i].current();
        }
        return true;
    }

    private boolean isReady()
    {
        for (final RingImage[] each : images)
        {
            if (RingSubscription.isReady(each))
            {
                return true;
            }
        }
        return false;
    }

    private void sleep(final long timeoutNanos)
    {
        int words = subscriptions.length;
        for (final RingImage[] each : images)
        {
            words += each.length;
        }
        if (!sleeper.fits(words))
        {
            BellSleeper.sleepShortly(timeoutNanos);
            return;
        }
        sleeper.begin();
        for (int i = 0; i < subscriptions.length; i++)
        {
            sleeper.add(subscriptions[i].messageWait().address(), tickets[i]);
            sleeper.add(images[i]);
        }
        if (!sleeper.fence() || !isReady())
        {
            sleeper.sleep(timeoutNanos);
        }
    }

    @Override
    public String toString()
    {
        return "waiter for " + List.of(subscriptions);
    }
}

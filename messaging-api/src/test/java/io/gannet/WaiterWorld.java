package io.gannet;

import java.util.concurrent.TimeUnit;

/** As {@link WaitWorld}, with one waiter for two subscriptions: the second wakes it, and is closed. */
final class WaiterWorld extends WaitWorld
{
    private final MessageWaiter waiter = MessageWaiter.of(new RingSubscription(null), subscription);

    WaiterWorld(final long seed, final String[] sites)
    {
        super(seed, sites);
    }

    @Override
    boolean await()
    {
        return waiter.await(1, TimeUnit.DAYS);
    }
}

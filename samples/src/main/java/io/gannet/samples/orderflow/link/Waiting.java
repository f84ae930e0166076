package io.gannet.samples.orderflow.link;

import io.gannet.MessageWaiter;
import io.gannet.Subscription;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

/**
 * How threads of order flow wait.
 */
public enum Waiting
{
    /** Never gives its processor away. */
    SPIN,
    /** Lets others run, never sleeps. */
    YIELD,
    /** Lets others run for a while, then sleeps up to 1 ms, over Gannet until a message comes. */
    SLEEP;

    private static final int PLENTY = 8;
    private static final int YIELDS = 500;

    /** What suits this machine: gateway, engine and a client have some eight threads that never rest. */
    public static Waiting forThisMachine()
    {
        return Runtime.getRuntime().availableProcessors() >= PLENTY ? SPIN : SLEEP;
    }

    /** By its name in any case, or "auto". */
    public static Waiting of(final String name)
    {
        return name.equalsIgnoreCase("auto") ? forThisMachine() : valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** A strategy for one thread. */
    public IdleStrategy strategy()
    {
        return switch (this)
        {
            case SPIN -> BusySpinIdleStrategy.INSTANCE;
            case YIELD -> YieldingIdleStrategy.INSTANCE;
            case SLEEP -> new BackoffIdleStrategy(0, YIELDS, 10_000, 1_000_000);
        };
    }

    /** A strategy for the one thread that reads these streams: a message ends its sleep, where the transport can. */
    public IdleStrategy strategy(final Inlet... inlets)
    {
        final Subscription[] subscriptions =
            Arrays.stream(inlets).map(Inlet::subscription).filter(Objects::nonNull).toArray(Subscription[]::new);
        return this != SLEEP || subscriptions.length < inlets.length ? strategy() :
            new BellIdle(MessageWaiter.of(subscriptions), YIELDS);
    }
}

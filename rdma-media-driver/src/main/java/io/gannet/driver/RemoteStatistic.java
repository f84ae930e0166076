package io.gannet.driver;

import io.gannet.driver.stream.StreamCounters;
import java.util.function.ToLongFunction;

/**
 * What is counted of a stream to, or from, one other host. The counter's type id is {@link #FIRST_TYPE_ID} and the
 * ordinal; its label starts with {@code to host:port: } or {@code from host:port: }.
 */
public enum RemoteStatistic
{
    /** Position that the host's subscribers have consumed, or that this host's have. */
    CONSUMED("consumed position", StreamCounters::consumed),
    /** Position up to which it was sent, or received. */
    POSITION("position", StreamCounters::position),
    /** Of frames. */
    BYTES("bytes", StreamCounters::bytes),
    /** Frames. */
    MESSAGES("messages", StreamCounters::messages),
    /** Work requests posted. */
    REQUESTS("work requests", StreamCounters::requests),
    /** Posts: doorbells rung. */
    POSTS("posts", StreamCounters::doorbells),
    /** Work requests with their bytes inline. */
    INLINE("inline work requests", StreamCounters::inlineRequests),
    /** Work requests that asked for a completion. */
    SIGNALED("signaled work requests", StreamCounters::signaledRequests),
    /** Work requests that no completion covers. */
    OUTSTANDING("outstanding work requests", StreamCounters::outstanding),
    /** Receives of the peer that are left. */
    CREDITS("credits", StreamCounters::credits),
    /** Connections lost as the peer had no receive posted. */
    RNR("receiver not ready", StreamCounters::rnrErrors),
    /** Connections after the first one. */
    RECONNECTS("reconnects", StreamCounters::reconnects),
    /** Words of the peer that could not be true. */
    IGNORED("ignored feedback", StreamCounters::ignoredFeedback),
    /** What the sender waits for: ordinal of {@link StreamCounters.Hold}. */
    HOLD("held back by (1 subscriber, 2 credits, 3 device, 4 no connection)", counters -> counters.hold().ordinal()),
    /** Since when, in nanoseconds of the monotonic clock. */
    HELD_SINCE("held back since, ns", StreamCounters::holdSince);

    /** Of the first statistic. */
    public static final int FIRST_TYPE_ID = 20;

    private static final RemoteStatistic[] VALUES = values();

    private final String label;
    private final ToLongFunction<StreamCounters> value;

    RemoteStatistic(final String label, final ToLongFunction<StreamCounters> value)
    {
        this.label = label;
        this.value = value;
    }

    /** {@return the statistic of a counter's type; null for other counters} */
    public static RemoteStatistic of(final int typeId)
    {
        final int index = typeId - FIRST_TYPE_ID;
        return index < 0 || index >= VALUES.length ? null : VALUES[index];
    }

    int typeId()
    {
        return FIRST_TYPE_ID + ordinal();
    }

    String label()
    {
        return label;
    }

    long of(final StreamCounters counters)
    {
        return value.applyAsLong(counters);
    }
}

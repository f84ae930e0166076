package io.gannet.counters;

/**
 * What is counted of a stream to, or from, one other host. The counter's label starts with {@code to host:port: } or
 * {@code from host:port: }.
 */
public enum RemoteStatistic
{
    /** Position that the host's subscribers have consumed, or that this host's have. Clients know its type id. */
    CONSUMED(20, "consumed position"),
    /** Position up to which it was sent, or received. */
    POSITION(21, "position"),
    /** Of frames. */
    BYTES(22, "bytes"),
    /** Frames. */
    MESSAGES(23, "messages"),
    /** Work requests posted. */
    REQUESTS(24, "work requests"),
    /** Posts: doorbells rung. */
    POSTS(25, "posts"),
    /** Work requests with their bytes inline. */
    INLINE(26, "inline work requests"),
    /** Work requests that asked for a completion. */
    SIGNALED(27, "signaled work requests"),
    /** Work requests that no completion covers. */
    OUTSTANDING(28, "outstanding work requests"),
    /** Receives of the peer that are left. */
    CREDITS(29, "credits"),
    /** Connections lost as the peer had no receive posted. */
    RNR(30, "receiver not ready"),
    /** Connections after the first one. */
    RECONNECTS(31, "reconnects"),
    /** Words of the peer that could not be true. */
    IGNORED(32, "ignored feedback"),
    /** What the sender waits for: 0 nothing, 1 subscriber, 2 credits, 3 device, 4 connection. */
    HOLD(33, "held back by (1 subscriber, 2 credits, 3 device, 4 no connection)"),
    /** Since when, in nanoseconds of the monotonic clock. */
    HELD_SINCE(34, "held back since, ns"),
    /** Polls, while it is connected, of the completion queue of its connection, which other streams share. */
    POLLS(35, "completion queue polls"),
    /** Those polls that found nothing. */
    EMPTY_POLLS(36, "empty completion queue polls"),
    /** Bytes between what was published, or received, and what was consumed. */
    LAG(37, "lag, bytes"),
    /** Of frames that were not inline. */
    FETCHED(38, "bytes for the device to read");

    private static final RemoteStatistic[] VALUES = values();

    private final int typeId;
    private final String label;

    RemoteStatistic(final int typeId, final String label)
    {
        this.typeId = typeId;
        this.label = label;
    }

    /** {@return the statistic of a counter's type; null for other counters} */
    public static RemoteStatistic of(final int typeId)
    {
        for (final RemoteStatistic statistic : VALUES)
        {
            if (statistic.typeId == typeId)
            {
                return statistic;
            }
        }
        return null;
    }

    /** {@return the type id of its counters in the control file} */
    public int typeId()
    {
        return typeId;
    }

    /** {@return what follows the host in the counter's label} */
    public String label()
    {
        return label;
    }
}

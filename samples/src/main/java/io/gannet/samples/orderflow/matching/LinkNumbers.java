package io.gannet.samples.orderflow.matching;

/**
 * The last command that the engine took of each gateway, and the epoch of that gateway's numbers. Not thread-safe.
 */
public final class LinkNumbers
{
    /** Gateways are numbered from 0 to this less 1. */
    public static final int MAX_GATEWAYS = 256;

    private static final int GATEWAY_SHIFT = 16;

    private final long[] last = new long[MAX_GATEWAYS];
    private final long[] epoch = new long[MAX_GATEWAYS];

    /** The gateway that a session belongs to: the high 16 bits of its id. */
    public static int gatewayOf(final int sessionId)
    {
        return sessionId >>> GATEWAY_SHIFT;
    }

    /** Number of the last command taken of a gateway. */
    public long last(final int gateway)
    {
        return last[gateway];
    }

    /** Epoch of its numbers; 0 before its first link. */
    public long epoch(final int gateway)
    {
        return epoch[gateway];
    }

    /** A command was taken. */
    public void took(final int gateway, final long number)
    {
        last[gateway] = number;
    }

    /**
     * The gateway begins anew, or goes on if the epoch is the same; false in that case. An epoch before the present one
     * is that of a store that was replaced: never taken, see {@link #isOver}.
     */
    public boolean begin(final int gateway, final long newEpoch)
    {
        if (newEpoch <= epoch[gateway])
        {
            return false;
        }
        epoch[gateway] = newEpoch;
        last[gateway] = 0;
        return true;
    }

    /** Whether a newer store than that of this epoch has the gateway's number. */
    public boolean isOver(final int gateway, final long ofEpoch)
    {
        return ofEpoch < epoch[gateway];
    }

    void save(final StateWriter out)
    {
        for (int i = 0; i < MAX_GATEWAYS; i++)
        {
            out.putLong(epoch[i]);
            out.putLong(last[i]);
        }
    }

    void load(final StateReader in)
    {
        for (int i = 0; i < MAX_GATEWAYS; i++)
        {
            epoch[i] = in.getLong();
            last[i] = in.getLong();
        }
    }

    /** Takes over another's numbers. */
    public void copyFrom(final LinkNumbers other)
    {
        System.arraycopy(other.last, 0, last, 0, MAX_GATEWAYS);
        System.arraycopy(other.epoch, 0, epoch, 0, MAX_GATEWAYS);
    }
}

package io.gannet.perf.rig;

/**
 * How far apart the two measuring processors are, by the round trip of one cache line. On a virtual machine it changes
 * within seconds, and results of one placement can't be compared with results of the other.
 */
public enum Placement
{
    /** Both behind one cache. */
    NEAR("near"),
    /** The line crosses an interconnect. */
    FAR("far"),
    /** It changed during the phase. */
    MOVED("moved"),
    /** The probe got no answer in time. */
    UNKNOWN("unknown");

    private final String label;

    Placement(final String label)
    {
        this.label = label;
    }

    /** Name in rows. */
    public String label()
    {
        return label;
    }

    /** Whether phases with it count. */
    public boolean counts()
    {
        return this == NEAR || this == FAR;
    }

    static Placement of(final long before, final long after, final long nearNanos)
    {
        if (before <= 0 || after <= 0)
        {
            return UNKNOWN;
        }
        final boolean near = before < nearNanos;
        if (near != after < nearNanos)
        {
            return MOVED;
        }
        return near ? NEAR : FAR;
    }
}

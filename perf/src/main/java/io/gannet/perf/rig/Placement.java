package io.gannet.perf.rig;

import java.util.List;

/**
 * How far apart the two measuring processors are, by the round trip of one cache line. On a virtual machine it changes
 * within seconds, and results of one placement can't be compared with results of the other. With more threads than
 * processors there is nothing to probe: the kernel moves the threads within a phase.
 */
public enum Placement
{
    /** Both behind one cache. */
    NEAR("near"),
    /** The line crosses an interconnect. */
    FAR("far"),
    /** More threads than processors, each free to run on any: not probed. Counts, with a bar of its own. */
    ANY("any"),
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
        return this == NEAR || this == FAR || this == ANY;
    }

    /**
     * The placements that a run can have results of, near first: those of the probe, unless no scenario of the run was
     * probed, and that of crowded scenarios, if there were any.
     */
    public static List<Placement> ofResults(final Results results)
    {
        final boolean crowded = results.samples().stream().anyMatch(sample -> sample.placement() == ANY);
        final boolean probed = results.samples().stream().anyMatch(sample -> sample.placement() != ANY);
        return !crowded ? List.of(NEAR, FAR) : probed ? List.of(NEAR, FAR, ANY) : List.of(ANY);
    }

    /**
     * Of a phase that was probed.
     *
     * @param before    round trip before it in nanoseconds; 0 or less if there was no answer.
     * @param after     the same after it.
     * @param nearNanos round trips below this are near.
     */
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

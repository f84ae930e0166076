package io.gannet.ring.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Trivial pair while the ring is being written. */
@JCStressTest
@Outcome(id = {"0, 0", "0, 1", "1, 1"}, expect = Expect.ACCEPTABLE, desc = "in order")
@Outcome(expect = Expect.FORBIDDEN, desc = "reordered")
@State
public class WiringStress
{
    private int x;
    private volatile int y;

    /** Writes. */
    @Actor
    public void writer()
    {
        x = 1;
        y = 1;
    }

    /** Reads. */
    @Actor
    public void reader(final II_Result r)
    {
        r.r1 = y;
        r.r2 = x;
    }
}

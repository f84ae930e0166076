package io.gannet;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** Who sees a counter's value sees what was written before it. */
@JCStressTest
@Outcome(id = {"0, 0", "0, 1", "1, 1"}, expect = Expect.ACCEPTABLE, desc = "in order")
@Outcome(expect = Expect.FORBIDDEN, desc = "counted before it was there")
@State
public class CounterValueStress
{
    private final MappedCounter counter = new MappedCounter(null, 1000, "test");
    private long before;

    /** Counts. */
    @Actor
    public void count()
    {
        before = 1;
        counter.set(1);
    }

    /** Reads the value and what was written before it. */
    @Actor
    public void read(final JJ_Result result)
    {
        result.r1 = counter.get();
        result.r2 = before;
    }
}

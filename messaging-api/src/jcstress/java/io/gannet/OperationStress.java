package io.gannet;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** An operation that is done has its result. */
@JCStressTest
@Outcome(id = {"false, false", "true, true"}, expect = Expect.ACCEPTABLE, desc = "not done, or done with its result")
@Outcome(expect = Expect.FORBIDDEN, desc = "done without its result")
@State
public class OperationStress
{
    private static final String RESULT = "result";

    private final Operation operation = new Operation(null);

    /** Completes it. */
    @Actor
    public void complete()
    {
        operation.complete(RESULT);
    }

    /** Looks at it. */
    @Actor
    public void look(final ZZ_Result result)
    {
        result.r1 = operation.isDone();
        result.r2 = result.r1 && RESULT.equals(operation.result());
    }
}

package io.gannet.control;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** A client arrives: the driver that sees the number grow finds what the client made before. */
@JCStressTest
@Outcome(id = {"false, 0", "false, 1", "true, 1"}, expect = Expect.ACCEPTABLE, desc = "not counted, or there")
@Outcome(expect = Expect.FORBIDDEN, desc = "counted before it is there")
@State
public class ArrivalStress
{
    private static final StressDirectories DIRECTORIES = new StressDirectories();
    private static final DriverFile[] DRIVERS = new DriverFile[StressDirectories.COUNT];
    private static final DriverFile[] CLIENTS = new DriverFile[StressDirectories.COUNT];

    static
    {
        for (int i = 0; i < StressDirectories.COUNT; i++)
        {
            DRIVERS[i] = DriverFile.acquire(DIRECTORIES.get(i), "test");
            CLIENTS[i] = DriverFile.open(DIRECTORIES.get(i), true);
        }
    }

    private final int index = DIRECTORIES.nextIndex();
    private final long before = DRIVERS[index].arrivals();
    private int made;

    /** The client. */
    @Actor
    public void arrive()
    {
        made = 1;
        CLIENTS[index].arrive();
    }

    /** The driver. */
    @Actor
    public void look(final ZI_Result result)
    {
        result.r1 = DRIVERS[index].arrivals() != before;
        result.r2 = made;
    }
}

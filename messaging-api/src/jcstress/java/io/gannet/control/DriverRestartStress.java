package io.gannet.control;

import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/**
 * A driver starts again while a client of the one before looks: with the epoch comes who it is and that it is open,
 * and with the word that it runs all that it made before.
 */
@JCStressTest
@Outcome(id = {"false, true, true", "true, true, true"}, expect = Expect.ACCEPTABLE, desc = "before, or with all of it")
@Outcome(expect = Expect.FORBIDDEN, desc = "an epoch or a running driver without what came before it")
@State
public class DriverRestartStress
{
    private static final StressDirectories DIRECTORIES = new StressDirectories();
    private static final DriverFile[] DRIVERS = new DriverFile[StressDirectories.COUNT];
    private static final DriverFile[] CLIENTS = new DriverFile[StressDirectories.COUNT];
    private static final AtomicLong STARTS = new AtomicLong();

    static
    {
        for (int i = 0; i < StressDirectories.COUNT; i++)
        {
            DRIVERS[i] = DriverFile.acquire(DIRECTORIES.get(i), "first");
            CLIENTS[i] = DriverFile.open(DIRECTORIES.get(i), false);
        }
    }

    private final int index = DIRECTORIES.nextIndex();
    private final String version = "start " + STARTS.incrementAndGet();
    private final long epochBefore;
    private int made;

    /** The driver before is closed. */
    public DriverRestartStress()
    {
        DRIVERS[index].close();
        epochBefore = CLIENTS[index].epoch();
    }

    /** The next driver. */
    @Actor
    public void start()
    {
        DRIVERS[index] = DriverFile.acquire(DIRECTORIES.get(index), version);
        made = 1;
        DRIVERS[index].running();
    }

    /** A client. */
    @Actor
    public void look(final ZZZ_Result result)
    {
        final DriverFile driver = CLIENTS[index];
        result.r1 = driver.epoch() != epochBefore;
        result.r2 = !result.r1 || (driver.info().version().equals(version) && !driver.isCleanlyClosed());
        result.r3 = !driver.isRunning() || made == 1;
    }
}

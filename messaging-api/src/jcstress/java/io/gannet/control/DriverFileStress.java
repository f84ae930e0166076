package io.gannet.control;

import io.gannet.control.ControlException.Reason;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A directory's first driver makes its file: who opens it finds none, an unfinished one, or all of it. */
@JCStressTest
@Outcome(id = {"0", "1"}, expect = Expect.ACCEPTABLE, desc = "not there yet")
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "with its description")
@Outcome(expect = Expect.FORBIDDEN, desc = "finished without its description, or refused")
@State
public class DriverFileStress
{
    private static final String VERSION = "first";
    private static final StressDirectories DIRECTORIES = new StressDirectories();
    private static final DriverFile[] DRIVERS = new DriverFile[StressDirectories.COUNT];

    private final int index = DIRECTORIES.nextIndex();

    /** A directory without a driver's file. */
    public DriverFileStress()
    {
        if (DRIVERS[index] != null)
        {
            DRIVERS[index].close();
            MappedFile.delete(DIRECTORIES.get(index).driver());
        }
    }

    /** The driver. */
    @Actor
    public void make()
    {
        DRIVERS[index] = DriverFile.acquire(DIRECTORIES.get(index), VERSION);
    }

    /** A client. */
    @Actor
    public void open(final I_Result result)
    {
        try (DriverFile driver = DriverFile.open(DIRECTORIES.get(index), false))
        {
            result.r1 = driver.info().version().equals(VERSION) && driver.info().epoch() != 0 ? 2 : 3;
        }
        catch (final ControlException ex)
        {
            result.r1 = ex.reason() == Reason.MISSING ? 0 : ex.reason() == Reason.INCOMPLETE ? 1 : 4;
        }
    }
}

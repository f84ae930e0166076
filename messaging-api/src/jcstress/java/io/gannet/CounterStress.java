package io.gannet;

import io.gannet.control.ControlFile;
import io.gannet.control.DriverInfo;
import io.gannet.control.GannetDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.status.CountersReader;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/** A counter that moves to another control file while it is set shows its last value there. */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "shown")
@Outcome(expect = Expect.FORBIDDEN, desc = "a value was lost")
@State
public class CounterStress
{
    private static final int COUNTERS = 1 << 12;
    private static final ControlFile FILE = file();
    private static final AtomicInteger NEXT = new AtomicInteger();

    private final int id = NEXT.getAndIncrement() & (COUNTERS - 1);
    private final MappedCounter counter = new MappedCounter(null, 1000, "test");

    /** A counter without a place. */
    public CounterStress()
    {
        FILE.valuesBuffer().putLongVolatile(CountersReader.counterOffset(id), 0);
    }

    private static ControlFile file()
    {
        try
        {
            final Path directory = Files.createTempDirectory("gannet-counters");
            final ControlFile file = ControlFile.create(
                new GannetDirectory(directory), new DriverInfo(1, 1, "test", 1, 1, 1), COUNTERS, 4096);
            Files.delete(directory.resolve("control"));
            Files.delete(directory);
            return file;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Counts. */
    @Actor
    public void count()
    {
        counter.set(1);
        counter.set(2);
    }

    /** Moves it. */
    @Actor
    public void move()
    {
        counter.moveTo(FILE, id);
    }

    /** What is shown in the end. */
    @Arbiter
    public void look(final J_Result result)
    {
        result.r1 = FILE.valuesBuffer().getLongVolatile(CountersReader.counterOffset(id));
    }
}

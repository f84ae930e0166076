package io.gannet.control;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A conductor that goes to sleep sees the message, or the sender sees that it sleeps and wakes it. */
@JCStressTest
@Outcome(id = {"true, false", "true, true", "false, false"}, expect = Expect.ACCEPTABLE, desc = "seen, or woken")
@Outcome(expect = Expect.FORBIDDEN, desc = "asleep with a message")
@State
public class ConductorBellStress
{
    private static final int BELLS = 1 << 12;
    private static final int DISTANCE = 128;
    private static final MappedFile FILE = file();
    private static final AtomicInteger NEXT = new AtomicInteger();

    private final int offset = (NEXT.getAndIncrement() & (BELLS - 1)) * DISTANCE;
    private final Bell bell = new Bell(FILE, offset, null);
    private final AtomicInteger message = new AtomicInteger();

    /** An awake conductor. */
    public ConductorBellStress()
    {
        bell.disarm();
    }

    private static MappedFile file()
    {
        try
        {
            final Path directory = Files.createTempDirectory("gannet-bell");
            final Path path = directory.resolve("bell");
            final MappedFile file = MappedFile.create(new GannetDirectory(directory), path, BELLS * DISTANCE);
            MappedFile.delete(path);
            Files.delete(directory);
            return file;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Announces a sleep and looks once more. */
    @Actor
    public void sleep(final ZZ_Result result)
    {
        bell.arm();
        result.r1 = message.getAcquire() == 1;
    }

    /** Sends and rings. */
    @Actor
    public void send()
    {
        message.setRelease(1);
        bell.ring();
    }

    /** Whether the conductor would sleep now. */
    @Arbiter
    public void look(final ZZ_Result result)
    {
        result.r2 = FILE.buffer().getInt(offset) != 0;
    }
}

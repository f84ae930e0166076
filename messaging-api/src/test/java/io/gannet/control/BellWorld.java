package io.gannet.control;

import io.gannet.os.NamedPipe;
import io.gannet.ring.model.ProcessWorld;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A conductor sleeps on its bell or in poll(2) when there is no message, and two threads send one each and ring. */
final class BellWorld extends ProcessWorld
{
    private static final MappedFile FILE = file();
    private static final int RINGERS = 2;

    private final NamedPipe pipe = new NamedPipe(Path.of("none"));
    private final Bell bell = new Bell(FILE, 0, pipe);

    BellWorld(final long seed, final String[] sites)
    {
        super(null, seed, sites);
        thread("sleeper", this::work);
        for (int i = 0; i < RINGERS; i++)
        {
            final String message = "message" + i;
            thread("ringer" + i, () ->
            {
                pause(40);
                publish(message, 1);
                bell.ring();
            });
        }
    }

    private static MappedFile file()
    {
        try
        {
            final Path directory = Files.createTempDirectory("gannet-bell");
            final MappedFile file =
                MappedFile.create(new GannetDirectory(directory), directory.resolve("bell"), 4096);
            MappedFile.delete(directory.resolve("bell"));
            Files.delete(directory);
            return file;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void work()
    {
        while (!isDone())
        {
            final boolean polls = random.nextBoolean();
            if (polls)
            {
                bell.armPipe();
            }
            else
            {
                bell.arm();
            }
            if (isDone())
            {
                bell.disarm();
                return;
            }
            if (polls)
            {
                awaitSignal(pipe);
                bell.disarm();
            }
            else
            {
                bell.sleep(1);
            }
        }
    }

    private static boolean isDone()
    {
        boolean done = true;
        for (int i = 0; i < RINGERS; i++)
        {
            done &= observe("message" + i) == 1;
        }
        return done;
    }
}

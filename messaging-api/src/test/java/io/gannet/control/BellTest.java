package io.gannet.control;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.os.LateFault;
import io.gannet.os.NamedPipe;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bell whose file is truncated: one kind of error, whoever finds it, at whichever point of a sleep or a wake-up. */
class BellTest
{
    /** So that what follows is compiled, which goes on behind an access to memory that is gone. */
    private static final int WARM_UP = 40_000;

    @TempDir
    private Path directory;

    private MappedFile file;
    private Bell bell;

    @BeforeEach
    void make()
    {
        file = MappedFile.create(new GannetDirectory(directory), directory.resolve("bell"), 4096);
        bell = new Bell(file, 0, new NamedPipe(directory.resolve("none")));
    }

    @AfterEach
    void unmap()
    {
        file.unmap();
        LateFault.discard();
    }

    private void truncate() throws IOException
    {
        try (FileChannel channel = FileChannel.open(directory.resolve("bell"), StandardOpenOption.WRITE))
        {
            channel.truncate(0);
        }
    }

    /** Nothing has been accessed since, so that the kernel is the first to find it. */
    @Test
    void aSleepThatBeginsBehindTheTruncationIsAFaultOfMemory() throws IOException
    {
        bell.arm();
        truncate();
        assertThatThrownBy(() -> bell.sleep(TimeUnit.SECONDS.toNanos(60))).isInstanceOf(InternalError.class);
    }

    @Test
    void anythingElseIsAFaultOfMemoryTooAtOnceOrSoon() throws IOException
    {
        for (int i = 0; i < WARM_UP; i++)
        {
            bell.arm();
            bell.ring();
            bell.disarm();
        }
        bell.arm();
        truncate();
        for (final Runnable step : new Runnable[]{bell::ring, bell::arm, bell::disarm, bell::armPipe, bell::ring})
        {
            assertThatThrownBy(() ->
            {
                step.run();
                LateFault.raise();
            }).isInstanceOf(InternalError.class);
        }
    }
}

package io.gannet.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LateFaultTest
{
    private static final int WARM_UP = 40_000;
    private static final int ROUNDS = 2_000;

    @TempDir
    Path directory;

    private long sum;
    private int interrupted;
    private int finished;

    @Test
    void noFaultInterruptsWhatFollowsADiscard() throws IOException
    {
        final Path path = Files.write(directory.resolve("file"), new byte[Mapping.PAGE_SIZE]);
        try (SharedFile file = SharedFile.open(path))
        {
            final long address = Mapping.map(file, 0, Mapping.PAGE_SIZE, true, false);
            final UnsafeBuffer buffer = new UnsafeBuffer(address, Mapping.PAGE_SIZE);
            for (int i = 0; i < WARM_UP; i++)
            {
                touchAndWork(buffer);
            }
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE))
            {
                channel.truncate(0);
            }
            finished = 0;
            for (int i = 0; i < ROUNDS; i++)
            {
                touchAndWork(buffer);
            }
            Mapping.unmap(address, Mapping.PAGE_SIZE);
        }
        assertThat(interrupted).isZero();
        assertThat(finished).isEqualTo(ROUNDS);
        assertThat(LateFault.discard()).isFalse();
        assertThat(sum).isPositive();
    }

    private void touchAndWork(final UnsafeBuffer buffer)
    {
        try
        {
            sum += buffer.getLongVolatile(0);
        }
        catch (final InternalError atOnce)
        {
            sum++;
        }
        LateFault.discard();
        try
        {
            work();
        }
        catch (final InternalError late)
        {
            interrupted++;
        }
    }

    private void work()
    {
        for (int i = 0; i < 10; i++)
        {
            sum += Processes.pid() + i;
        }
        finished++;
    }
}

package io.gannet.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class NamedPipeTest
{
    private static final long FOREVER = TimeUnit.MINUTES.toNanos(5);

    @TempDir
    private Path folder;

    @Test
    void aSignalFromAnotherOpenerEndsTheWait() throws InterruptedException
    {
        final Path path = folder.resolve("bell");
        try (NamedPipe sleeper = new NamedPipe(path); NamedPipe waker = new NamedPipe(path);
            EventCounter other = new EventCounter())
        {
            sleeper.make(0600);
            try (DescriptorSet set = new DescriptorSet(other.descriptor(), sleeper.descriptor()))
            {
                assertThat(set.await(1)).isFalse();
                final Thread thread = Thread.ofPlatform().start(waker::signal);
                assertThat(set.await(FOREVER)).isTrue();
                assertThat(set.isReady(0)).isFalse();
                assertThat(set.isReady(1)).isTrue();
                thread.join();
                sleeper.drain();
                assertThat(set.await(1)).isFalse();
            }
        }
    }

    @Test
    void aFullPipeIsAsGoodAsOneMoreByte()
    {
        final Path path = folder.resolve("bell");
        try (NamedPipe pipe = new NamedPipe(path); NamedPipe again = new NamedPipe(path))
        {
            pipe.make(0600);
            again.make(0600);
            for (int i = 0; i < 100_000; i++)
            {
                pipe.signal();
            }
            try (DescriptorSet set = new DescriptorSet(again.descriptor()))
            {
                assertThat(set.await(FOREVER)).isTrue();
            }
        }
    }

    @Test
    void nobodyIsWokenWhereThereIsNoPipe()
    {
        try (NamedPipe pipe = new NamedPipe(folder.resolve("bell")))
        {
            pipe.signal();
            pipe.drain();
        }
        assertThat(folder.resolve("bell")).doesNotExist();
    }
}

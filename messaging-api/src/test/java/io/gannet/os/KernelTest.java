package io.gannet.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class KernelTest
{
    private static final long LONG = TimeUnit.SECONDS.toNanos(30);

    @Test
    void tellsProcessesApartByTheirStart()
    {
        assertThat(Processes.pid()).isEqualTo((int) ProcessHandle.current().pid());
        assertThat(Processes.threadId()).isPositive();
        assertThat(Processes.startTime(Processes.pid())).isPositive();
        assertThat(Processes.startTime(Integer.MAX_VALUE)).isEqualTo(-1);
        assertThat(Processes.isStopped(Processes.pid())).isFalse();
    }

    @Test
    void doesNotWaitForAWordThatHasChangedAlready()
    {
        final long address = Mapping.mapAnonymous(4096);
        UnsafeApi.putInt(address, 1);
        assertThat(Futex.await(address, 0, LONG)).isTrue();
        assertThat(Futex.await(address, 1, 1_000)).as("time-out").isFalse();
        assertThat(Futex.wake(address, 1)).isZero();
        Mapping.unmap(address, 4096);
    }

    @Test
    void reportsAWordThatIsNoneAndNotATimeout()
    {
        assertThatThrownBy(() -> Futex.await(1, 0, LONG))
            .isInstanceOf(OsException.class).hasMessageContaining("EINVAL");
    }

    @Test
    void sleepsWithoutGarbageLongBeforeItIsCompiled() throws IOException
    {
        final long address = Mapping.mapAnonymous(4096);
        final Path directory = Files.createTempDirectory(Path.of("/dev/shm"), "gannet-kernel-test");
        final Path path = directory.resolve("file");
        try (SharedFile file = SharedFile.create(path, 0600))
        {
            final DirectoryTime time = new DirectoryTime(directory);
            final boolean fences = Membarrier.isSupported();
            final Runnable sleeps = () ->
            {
                Futex.await(address, 0, 1_000);
                Futex.wake(address, 1);
                file.isLockedByOther();
                time.modified();
                if (fences)
                {
                    Membarrier.fence();
                }
            };
            final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            repeat(sleeps, 400);
            // Garbage of each call is in each window. On a busy machine the JVM links something late, in one of them.
            long least = Long.MAX_VALUE;
            for (int window = 0; window < 4; window++)
            {
                final long before = threads.getCurrentThreadAllocatedBytes();
                repeat(sleeps, 100);
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(least).isLessThan(256);
        }
        finally
        {
            Files.delete(path);
            Files.delete(directory);
            Mapping.unmap(address, 4096);
        }
    }

    private static void repeat(final Runnable action, final int times)
    {
        for (int i = 0; i < times; i++)
        {
            action.run();
        }
    }

    @Test
    void tellsWhenADirectoryChanged() throws IOException
    {
        final Path directory = Files.createTempDirectory(Path.of("/dev/shm"), "gannet-kernel-test");
        try
        {
            final DirectoryTime time = new DirectoryTime(directory);
            assertThat(time.modified() / 1000).isEqualTo(
                Files.getLastModifiedTime(directory).to(TimeUnit.MICROSECONDS));
            Files.setLastModifiedTime(directory, FileTime.from(1_234_567_890_123L, TimeUnit.MILLISECONDS));
            assertThat(time.modified()).isEqualTo(1_234_567_890_123_000_000L);
        }
        finally
        {
            Files.delete(directory);
        }
        assertThatThrownBy(() -> new DirectoryTime(directory).modified())
            .isInstanceOf(OsException.class).hasMessageContaining("ENOENT").hasMessageContaining(directory.toString());
    }

    @Test
    void wakesASleeperOfOneOfSeveralWords()
    {
        final long address = Mapping.mapAnonymous(4096);
        assumeWaitAny(address);
        final CompletableFuture<Boolean> woken = CompletableFuture.supplyAsync(
            () -> Futex.awaitAny(new long[] {address, address + 128}, new int[] {0, 0}, 2, LONG));
        while (Futex.wake(address + 128, 1) == 0 && !woken.isDone())
        {
            Thread.onSpinWait();
        }
        assertThat(woken.join()).isTrue();
        assertThat(Futex.awaitAny(new long[] {address}, new int[] {0}, 1, 1_000)).as("time-out").isFalse();
        Mapping.unmap(address, 4096);
    }

    private static void assumeWaitAny(final long address)
    {
        try
        {
            Futex.awaitAny(new long[] {address}, new int[] {1}, 1, LONG);
        }
        catch (final OsException ex)
        {
            Assumptions.assumeTrue(
                ex.errno() != Errno.ENOSYS, "futex_waitv: sleeping on several bells was not tested");
            throw ex;
        }
    }

    @Test
    void fencesOtherProcessesWhereTheKernelCan()
    {
        Assumptions.assumeTrue(Membarrier.isSupported(), "membarrier was not tested");
        Membarrier.register();
        Membarrier.register();
        Membarrier.fence();
    }

    @Test
    void bindsAThreadToAProcessorAndNoneThatIsNotThere() throws Exception
    {
        final Throwable[] problem = new Throwable[1];
        final Thread thread = new Thread(() ->
        {
            final BitSet all = Affinity.get();
            final int last = all.length() - 1;
            Affinity.bindTo(last);
            assertThat(Affinity.get().cardinality()).isEqualTo(1);
            assertThat(Affinity.get().get(last)).isTrue();
            Affinity.set(all);
            assertThat(Affinity.get()).isEqualTo(all);
            assertThatThrownBy(() -> Affinity.bindTo(1000))
                .isInstanceOf(OsException.class).hasMessageContaining("EINVAL").hasMessageContaining(all.toString());
            assertThatThrownBy(() -> Affinity.bindTo(100_000)).isInstanceOf(IllegalArgumentException.class);
        });
        // Before it runs, or its failure may be nobody's.
        thread.setUncaughtExceptionHandler((where, thrown) -> problem[0] = thrown);
        thread.start();
        thread.join();
        assertThat(problem[0]).isNull();
    }

    @Test
    void knowsWhichFileSystemsAreMemory()
    {
        assertThat(FileSystem.of(Path.of("/dev/shm")).isMemory()).isTrue();
        assertThat(FileSystem.of(Path.of("/dev/shm")).availableBytes()).isPositive();
        assertThat(FileSystem.of(Path.of("/proc")).isMemory()).isFalse();
        assertThatThrownBy(() -> FileSystem.of(Path.of("/does/not/exist")))
            .isInstanceOf(OsException.class).hasMessageContaining("ENOENT");
    }
}

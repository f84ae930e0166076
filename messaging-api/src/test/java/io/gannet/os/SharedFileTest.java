package io.gannet.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SharedFileTest
{
    private Path directory;
    private Path path;

    @BeforeEach
    void createDirectory() throws IOException
    {
        directory = Files.createTempDirectory(Path.of("/dev/shm"), "gannet-os-test-");
        path = directory.resolve("file");
    }

    @AfterEach
    void removeDirectory() throws IOException
    {
        Files.deleteIfExists(path);
        Files.delete(directory);
    }

    @Test
    void isLockedForOthersInTheSameProcessToo()
    {
        try (SharedFile first = SharedFile.create(path, 0600);
            SharedFile second = SharedFile.open(path))
        {
            assertThat(second.isLockedByOther()).isFalse();
            assertThat(first.tryLock()).isTrue();
            assertThat(first.tryLock()).as("again by its owner").isTrue();
            assertThat(first.isLockedByOther()).isFalse();
            assertThat(second.isLockedByOther()).isTrue();
            assertThat(second.tryLock()).isFalse();
            first.unlock();
            assertThat(second.tryLock()).isTrue();
        }
    }

    @Test
    void losesItsLockWithItsOwnCloseOnly()
    {
        try (SharedFile watcher = SharedFile.openOrCreate(path, 0600))
        {
            final SharedFile owner = SharedFile.open(path);
            assertThat(owner.tryLock()).isTrue();
            SharedFile.open(path).close();
            assertThat(watcher.isLockedByOther()).isTrue();
            owner.close();
            assertThat(watcher.isLockedByOther()).isFalse();
        }
    }

    @Test
    void losesItsLockWhenItsProcessIsKilled() throws Exception
    {
        SharedFile.create(path, 0600).close();
        final Process locker = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-Xshare:auto",
            "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
            Locker.class.getName(), path.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (SharedFile watcher = SharedFile.open(path))
        {
            assertThat(locker.inputReader().readLine()).isEqualTo("locked " + locker.pid());
            assertThat(watcher.isLockedByOther()).isTrue();
            assertThat(Processes.startTime((int) locker.pid())).isPositive();
            locker.destroyForcibly();
            assertThat(locker.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(watcher.isLockedByOther()).isFalse();
            assertThat(watcher.tryLock()).isTrue();
        }
        finally
        {
            locker.destroyForcibly();
        }
    }

    /** Locks a file and waits to be killed. */
    static final class Locker
    {
        private Locker()
        {
        }

        /** The file's path is the argument. */
        @SuppressWarnings("SystemOut")
        public static void main(final String[] args) throws IOException
        {
            try (SharedFile file = SharedFile.open(Path.of(args[0])))
            {
                System.out.println((file.tryLock() ? "locked " : "not locked ") + Processes.pid());
                System.out.flush();
                System.in.read();
            }
        }
    }

    @Test
    void namesFileAndReasonWhenItCannotBeOpened()
    {
        assertThatThrownBy(() -> SharedFile.open(path))
            .isInstanceOf(OsException.class)
            .hasMessage("cannot open " + path + ": ENOENT, no such file or directory");
    }

    @Test
    void cannotBeUsedAfterClose()
    {
        final SharedFile file = SharedFile.create(path, 0600);
        file.close();
        file.close();
        assertThatThrownBy(file::descriptor).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void isMappedTwiceBackToBackAndReplacedByZeroes()
    {
        final long length = 16 * Mapping.PAGE_SIZE;
        try (SharedFile file = SharedFile.create(path, 0600))
        {
            file.reserve(length);
            assertThat(file.length()).isEqualTo(length);
            final long address = Mapping.reserve(2 * length, 1 << 21);
            assertThat(address & ((1 << 21) - 1)).isZero();
            Mapping.mapTwiceAt(address, file, 0, length, true, true);
            UnsafeApi.putLong(address + length - 8, 5);
            assertThat(UnsafeApi.getLong(address + 2 * length - 8)).isEqualTo(5);
            Mapping.replaceByZeroes(address, 2 * length);
            assertThat(UnsafeApi.getLong(address + length - 8)).isZero();
            UnsafeApi.putLong(address, 6);
            Mapping.unmap(address, 2 * length);
            final long again = Mapping.map(file, 0, length, false, false);
            assertThat(UnsafeApi.getLong(again + length - 8)).isEqualTo(5);
            assertThat(UnsafeApi.getLong(again)).isZero();
            Mapping.unmap(again, length);
        }
    }
}

package io.gannet.samples.marketdata.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.control.DriverFile;
import io.gannet.control.GannetDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only what a dead demo left is removed. */
final class LeftoversTest
{
    @TempDir
    private Path parent;

    private Path directory(final long pid, final String name) throws IOException
    {
        final Path directory = Files.createDirectory(parent.resolve("gannet-demo-" + pid + "-" + name));
        Files.createDirectory(directory.resolve("rings"));
        Files.writeString(directory.resolve("rings").resolve("1"), "x");
        return directory;
    }

    private static void age(final Path directory) throws IOException
    {
        Files.setLastModifiedTime(directory, FileTime.from(Instant.now().minusSeconds(3600)));
    }

    private static long deadPid() throws Exception
    {
        final Process process = new ProcessBuilder("true").start();
        process.waitFor();
        return process.pid();
    }

    @Test
    void removesWhatADeadDemoLeftAndNothingElse() throws Exception
    {
        final long dead = deadPid();
        final Path left = directory(dead, "left");
        final Path stopped = directory(dead, "stopped");
        DriverFile.acquire(new GannetDirectory(stopped), "test").close();
        final Path living = directory(ProcessHandle.current().pid(), "living");
        final Path foreign = Files.createDirectory(parent.resolve("gannet-demo-notes"));
        final Path locked = directory(dead, "locked");
        final Path young = directory(dead, "young");
        try (DriverFile driver = DriverFile.acquire(new GannetDirectory(locked), "test"))
        {
            for (final Path old : new Path[]{left, stopped, living, foreign, locked})
            {
                age(old);
            }
            Leftovers.remove(parent);
            assertThat(driver.isAlive()).isTrue();
        }
        assertThat(left).doesNotExist();
        assertThat(stopped).doesNotExist();
        assertThat(living.resolve("rings/1")).exists();
        assertThat(foreign).exists();
        assertThat(locked.resolve("rings/1")).exists();
        assertThat(young.resolve("rings/1")).exists();
    }
}

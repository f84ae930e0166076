package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gannet.DriverState;
import io.gannet.Gannet;
import io.gannet.GannetException;
import io.gannet.Publication;
import io.gannet.RegistrationException;
import io.gannet.Subscription;
import io.gannet.harness.Await;
import io.gannet.harness.ProcessHarness;
import io.gannet.harness.TestDirectory;
import io.gannet.harness.TestProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Directories that are full, mounts, read-only: on small file systems that the test mounts, for which it needs root.
 */
@Tag("root")
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class ShortageIT
{
    @RegisterExtension
    private final ProcessHarness harness = new ProcessHarness();

    private final Path mount = TestDirectory.create("mount");

    @BeforeEach
    void needsRoot()
    {
        final boolean root = "root".equals(System.getProperty("user.name")) && run("unshare", "--mount", "true") == 0;
        if (!root)
        {
            System.err.println("not tested without root: full and read-only file systems (ShortageIT)");
            TestDirectory.remove(mount);
        }
        assumeTrue(root);
        assertThat(run("mount", "-t", "tmpfs", "-o", "size=16m,mode=0700", "gannet-test", mount.toString())).isZero();
    }

    @AfterEach
    void unmount()
    {
        if (Files.exists(mount))
        {
            harness.closeProcesses();
            assertThat(run("umount", mount.toString())).isZero();
            TestDirectory.remove(mount);
        }
    }

    private static int run(final String... command)
    {
        try
        {
            return new ProcessBuilder(command).inheritIO().start().waitFor();
        }
        catch (final IOException e)
        {
            return -1;
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            return -1;
        }
    }

    @Test
    void aFullFileSystemIsOneErrorWithNumbersAndEarlierStreamsGoOn()
    {
        final TestProcess driver = harness.startDriver("--dir", mount + "/", "--max-counters", "1000");
        try (Gannet client = Gannet.connect(new Gannet.Context().directory(mount).driverTimeout(60, TimeUnit.SECONDS));
            Subscription subscription = client.addSubscription("gannet:ipc", 10);
            Publication publication = client.addPublication("gannet:ipc?ring=1m", 10))
        {
            assertThatThrownBy(() -> client.addPublication("gannet:ipc?ring=16m", 11))
                .isInstanceOf(RegistrationException.class)
                .hasMessageContaining(Integer.toString((16 << 20) + 65536)).hasMessageContaining("available");
            Await.until("a connection", publication::isConnected);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[1000]);
            int received = 0;
            for (int i = 0; i < 5_000; i++)
            {
                Await.until("room", () -> publication.offer(message, 0, 1000) > 0);
                received += subscription.poll((buffer, offset, length, header) -> { }, 10);
            }
            while (received < 5_000)
            {
                received += subscription.poll((buffer, offset, length, header) -> { }, 10);
            }
            client.addPublication("gannet:ipc?ring=64k", 12).close();
        }
        assertThat(driver.isAlive()).isTrue();
    }

    @Test
    void aDriverWithoutRoomForItsControlFileSaysSo()
    {
        final TestProcess driver = harness.launchDriver("--dir", mount.toString(), "--max-counters", "100000");
        assertRefused(driver, mount.toString());
        assertThat(driver.lines().getFirst()).contains("available").contains("max-counters=100000")
            .contains("lower max-counters");
        assertThat(TestDirectory.list(mount)).as("what it made").isEmpty();
    }

    /** With default options the control file takes a third of what there is. */
    @Test
    void aDriverRestartsWhereItsRingsHaveTakenAllTheRoomThereIs() throws IOException
    {
        final TestProcess first = harness.startDriver("--dir", mount.toString());
        try (Gannet client = Gannet.connect(new Gannet.Context().directory(mount).driverTimeout(60, TimeUnit.SECONDS)))
        {
            final List<String> refusals = new ArrayList<>();
            for (int stream = 1; refusals.isEmpty(); stream++)
            {
                try
                {
                    client.addPublication("gannet:ipc?ring=512k", stream);
                }
                catch (final RegistrationException full)
                {
                    refusals.add(full.getMessage());
                }
            }
            assertThat(refusals.getFirst()).contains("for the next driver");
            first.kill();
            harness.startDriver("--dir", mount.toString());
            Await.until("the client to be back", () -> client.driverState() == DriverState.RUNNING);
        }
    }

    @Test
    void aDriverRestartsWhereOnlyItsOwnControlFileCanGo() throws IOException
    {
        harness.startDriver("--dir", mount.toString()).kill();
        fill();
        harness.startDriver("--dir", mount.toString());
    }

    @Test
    void aClientWithoutRoomForItsFileSaysSo() throws IOException
    {
        harness.startDriver("--dir", mount.toString());
        fill();
        assertThatThrownBy(() -> Gannet.connect(new Gannet.Context().directory(mount)))
            .isInstanceOf(GannetException.class).hasMessageContaining("client's file")
            .hasMessageContaining("available");
    }

    private void fill() throws IOException
    {
        final byte[] block = new byte[4096];
        try (java.io.OutputStream file = Files.newOutputStream(mount.resolve("filler")))
        {
            for (int i = 0; i < 1 << 20; i++)
            {
                file.write(block);
            }
            throw new AssertionError("the file system has no end");
        }
        catch (final IOException full)
        {
            assertThat(full).hasMessageContaining("space");
        }
    }

    @Test
    void aReadOnlyDirectoryIsRefused()
    {
        assertThat(run("mount", "-o", "remount,ro", mount.toString())).isZero();
        assertRefused(harness.launchDriver("--dir", mount.toString()), mount.toString());
    }

    @Test
    void aDirectoryOnADiskIsRefused() throws IOException
    {
        final Path disk = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "disk");
        assertRefused(harness.launchDriver("--dir", disk.toString()), disk.toString());
        final Path inside = disk.resolve("inside");
        assertRefused(harness.launchDriver("--dir", inside.toString()), inside.toString());
        assertThat(TestDirectory.list(disk)).as("what refused drivers have left").isEmpty();
        Files.delete(disk);
    }

    private void assertRefused(final TestProcess driver, final String text)
    {
        harness.await("the driver's end", () -> !driver.isAlive());
        driver.close();
        assertThat(driver.exitCode()).isEqualTo(1);
        assertThat(driver.lines()).hasSize(1);
        assertThat(driver.lines().getFirst()).startsWith("gannet: ").contains(text);
    }
}

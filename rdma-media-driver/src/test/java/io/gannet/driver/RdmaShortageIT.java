package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.NumberedMessages.Checker;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A subscribers' host whose file system is full, a small one that the test mounts, for which it needs root: the image
 * that does not fit is refused with the numbers, those that do fit come and go on, and it comes when there is room.
 */
@Tag("root")
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class RdmaShortageIT
{
    private static final int STREAM = 10;

    private final Path mount = TestDirectory.create("small");
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final NumberedMessages messages = new NumberedMessages();

    @BeforeEach
    void needsRoot()
    {
        final boolean root = "root".equals(System.getProperty("user.name")) && run("unshare", "--mount", "true") == 0;
        if (!root)
        {
            System.err.println("not tested without root: images on a full file system (RdmaShortageIT)");
            TestDirectory.remove(mount);
        }
        assumeTrue(root);
        assertThat(run("mount", "-t", "tmpfs", "-o", "size=3m,mode=0700", "gannet-test", mount.toString())).isZero();
    }

    @AfterEach
    void unmount()
    {
        if (Files.exists(mount))
        {
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
    void anImageThatDoesNotFitWaitsUntilThereIsRoom() throws IOException
    {
        try (RdmaHost from = new RdmaHost("full-from");
            MediaDriver driver = MediaDriver.launch(DriverConfiguration.defaults()
                .with(DriverOptions.DIRECTORY, mount).with(DriverOptions.MAX_COUNTERS, 500)
                .with(DriverOptions.DEVICE, DeviceKind.ROCE), log::add);
            Gannet publisher = from.connect();
            Gannet subscriber = Gannet.connect(new Gannet.Context().directory(mount)
                .driverTimeout(60, TimeUnit.SECONDS).errorHandler(failure -> told.add(failure.getMessage()))))
        {
            final String channel = "gannet:rdma?endpoint=" + driver.device().substring("roce:".length()) + ":4670";
            try (Subscription small = subscriber.addSubscription(channel, STREAM);
                Publication fits = publisher.addPublication(channel + "|ring=64k", STREAM))
            {
                Await.until("the image that fits", () -> small.isConnected() && fits.isConnected());
                final Path filler = mount.resolve("filler");
                Files.write(filler, new byte[1 << 20]);
                try (Subscription large = subscriber.addSubscription(channel, STREAM + 1);
                    Publication tooLarge = publisher.addPublication(channel + "|ring=1m", STREAM + 1))
                {
                    Await.until("the driver to say so", () -> log.stream().anyMatch(line ->
                        line.contains("no image of stream 11") && line.contains("available")));
                    assertThat(large.isConnected()).isFalse();
                    messages.pass(fits, 0, 2_000, new Checker(small, 0));
                    assertThat(tooLarge.isConnected()).isFalse();
                    Files.delete(filler);
                    Await.until("the image, now that there is room", () ->
                        large.isConnected() && tooLarge.isConnected());
                    messages.pass(tooLarge, 0, 2_000, new Checker(large, 0));
                }
            }
        }
    }
}

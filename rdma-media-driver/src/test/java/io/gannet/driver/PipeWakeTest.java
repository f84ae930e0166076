package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.control.GannetDirectory;
import io.gannet.driver.RawClient.Event;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.protocol.PublicationKind;
import io.gannet.ring.Bell;
import io.gannet.ring.ConcurrentProducer;
import io.gannet.ring.FrameClaim;
import io.gannet.ring.Ring;
import io.gannet.ring.RingFile;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A sender that sleeps in poll(2) until a ring has more is woken when the hole is filled that a dead publisher left:
 * what stands behind it can be sent then.
 */
class PipeWakeTest
{
    private static final String CHANNEL = "gannet:ipc?ring=64k";

    private final Path directory = TestDirectory.create("pipe");
    private final List<String> log = new ArrayList<>();
    private final MediaDriver driver = MediaDriver.launch(DriverConfiguration.defaults()
        .with(DriverOptions.DIRECTORY, directory)
        .with(DriverOptions.THREADING, ThreadingMode.INVOKER)
        .with(DriverOptions.LIVENESS_INTERVAL, 1_000_000L), log::add);
    private final List<RawClient> clients = new ArrayList<>();

    @AfterEach
    void close()
    {
        clients.forEach(RawClient::close);
        driver.close();
        TestDirectory.remove(directory);
    }

    private RawClient client()
    {
        final RawClient client = new RawClient(directory, driver);
        clients.add(client);
        return client.connect(directory);
    }

    @Test
    void theRepairOfARingRingsThePipeOfWhoWaitsForIt() throws IOException
    {
        final RawClient dies = client();
        final RawClient lives = client();
        dies.commands.addPublication(2, 1, PublicationKind.CONCURRENT, 10, CHANNEL, 0);
        final Event ready = dies.await("onPublicationReady");
        lives.commands.addPublication(2, 1, PublicationKind.CONCURRENT, 10, CHANNEL, 0);
        lives.await("onPublicationReady");
        lives.commands.addSubscription(3, 2, 10, "gannet:ipc");
        lives.await("onImageAvailable");
        final Ring ring = RingFile.attach(directory.resolve((String) ready.arguments().get(6)), RingFile.Access.WRITE);
        try (FileInputStream pipe = new FileInputStream(new GannetDirectory(directory).pipe().toFile()))
        {
            new ConcurrentProducer(ring, dies.file.clientId(), Bell.FUTEX_WAKER).tryClaim(64, new FrameClaim());
            final long position = new ConcurrentProducer(ring, lives.file.clientId(), Bell.FUTEX_WAKER)
                .offer(new UnsafeBuffer(new byte[64]), 0, 64);
            assertThat(position).isPositive();
            pipe.skipNBytes(pipe.available());
            new Bell(ring, Bell.FUTEX_WAKER).announce(Bell.WAITER_PIPE);
            dies.close();
            Await.until("the pipe to be rung", () ->
            {
                lives.heartbeat();
                driver.doWork();
                return available(pipe) > 0;
            });
            assertThat(new DirectoryCounters(directory).value("bytes claimed by publishers that died", ""))
                .isPositive();
        }
        finally
        {
            ring.close();
            ring.free();
        }
    }

    private static int available(final FileInputStream pipe)
    {
        try
        {
            return pipe.available();
        }
        catch (final IOException e)
        {
            throw new java.io.UncheckedIOException(e);
        }
    }
}

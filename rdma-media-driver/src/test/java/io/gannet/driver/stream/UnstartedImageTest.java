package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Subscription;
import io.gannet.driver.DeviceKind;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.harness.Await;
import io.gannet.harness.LoopbackAddress;
import io.gannet.harness.TestDirectory;
import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.roce.RoceDevice;
import io.gannet.rdma.roce.RoceOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A driver that closes while another one has asked for an image and not said yet where its stream starts. */
class UnstartedImageTest
{
    private static final int STREAM = 10;
    private static final int PORT = 4735;

    private final Path directory = TestDirectory.create("unstarted");
    private final InetAddress own = LoopbackAddress.random();
    private final RoceDevice peer =
        RoceDevice.open(RoceOptions.LOOPBACK.withAddress(LoopbackAddress.random()));
    private final ProtectionDomain domain = peer.allocateProtectionDomain();
    private final CompletionQueue queue = peer.createCompletionQueue(32, null);
    private final Queue<CmEvent> events = new ArrayDeque<>();
    private CmId id;

    @AfterEach
    void free()
    {
        hangUp();
        queue.close();
        domain.close();
        peer.close();
        TestDirectory.remove(directory);
    }

    private void hangUp()
    {
        if (id != null)
        {
            if (id.queuePair() != null)
            {
                id.queuePair().close();
            }
            id.close();
            id = null;
        }
    }

    private CmEventType next()
    {
        return Await.value("an event", () ->
        {
            peer.doWork();
            peer.connectionManager().pollEvents(events::add);
            final CmEvent event = events.poll();
            return event == null ? null : event.type();
        });
    }

    private CmEventType ask(final int generation)
    {
        hangUp();
        events.clear();
        id = peer.connectionManager().createId();
        id.resolve(new InetSocketAddress(own, PORT), 1_000);
        assertThat(next()).isEqualTo(CmEventType.ROUTE_RESOLVED);
        id.createQueuePair(domain, new QpAttributes(queue, queue, 16, 16, 0, 1));
        id.connect(ConnectParameters.DEFAULT, new SetupRequest(
            SetupRequest.VERSION, false, STREAM, 7, 64 * 1024, generation, 9).encode());
        return next();
    }

    private long mappedRings()
    {
        try
        {
            return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.contains(directory.resolve("rings").toString())).count();
        }
        catch (final IOException failure)
        {
            throw new java.io.UncheckedIOException(failure);
        }
    }

    @Test
    void leavesNothingMapped()
    {
        final MediaDriver driver = MediaDriver.launch(DriverConfiguration.defaults()
            .with(DriverOptions.DIRECTORY, directory).with(DriverOptions.DEVICE, DeviceKind.ROCE)
            .with(DriverOptions.DEVICE_ADDRESS, own.getHostAddress()), line ->
            {
            });
        try (Gannet client = Gannet.connect(new Gannet.Context().directory(directory)
            .driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
            Subscription subscription =
                client.addSubscription("gannet:rdma?endpoint=" + own.getHostAddress() + ":" + PORT, STREAM))
        {
            int generation = 0x0001_0010;
            while (ask(generation) != CmEventType.ESTABLISHED)
            {
                generation++;
            }
            assertThat(mappedRings()).isPositive();
            assertThat(subscription.isConnected()).isFalse();
            driver.close();
            assertThat(mappedRings()).isZero();
        }
    }
}

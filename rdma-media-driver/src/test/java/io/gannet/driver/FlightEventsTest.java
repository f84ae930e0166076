package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Image;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.cli.Captured;
import io.gannet.harness.Await;
import io.gannet.harness.LoopbackAddress;
import io.gannet.harness.TestDirectory;
import io.gannet.harness.TestProcess;
import io.gannet.jfr.BackPressureEvent;
import io.gannet.jfr.ConnectEvent;
import io.gannet.jfr.QueuePairErrorEvent;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What Flight Recorder gets of a driver and its clients in this process, live.
 */
@Tag(TestNic.SOFTWARE)
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class FlightEventsTest
{
    private static final int STREAM = 66;
    private static final String CONNECT = "io.gannet.Connect";
    private static final String BACK_PRESSURE = "io.gannet.BackPressure";
    private static final String QUEUE_PAIR_ERROR = "io.gannet.QueuePairError";
    private static final String STALL = "io.gannet.Stall";
    private static final String GAP = "io.gannet.Gap";

    private final List<RecordedEvent> events = new CopyOnWriteArrayList<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[1000]);
    private final Path directory = TestDirectory.create("flight");
    private final String ownAddress = LoopbackAddress.random().getHostAddress();
    private RecordingStream recording;
    private MediaDriver driver;

    @BeforeEach
    void record()
    {
        recording = new RecordingStream();
        for (final String name : List.of(CONNECT, BACK_PRESSURE, QUEUE_PAIR_ERROR, STALL, GAP))
        {
            recording.enable(name);
            recording.onEvent(name, events::add);
        }
        recording.setReuse(false);
        recording.startAsync();
    }

    @AfterEach
    void close()
    {
        recording.close();
        if (driver != null)
        {
            driver.close();
        }
        TestDirectory.remove(directory);
    }

    private DriverConfiguration configuration()
    {
        return DriverConfiguration.defaults().with(DriverOptions.DIRECTORY, directory)
            .with(DriverOptions.DEVICE, DeviceKind.ROCE)
            .with(DriverOptions.DEVICE_ADDRESS, ownAddress);
    }

    private Gannet connect()
    {
        return Gannet.connect(new Gannet.Context().directory(directory).driverTimeout(60, TimeUnit.SECONDS));
    }

    private RecordedEvent await(final String name, final Predicate<RecordedEvent> which)
    {
        return Await.value(name, () -> events.stream()
            .filter(event -> event.getEventType().getName().equals(name) && which.test(event))
            .findFirst().orElse(null));
    }

    @Test
    void backPressureIsToldByTheDriverAndByAnOfferThatWaits()
    {
        driver = MediaDriver.launch(configuration(), line -> { });
        try (Gannet client = connect();
            Subscription subscription = client.addSubscription("gannet:ipc", STREAM);
            Publication publication = client.addExclusivePublication("gannet:ipc?ring=64k", STREAM))
        {
            assertThat(await(CONNECT, event -> "driver".equals(event.getString("direction"))).getString("peer"))
                .contains("pid " + ProcessHandle.current().pid());
            Await.until("a connection", publication::isConnected);
            Await.until("a full ring", () -> publication.offer(message, 0, 1000) == Publication.BACK_PRESSURED);
            assertThat(publication.offer(message, 0, 1000, 20, TimeUnit.MILLISECONDS))
                .isEqualTo(Publication.BACK_PRESSURED);
            final RecordedEvent waited = await(BACK_PRESSURE, event -> event.getString("holder") == null);
            assertThat(waited.getDuration().toMillis()).isGreaterThanOrEqualTo(19);
            assertThat(waited.getInt("streamId")).isEqualTo(STREAM);
            assertThat(waited.getThread().getJavaName()).isEqualTo(Thread.currentThread().getName());
            // The driver tells it when it is over.
            final RecordedEvent seen = awaitDriversOwn(subscription, publication);
            assertThat(seen.getString("holder")).startsWith("subscriber ").contains(
                "pid " + ProcessHandle.current().pid());
            assertThat(seen.getString("channel")).startsWith("gannet:ipc");
            assertThat(seen.getInt("sessionId")).isEqualTo(publication.sessionId());
        }
    }

    /** Fills and drains the ring until the driver, which looks each 100 ms, has seen both. */
    private RecordedEvent awaitDriversOwn(final Subscription subscription, final Publication publication)
    {
        final long[] until = {System.nanoTime()};
        return Await.value("the driver's own event", () ->
        {
            if (System.nanoTime() - until[0] > TimeUnit.SECONDS.toNanos(1))
            {
                subscription.poll((buffer, offset, length, header) -> { }, 1000);
                if (System.nanoTime() - until[0] > TimeUnit.SECONDS.toNanos(2))
                {
                    until[0] = System.nanoTime();
                    while (publication.offer(message, 0, 1000) > 0)
                    {
                        // Full again.
                    }
                }
            }
            return events.stream().filter(event -> event.getEventType().getName().equals(BACK_PRESSURE) &&
                event.getString("holder") != null).findFirst().orElse(null);
        });
    }

    /** Whatever ends it: the publisher, or the driver; subscribers that go meanwhile make room. */
    @ParameterizedTest
    @ValueSource(strings = {"publication", "all", "driver"})
    @ResourceLock(Resources.SYSTEM_OUT)
    @ResourceLock(Resources.SYSTEM_ERR)
    @SuppressWarnings("try") // that it is closed is one of the endings
    void backPressureIsToldOfARingThatEndsWhileItIsFull(final String ending)
    {
        driver = MediaDriver.launch(configuration(), line -> { });
        try (Gannet client = connect();
            Subscription subscription = client.addSubscription("gannet:ipc", STREAM))
        {
            final Publication publication = client.addExclusivePublication("gannet:ipc?ring=64k", STREAM);
            Await.until("a connection", publication::isConnected);
            Await.until("a full ring", () -> publication.offer(message, 0, 1000) == Publication.BACK_PRESSURED);
            final int session = publication.sessionId();
            Await.until("the driver to see it", () -> Captured.run("streams", "--dir", directory.toString(), "--json")
                .out().matches("(?s).*\"heldMillis\": ?[1-9].*"));
            assertThat(subscription.isClosed()).isFalse();
            assertThat(events).noneMatch(event -> event.getEventType().getName().equals(BACK_PRESSURE));
            switch (ending)
            {
                case "publication" -> publication.close();
                case "all" -> client.close();
                default -> driver.close();
            }
            final RecordedEvent told = await(BACK_PRESSURE, event -> event.getString("holder") != null);
            assertThat(told.getInt("sessionId")).isEqualTo(session);
            assertThat(told.getString("holder")).startsWith("subscriber ");
            assertThat(told.getDuration().toMillis()).isPositive();
        }
    }

    @Test
    void aGapIsToldByTheClient()
    {
        driver = MediaDriver.launch(configuration(), line -> { });
        try (Gannet client = connect();
            Subscription subscription = client.addSubscription("gannet:ipc", STREAM);
            Publication publication = client.addExclusivePublication("gannet:ipc?ring=64k|slow=drop", STREAM))
        {
            Await.until("a connection", publication::isConnected);
            final long[] sent = new long[1];
            final RecordedEvent[] gap = new RecordedEvent[1];
            Await.until("a gap", () ->
            {
                sent[0] += publication.offer(message, 0, 1000) > 0 ? 1 : 0;
                final List<Image> images = subscription.images();
                if (images.isEmpty() || images.getFirst().position() > 200_000)
                {
                    subscription.poll((buffer, offset, length, header) -> { }, 1);
                }
                gap[0] = events.stream().filter(event -> event.getEventType().getName().equals(GAP))
                    .findFirst().orElse(null);
                return gap[0] != null;
            });
            assertThat(gap[0].getInt("streamId")).isEqualTo(STREAM);
            assertThat(gap[0].getInt("sessionId")).isEqualTo(publication.sessionId());
            assertThat(gap[0].getLong("missed")).isPositive()
                .isEqualTo(gap[0].getLong("to") - gap[0].getLong("from"));
        }
    }

    @Test
    void aStallIsToldByTheThreadThatStalled()
    {
        driver = MediaDriver.launch(
            configuration().with(DriverOptions.STALL_THRESHOLD, 10_000L), line -> { });
        // Takes a client in, which takes longer.
        connect().close();
        final RecordedEvent stall = await(STALL, event -> "conductor".equals(event.getString("agent")));
        assertThat(stall.getDuration("cycle").toNanos()).isGreaterThan(10_000);
        assertThat(stall.getDuration("stallThreshold").toNanos()).isEqualTo(10_000);
        assertThat(stall.getThread().getJavaName()).isEqualTo("gannet-conductor");
    }

    @Test
    void connectionsOfStreamsAndTheirErrorsAreToldByTheDriver()
    {
        final Path peerDirectory = TestDirectory.create("flight-peer");
        final String address = LoopbackAddress.random().getHostAddress();
        driver = MediaDriver.launch(configuration(), line -> { });
        try (TestProcess peer = TestProcess.start("peer", Map.of(), "io.gannet.cli.Main", List.of("driver", "--dir",
            peerDirectory.toString(), "--device", "roce", "--device-address", address)))
        {
            final String channel = "gannet:rdma?endpoint=" + address + ":4800";
            final Gannet.Context there = new Gannet.Context().directory(peerDirectory);
            try (Gannet subscriber = Gannet.connect(there.driverTimeout(60, TimeUnit.SECONDS));
                Gannet client = connect();
                Subscription subscription = subscriber.addSubscription(channel, STREAM);
                Publication publication = client.addPublication(channel, STREAM);
                Subscription here = client.addSubscription("gannet:rdma?endpoint=" + ownAddress + ":4801", STREAM);
                Publication away = subscriber.addPublication("gannet:rdma?endpoint=" + ownAddress + ":4801", STREAM))
            {
                Await.until("a connection", () -> publication.isConnected() && subscription.isConnected());
                final RecordedEvent connected = await(CONNECT, event -> "to".equals(event.getString("direction")));
                assertThat(connected.getString("peer")).startsWith(address);
                assertThat(connected.getInt("streamId")).isEqualTo(STREAM);
                assertThat(connected.getBoolean("again")).isFalse();
                Await.until("the way back", () -> away.isConnected() && here.isConnected());
                final RecordedEvent image = await(CONNECT, event -> "from".equals(event.getString("direction")));
                assertThat(image.getString("peer")).startsWith(address);
                assertThat(image.getInt("sessionId")).isEqualTo(away.sessionId());
                assertThat(events).noneMatch(event -> event.getEventType().getName().equals(QUEUE_PAIR_ERROR));
                peer.kill();
                final RecordedEvent error =
                    await(QUEUE_PAIR_ERROR, event -> "to".equals(event.getString("direction")));
                assertThat(error.getString("peer")).startsWith(address);
                assertThat(error.getInt("sessionId")).isEqualTo(publication.sessionId());
                assertThat(error.getString("reason")).isNotBlank();
            }
        }
        finally
        {
            TestDirectory.remove(peerDirectory);
        }
    }

    @Test
    void nothingBeginsWhatIsNotRecorded()
    {
        recording.close();
        Await.until("the end of the recording of each", () -> !ConnectEvent.isRecorded() &&
            BackPressureEvent.begun() == null && !QueuePairErrorEvent.isRecorded());
    }
}

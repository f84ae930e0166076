package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.control.ControlFile;
import io.gannet.control.ErrorCode;
import io.gannet.control.GannetDirectory;
import io.gannet.counters.StreamKey;
import io.gannet.driver.RawClient.Event;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.protocol.PublicationKind;
import io.gannet.ring.Bell;
import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.Ring;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a driver finds of the one before: rings of living clients stay with their gates, those of dead ones go.
 */
class DriverRestartTest
{
    private static final String CHANNEL = "gannet:ipc?ring=64k";

    private final Path directory = TestDirectory.create("restart");
    private final List<String> log = new ArrayList<>();
    private final List<RawClient> clients = new ArrayList<>();
    private MediaDriver driver = launch();

    private MediaDriver launch()
    {
        return MediaDriver.launch(DriverConfiguration.defaults()
            .with(DriverOptions.DIRECTORY, directory)
            .with(DriverOptions.THREADING, ThreadingMode.INVOKER)
            .with(DriverOptions.LIVENESS_INTERVAL, 1_000_000L)
            // These clients give no sign of life.
            .with(DriverOptions.PAUSE_THRESHOLD, TimeUnit.MINUTES.toNanos(30)), log::add);
    }

    private void restart()
    {
        driver.close();
        driver = launch();
    }

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

    private List<String> rings()
    {
        return TestDirectory.list(directory.resolve("rings"));
    }

    private void awaitNoRings()
    {
        Await.until("the ring files to go", () ->
        {
            driver.doWork();
            return rings().isEmpty();
        });
    }

    @Test
    void aRingOfLivingClientsIsTakenOverWithItsGateWhileMessagesFlow()
    {
        final RawClient publisher = client();
        final RawClient subscriber = client();
        publisher.commands.addPublication(2, 1, PublicationKind.EXCLUSIVE, 10, CHANNEL, 0);
        final Event ready = publisher.await("onPublicationReady");
        final long ringId = ready.asLong(5);
        subscriber.commands.addSubscription(2, 1, 10, "gannet:ipc");
        final int gate = (int) subscriber.await("onImageAvailable").asLong(5);

        final Path file = directory.resolve((String) ready.arguments().get(6));
        final Ring written = RingFile.attach(file, RingFile.Access.WRITE);
        final Ring read = RingFile.attach(file, RingFile.Access.READ);
        final ExclusiveProducer producer = new ExclusiveProducer(written, Bell.FUTEX_WAKER);
        final RingReader reader = new RingReader(read, gate, true);
        assertThat(flow(producer, reader)).isEqualTo(100);

        driver.close();
        assertThat(flow(producer, reader)).as("without a driver").isEqualTo(100);
        driver = launch();
        assertThat(flow(producer, reader)).as("before the clients came back").isEqualTo(100);

        publisher.reconnect(driver, directory);
        subscriber.reconnect(driver, directory);
        publisher.commands.addPublication(3, 1, PublicationKind.EXCLUSIVE, 10, CHANNEL, ringId);
        assertThat(publisher.await("onPublicationReady").asLong(5)).isEqualTo(ringId);
        publisher.commands.resumeDone(4);
        publisher.await("onOperationSucceeded");
        subscriber.commands.addSubscription(3, 1, 10, "gannet:ipc");
        subscriber.commands.resumeImage(1, ringId, gate);
        subscriber.commands.resumeDone(4);
        assertThat(subscriber.eventsUpTo("onOperationSucceeded")).containsExactly("onSubscriptionReady");
        assertThat(flow(producer, reader)).as("after all").isEqualTo(100);
        assertThat(subscriberPositions()).as("counted").isEqualTo(1);
        final DirectoryCounters counters = new DirectoryCounters(directory);
        assertThat(counters.value("publications", "")).isEqualTo(1);
        assertThat(counters.value("subscriptions", "")).isEqualTo(1);
        publisher.commands.removePublication(5, 1);
        publisher.await("onOperationSucceeded");
        assertThat(counters.value("publications", "")).isZero();

        publisher.commands.removePublication(5, 1);
        assertThat(subscriber.await("onImageUnavailable").asLong(2)).isEqualTo(producer.position());
        subscriber.commands.releaseImage(1, ringId);
        awaitNoRings();
        assertThat(subscriberPositions()).as("counted").isZero();
        written.close();
        read.close();
        assertThat(log).isEmpty();
    }

    /** How many subscribers {@code gannet streams} would find, and {@code gannet stat} counts. */
    private int subscriberPositions()
    {
        final int[] counted = new int[2];
        try (ControlFile control = ControlFile.open(new GannetDirectory(directory), false))
        {
            control.countersReader().forEach((id, typeId, key, label) ->
            {
                counted[0] += typeId == StreamKey.SUBSCRIBER_POSITION ? 1 : 0;
                counted[1] += label.equals(SystemCounter.IMAGES.label()) ?
                    (int) control.countersReader().getCounterValue(id) : 0;
            });
        }
        assertThat(counted[1]).isEqualTo(counted[0]);
        return counted[0];
    }

    private static int flow(final ExclusiveProducer producer, final RingReader reader)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
        final int[] received = new int[1];
        for (int i = 0; i < 100; i++)
        {
            assertThat(producer.offer(message, 0, 100)).isPositive();
            reader.poll((buffer, offset, length, position) -> received[0]++, 10);
        }
        Await.until("the last messages", () ->
        {
            reader.poll((buffer, offset, length, position) -> received[0]++, 10);
            return reader.position() == producer.position();
        });
        return received[0];
    }

    @Test
    void whatADeadClientHeldIsGoneAfterTheRestart()
    {
        final RawClient victim = client();
        victim.commands.addPublication(2, 1, PublicationKind.EXCLUSIVE, 10, CHANNEL, 0);
        victim.await("onPublicationReady");
        victim.commands.addSubscription(3, 2, 10, "gannet:ipc");
        victim.await("onImageAvailable");
        driver.close();
        assertThat(rings()).hasSize(2);
        victim.close();
        driver = launch();
        awaitNoRings();
        assertThat(TestDirectory.list(directory.resolve("clients"))).isEmpty();
    }

    @Test
    void whatAClientClosedWhileThereWasNoDriverGoesWhenItHasResumed()
    {
        final RawClient client = client();
        client.commands.addPublication(2, 1, PublicationKind.CONCURRENT, 10, CHANNEL, 0);
        client.await("onPublicationReady");
        client.commands.addSubscription(3, 2, 10, "gannet:ipc");
        client.await("onImageAvailable");
        restart();
        client.reconnect(driver, directory);
        client.eventsWithin(50);
        assertThat(rings()).as("kept until the client has said what it still holds").hasSize(2);
        client.commands.resumeDone(4);
        awaitNoRings();
    }

    @Test
    void aRingThatCanNotBeTakenOverEndsWithAnError() throws IOException
    {
        final RawClient client = client();
        client.commands.addPublication(2, 1, PublicationKind.EXCLUSIVE, 10, CHANNEL, 0);
        final Event ready = client.await("onPublicationReady");
        final long ringId = ready.asLong(5);
        client.commands.addSubscription(3, 2, 10, "gannet:ipc");
        final int gate = (int) client.await("onImageAvailable").asLong(5);
        driver.close();
        Files.write(directory.resolve((String) ready.arguments().get(6)), new byte[1000]);
        driver = launch();
        client.reconnect(driver, directory);
        client.commands.addPublication(4, 1, PublicationKind.EXCLUSIVE, 10, CHANNEL, ringId);
        assertThat(client.await("onPublicationEnded").asLong(2)).isEqualTo(ErrorCode.NOT_ADOPTED.code());
        client.commands.addSubscription(5, 2, 10, "gannet:ipc");
        client.commands.resumeImage(2, ringId, gate);
        assertThat(client.await("onImageUnavailable").asLong(1)).isEqualTo(ringId);
        assertThat(log).anyMatch(line -> line.startsWith("error: ring ") && line.contains("is removed"));
        awaitNoRings();
    }

    @Test
    void epochsGrowAndASecondDriverIsRefusedNamingTheFirst()
    {
        final long first = driver.info().epoch();
        try
        {
            launch();
            throw new AssertionError("two drivers in one directory");
        }
        catch (final DriverException e)
        {
            assertThat(e.getMessage()).contains("pid " + ProcessHandle.current().pid())
                .contains(directory.toString());
        }
        restart();
        assertThat(driver.info().epoch()).isGreaterThan(first);
        assertThat(new GannetDirectory(directory).control()).exists();
    }
}

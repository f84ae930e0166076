package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.control.ErrorCode;
import io.gannet.driver.RawClient.Event;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.protocol.PublicationKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The conductor at its protocol, stepped by the test.
 */
class DriverConductorTest
{
    private static final String CHANNEL = "gannet:ipc?ring=64k";

    private final Path directory = TestDirectory.create("conductor");
    private final List<String> log = new ArrayList<>();
    private final List<RawClient> clients = new ArrayList<>();
    private MediaDriver driver;

    @BeforeEach
    void launch()
    {
        driver = MediaDriver.launch(DriverConfiguration.defaults()
            .with(DriverOptions.DIRECTORY, directory)
            .with(DriverOptions.THREADING, ThreadingMode.INVOKER)
            .with(DriverOptions.LIVENESS_INTERVAL, 1_000_000L)
            .with(DriverOptions.PAUSE_THRESHOLD, 200_000_000L)
            .with(DriverOptions.MAX_RINGS, 8), log::add);
    }

    @AfterEach
    void close()
    {
        clients.forEach(RawClient::close);
        driver.close();
        TestDirectory.remove(directory);
        assertThat(log).allMatch(line -> !line.startsWith("error:"));
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
    void aSubscriptionJoinsTheRingsThatAreThereAndThoseThatCome()
    {
        final RawClient publisher = client();
        final RawClient subscriber = client();
        publisher.commands.addPublication(2, 1, PublicationKind.EXCLUSIVE, 10, CHANNEL, 0);
        final Event first = publisher.await("onPublicationReady");
        subscriber.commands.addSubscription(2, 1, 10, "gannet:ipc");
        final Event joined = subscriber.await("onImageAvailable");
        publisher.commands.addPublication(3, 2, PublicationKind.EXCLUSIVE, 10, CHANNEL, 0);
        final Event second = publisher.await("onPublicationReady");
        final Event joinedLater = subscriber.await("onImageAvailable");

        assertThat(joined.asLong(4)).as("ring id").isEqualTo(first.asLong(5));
        assertThat(joinedLater.asLong(4)).isEqualTo(second.asLong(5)).isNotEqualTo(first.asLong(5));
        assertThat(joinedLater.asLong(3)).as("session").isEqualTo(second.asLong(4)).isNotEqualTo(first.asLong(4));
        assertThat(directory.resolve((String) first.arguments().get(6))).exists();
    }

    @Test
    void aSubscriptionSeesOnlyItsStreamAndItsSession()
    {
        final RawClient client = client();
        client.commands.addSubscription(2, 1, 10, "gannet:ipc?session-id=7");
        client.commands.addPublication(3, 2, PublicationKind.EXCLUSIVE, 11, CHANNEL + "|session-id=7", 0);
        client.await("onPublicationReady");
        client.commands.addPublication(4, 3, PublicationKind.EXCLUSIVE, 10, CHANNEL, 0);
        client.await("onPublicationReady");
        assertThat(client.eventsWithin(20)).isEmpty();
        client.commands.removePublication(5, 2);
        client.await("onOperationSucceeded");
        awaitRingCount(1);
        client.commands.addPublication(6, 4, PublicationKind.EXCLUSIVE, 10, CHANNEL + "|session-id=7", 0);
        assertThat(client.await("onImageAvailable").asLong(3)).isEqualTo(7);
    }

    private void awaitRingCount(final int count)
    {
        Await.until(count + " rings", () ->
        {
            driver.doWork();
            return rings().size() == 2 * count;
        });
    }

    @Test
    void concurrentPublicationsOfOneChannelAndStreamShareARingAcrossClients()
    {
        final RawClient one = client();
        final RawClient two = client();
        one.commands.addPublication(2, 1, PublicationKind.CONCURRENT, 10, CHANNEL, 0);
        two.commands.addPublication(2, 1, PublicationKind.CONCURRENT, 10, CHANNEL, 0);
        final Event first = one.await("onPublicationReady");
        final Event second = two.await("onPublicationReady");
        assertThat(second.asLong(5)).isEqualTo(first.asLong(5));

        one.commands.removePublication(3, 1);
        one.await("onOperationSucceeded");
        assertThat(rings()).hasSize(2);
        two.commands.removePublication(3, 1);
        two.await("onOperationSucceeded");
        awaitNoRings();
    }

    @Test
    void theEndOfAStreamIsToldAndTheRingGoesWithTheLastGate()
    {
        final RawClient publisher = client();
        final RawClient subscriber = client();
        publisher.commands.addPublication(2, 1, PublicationKind.EXCLUSIVE, 10, CHANNEL, 0);
        final long ringId = publisher.await("onPublicationReady").asLong(5);
        subscriber.commands.addSubscription(2, 1, 10, "gannet:ipc");
        subscriber.await("onImageAvailable");

        publisher.commands.removePublication(3, 1);
        final Event end = subscriber.await("onImageUnavailable");
        assertThat(end.asLong(1)).isEqualTo(ringId);
        assertThat(rings()).hasSize(2);
        subscriber.commands.releaseImage(1, ringId);
        awaitNoRings();
    }

    @Test
    void aPublicationThatIsRemovedBeforeItIsReadyLeavesNothing()
    {
        final RawClient client = client();
        client.commands.addPublication(2, 1, PublicationKind.CONCURRENT, 10, CHANNEL, 0);
        client.commands.removePublication(3, 1);
        client.await("onOperationSucceeded");
        awaitNoRings();
    }

    @Test
    void aDeadClientsGatesAndPublicationsGoAndOthersStay()
    {
        final RawClient survivor = client();
        final RawClient victim = client();
        survivor.commands.addPublication(2, 1, PublicationKind.CONCURRENT, 10, CHANNEL, 0);
        survivor.await("onPublicationReady");
        victim.commands.addPublication(2, 1, PublicationKind.CONCURRENT, 10, CHANNEL, 0);
        victim.await("onPublicationReady");
        victim.commands.addPublication(3, 2, PublicationKind.EXCLUSIVE, 10, CHANNEL, 0);
        victim.await("onPublicationReady");
        victim.commands.addSubscription(4, 3, 10, "gannet:ipc");
        victim.await("onImageAvailable");
        survivor.commands.addSubscription(4, 3, 10, "gannet:ipc");
        survivor.await("onImageAvailable");
        survivor.await("onImageAvailable");

        victim.close();
        final Event end = survivor.await("onImageUnavailable");
        survivor.commands.releaseImage(3, end.asLong(1));
        awaitRingCount(1);
        assertThat(TestDirectory.list(directory.resolve("clients"))).hasSize(1);
        assertThat(log).anyMatch(line -> line.contains("is dead"));
    }

    @Test
    void aPausedClientIsReportedAndLosesNothing()
    {
        final RawClient client = client();
        client.commands.addPublication(2, 1, PublicationKind.EXCLUSIVE, 10, CHANNEL, 0);
        client.await("onPublicationReady");
        Await.until("the pause to be reported", () ->
        {
            driver.doWork();
            return log.stream().anyMatch(line -> line.contains("alive but silent"));
        });
        Await.until("its end to be reported", () ->
        {
            // At each turn, as this thread itself may be held up for longer than the threshold.
            client.heartbeat();
            driver.doWork();
            return log.stream().anyMatch(line -> line.contains("goes on"));
        });
        assertThat(rings()).hasSize(2);
        assertThat(log.stream().filter(line -> line.contains("alive but silent"))).hasSize(1);
    }

    @Test
    void aRefusedCommandSaysWhy()
    {
        final RawClient client = client();
        client.commands.addPublication(2, 1, PublicationKind.EXCLUSIVE, 10, "gannet:ipc?rnig=64k", 0);
        final Event unknown = client.await("onOperationFailed");
        assertThat(unknown.asLong(0)).isEqualTo(2);
        assertThat(unknown.asLong(1)).isEqualTo(ErrorCode.INVALID_CHANNEL.code());
        assertThat(unknown.arguments().get(2).toString()).contains("rnig").contains("ring");

        client.commands.addSubscription(3, 1, 10, "gannet:rdma?endpoint=a:4100|device=none-such");
        assertThat(client.await("onOperationFailed").arguments().get(2).toString()).contains("none-such");

        client.commands.addCounter(4, 1, 5, new byte[0], "mine", 0);
        assertThat(client.await("onOperationFailed").arguments().get(2).toString()).contains("1000");
    }

    @Test
    void theRingBeyondTheLimitNamesTheLimitAndTheCount()
    {
        final RawClient client = client();
        for (int i = 1; i <= 8; i++)
        {
            client.commands.addPublication(i + 1, i, PublicationKind.EXCLUSIVE, 10, CHANNEL, 0);
            client.await("onPublicationReady");
        }
        client.commands.addPublication(20, 9, PublicationKind.EXCLUSIVE, 10, CHANNEL, 0);
        final Event failed = client.await("onOperationFailed");
        assertThat(failed.asLong(1)).isEqualTo(ErrorCode.LIMIT_REACHED.code());
        assertThat(failed.arguments().get(2).toString()).contains("8").contains("max-rings");
        client.commands.removePublication(21, 1);
        client.await("onOperationSucceeded");
        client.commands.addPublication(22, 10, PublicationKind.EXCLUSIVE, 10, CHANNEL, 0);
        client.await("onPublicationReady");
    }

    @Test
    void sessionIdsInUseAreRefused()
    {
        final RawClient client = client();
        client.commands.addPublication(2, 1, PublicationKind.EXCLUSIVE, 10, CHANNEL + "|session-id=5", 0);
        assertThat(client.await("onPublicationReady").asLong(4)).isEqualTo(5);
        client.commands.addPublication(3, 2, PublicationKind.EXCLUSIVE, 10, CHANNEL + "|session-id=5", 0);
        assertThat(client.await("onOperationFailed").asLong(1)).isEqualTo(ErrorCode.CONFLICT.code());
    }

    @Test
    void aClientThatLeavesTakesEverythingWithIt()
    {
        final RawClient client = client();
        client.commands.addPublication(2, 1, PublicationKind.CONCURRENT, 10, CHANNEL, 0);
        client.commands.addSubscription(3, 2, 10, CHANNEL);
        client.commands.addCounter(4, 3, 1000, new byte[0], "mine", 42);
        client.await("onCounterReady");
        client.commands.closeClient(5);
        awaitNoRings();
        client.close();
        Await.until("the client's file to go", () ->
        {
            driver.doWork();
            return TestDirectory.list(directory.resolve("clients")).isEmpty();
        });
        assertThat(log).noneMatch(line -> line.contains("is dead"));
    }

    @Test
    void aDriverWithIdleStreamsAllocatesNothing()
    {
        final RawClient client = client();
        client.commands.addPublication(2, 1, PublicationKind.CONCURRENT, 10, CHANNEL + "|slow=drop", 0);
        client.await("onPublicationReady");
        client.commands.addSubscription(3, 2, 10, "gannet:ipc");
        client.await("onImageAvailable");
        final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        Await.until("cycles of all timers without allocation", () ->
        {
            client.heartbeat();
            final long before = threads.getCurrentThreadAllocatedBytes();
            final long end = System.nanoTime() + 50_000_000L;
            while (System.nanoTime() - end < 0)
            {
                driver.doWork();
            }
            return threads.getCurrentThreadAllocatedBytes() - before < 1024;
        });
    }

    @Test
    void theDirectoryStaysAndSoDoesWhatIsNotOurs() throws java.io.IOException
    {
        final Path notes = Files.createFile(directory.resolve("notes"));
        driver.close();
        assertThat(notes).exists();
        assertThat(TestDirectory.list(directory)).contains("clients", "control", "driver", "rings", "notes");
    }
}

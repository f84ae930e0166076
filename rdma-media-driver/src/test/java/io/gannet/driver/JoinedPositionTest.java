package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.control.ControlFile;
import io.gannet.control.GannetDirectory;
import io.gannet.counters.StreamKey;
import io.gannet.driver.RawClient.Event;
import io.gannet.harness.TestDirectory;
import io.gannet.protocol.PublicationKind;
import io.gannet.ring.Bell;
import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.Ring;
import io.gannet.ring.RingFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A subscriber that has just joined is not shown as one that is behind. */
class JoinedPositionTest
{
    private static final String CHANNEL = "gannet:ipc?ring=64k";
    private static final int STREAM = 10;

    private final Path directory = TestDirectory.create("joined");
    private final List<String> log = new ArrayList<>();
    private final List<RawClient> clients = new ArrayList<>();
    /** Which looks at rings so seldom that the test is over before it looks again. */
    private MediaDriver driver = launch();

    private MediaDriver launch()
    {
        return MediaDriver.launch(DriverConfiguration.defaults()
            .with(DriverOptions.DIRECTORY, directory)
            .with(DriverOptions.THREADING, ThreadingMode.INVOKER)
            .with(DriverOptions.LIVENESS_INTERVAL, TimeUnit.SECONDS.toNanos(10)), log::add);
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

    @Test
    void aSubscriberIsShownWhereItJoinedAtOnceAndAfterARestart()
    {
        final RawClient publisher = client();
        publisher.commands.addPublication(2, 1, PublicationKind.EXCLUSIVE, STREAM, CHANNEL, 0);
        final Event ready = publisher.await("onPublicationReady");
        client().commands.addSubscription(2, 1, STREAM, "gannet:ipc");
        clients.getLast().await("onImageAvailable");
        final Ring ring =
            RingFile.attach(directory.resolve((String) ready.arguments().get(6)), RingFile.Access.WRITE);
        final ExclusiveProducer producer = new ExclusiveProducer(ring, Bell.FUTEX_WAKER);
        for (int i = 0; i < 100; i++)
        {
            assertThat(producer.offer(new UnsafeBuffer(new byte[100]), 0, 100)).isPositive();
        }
        client().commands.addSubscription(2, 1, STREAM, "gannet:ipc");
        clients.getLast().await("onImageAvailable");
        assertThat(subscriberPositions()).containsExactly(0L, producer.position());

        driver.close();
        driver = launch();
        assertThat(subscriberPositions()).containsExactly(0L, producer.position());
        ring.close();
    }

    private List<Long> subscriberPositions()
    {
        final List<Long> positions = new ArrayList<>();
        try (ControlFile control = ControlFile.open(new GannetDirectory(directory), false))
        {
            control.countersReader().forEach((id, typeId, key, label) ->
            {
                if (typeId == StreamKey.SUBSCRIBER_POSITION)
                {
                    positions.add(control.countersReader().getCounterValue(id));
                }
            });
        }
        positions.sort(null);
        return positions;
    }
}

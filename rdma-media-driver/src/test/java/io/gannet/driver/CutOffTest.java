package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.driver.RawClient.Event;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.protocol.ImageEnd;
import io.gannet.protocol.PublicationKind;
import io.gannet.ring.Bell;
import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.Ring;
import io.gannet.ring.RingFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a local subscriber that was cut off under {@code slow=drop} is told, whatever comes in between: exactly what it
 * misses, before anything that lies behind.
 */
class CutOffTest
{
    private static final String CHANNEL = "gannet:ipc?ring=64k|slow=drop";
    private static final int STREAM = 10;
    private static final long PUBLICATION = 1;
    private static final long SUBSCRIPTION = 2;

    private final Path directory = TestDirectory.create("cut-off");
    private final List<String> log = new ArrayList<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[1000]);
    private MediaDriver driver = launch();
    private RawClient client;
    private Ring ring;
    private ExclusiveProducer producer;
    private long ringId;
    private int gate;

    private MediaDriver launch()
    {
        return MediaDriver.launch(DriverConfiguration.defaults()
            .with(DriverOptions.DIRECTORY, directory)
            .with(DriverOptions.THREADING, ThreadingMode.INVOKER)
            .with(DriverOptions.LIVENESS_INTERVAL, 1_000_000L), log::add);
    }

    /** A subscriber that has read nothing, and is told that it was cut off. */
    @BeforeEach
    void cutOff()
    {
        client = new RawClient(directory, driver).connect(directory);
        client.commands.addPublication(2, PUBLICATION, PublicationKind.EXCLUSIVE, STREAM, CHANNEL, 0);
        final Event ready = client.await("onPublicationReady");
        ringId = ready.asLong(5);
        client.commands.addSubscription(3, SUBSCRIPTION, STREAM, "gannet:ipc");
        gate = (int) client.await("onImageAvailable").asLong(5);
        ring = RingFile.attach(directory.resolve((String) ready.arguments().get(6)), RingFile.Access.WRITE);
        producer = new ExclusiveProducer(ring, Bell.FUTEX_WAKER);
        Await.until("a full ring", () -> producer.offer(message, 0, message.capacity()) == Ring.BACK_PRESSURED);
        assertCutOff(client.await("onImageUnavailable"));
    }

    @AfterEach
    void close()
    {
        ring.close();
        ring.free();
        client.close();
        driver.close();
        TestDirectory.remove(directory);
        assertThat(log).noneMatch(line -> line.startsWith("error:"));
    }

    private static void assertCutOff(final Event unavailable)
    {
        assertThat(unavailable.arguments().get(3)).isEqualTo(ImageEnd.CUT_OFF);
        assertThat(unavailable.asLong(2)).isZero();
    }

    private void assertGap(final Event gap, final long to)
    {
        assertThat(gap.asLong(0)).isEqualTo(SUBSCRIPTION);
        assertThat(List.of(gap.asLong(3), gap.asLong(4))).containsExactly(0L, to);
    }

    @Test
    void theGapIsToldBeforeTheImageBehindIt()
    {
        client.commands.releaseImage(SUBSCRIPTION, ringId);
        final List<String> before = client.eventsUpTo("onImageAvailable");
        assertThat(before).contains("onGap");
    }

    @Test
    void theGapReachesToWhereTheSubscriberGoesOn()
    {
        client.commands.releaseImage(SUBSCRIPTION, ringId);
        assertGap(client.await("onGap"), producer.position());
        assertThat(client.await("onImageAvailable").asLong(6)).isEqualTo(producer.position());
    }

    @Test
    void theGapReachesToTheEndOfAStreamThatIsOver()
    {
        final long end = producer.position();
        client.commands.removePublication(4, PUBLICATION);
        client.await("onOperationSucceeded");
        client.commands.releaseImage(SUBSCRIPTION, ringId);
        assertGap(client.await("onGap"), end);
        assertThat(client.eventsWithin(20)).doesNotContain("onImageAvailable", "onGap");
    }

    @Test
    void theNextDriverGoesOnWhereThisOneStopped()
    {
        driver.close();
        driver = launch();
        client.reconnect(driver, directory);
        client.commands.addPublication(2, PUBLICATION, PublicationKind.EXCLUSIVE, STREAM, CHANNEL, ringId);
        client.await("onPublicationReady");
        client.commands.addSubscription(3, SUBSCRIPTION, STREAM, "gannet:ipc");
        client.commands.resumeImage(SUBSCRIPTION, ringId, gate);
        assertCutOff(client.await("onImageUnavailable"));
        client.commands.resumeDone(4);
        client.await("onOperationSucceeded");
        client.commands.releaseImage(SUBSCRIPTION, ringId);
        assertGap(client.await("onGap"), producer.position());
        assertThat(client.await("onImageAvailable").asLong(6)).isEqualTo(producer.position());
    }
}

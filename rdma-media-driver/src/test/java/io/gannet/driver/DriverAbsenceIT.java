package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.harness.FlowPublisher;
import io.gannet.harness.FlowSubscriber;
import io.gannet.harness.Hosts;
import io.gannet.harness.Hosts.Side;
import io.gannet.harness.Hosts.Where;
import io.gannet.harness.ProcessHarness;
import io.gannet.harness.TestProcess;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A host without a driver for a while, killed or stopped in order, under clients that live on: streams of the host
 * never notice, those between hosts go on afterwards without a gap, and each client is told once that the driver is
 * lost and once that one is back. The full run:
 * {@code -Dgannet.absence.seconds=30 -Dgannet.absence.where=ENDPOINT,CONTROL}.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class DriverAbsenceIT
{
    private static final int SECONDS = Integer.getInteger("gannet.absence.seconds", 3);
    private static final String LOCAL = "gannet:ipc?ring=256k";
    private static final long SOME = 2_000;

    @RegisterExtension
    private final ProcessHarness harness = new ProcessHarness();

    private TestProcess localPublisher;
    private TestProcess localSubscriber;
    private TestProcess publisher;
    private TestProcess subscriber;

    static Stream<Where> where()
    {
        return Hosts.named("gannet.absence.where", "ENDPOINT");
    }

    @ParameterizedTest
    @MethodSource("where")
    void streamsOfTheHostNeverNoticeAndOthersGoOn(final Where where)
    {
        final Hosts hosts = new Hosts(harness, where);
        final TestProcess from = hosts.startDriver(Side.PUBLISHERS);
        final TestProcess to = hosts.startDriver(Side.SUBSCRIBERS);
        final String directory = hosts.directory(Side.PUBLISHERS).toString();
        // Longer than the absence, or the streams would have ended by then.
        final String timeout = "image-timeout=" + (SECONDS + 60) + "s";
        subscriber = hosts.startSubscriber(timeout);
        publisher = hosts.startPublisher(true, "ring=256k", timeout);
        localSubscriber =
            harness.start("local subscriber", FlowSubscriber.class.getName(), List.of(directory, "gannet:ipc"));
        localPublisher =
            harness.start("local publisher", FlowPublisher.class.getName(), List.of(directory, "false", LOCAL));
        everybodyMoves();

        from.kill();
        absence();
        hosts.startDriver(Side.PUBLISHERS);
        awaitBack(publisher, localPublisher, localSubscriber);
        everybodyMoves();

        to.terminate();
        harness.await("the driver's end", () -> !to.isAlive());
        absence();
        hosts.startDriver(Side.SUBSCRIBERS);
        awaitBack(subscriber);
        everybodyMoves();

        assertToldOnce(publisher, subscriber, localPublisher, localSubscriber);
        assertThat(subscriber.lines()).as("images").filteredOn(line -> line.startsWith("image")).hasSize(1);
    }

    private void everybodyMoves()
    {
        for (final TestProcess process : List.of(localPublisher, localSubscriber, publisher, subscriber))
        {
            harness.awaitProgress(process, SOME);
        }
    }

    /** A time, not a condition: how long there is no driver is what is tested. The host's own stream goes on in it. */
    private void absence()
    {
        final long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (System.nanoTime() - end < 0)
        {
            harness.awaitProgress(localPublisher, SOME);
            harness.awaitProgress(localSubscriber, SOME);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
    }

    private void awaitBack(final TestProcess... clients)
    {
        for (final TestProcess client : clients)
        {
            harness.await(client.name() + " to know the new driver", () -> client.lastAfter("driver back") != null);
        }
    }

    private static void assertToldOnce(final TestProcess... clients)
    {
        for (final TestProcess client : clients)
        {
            assertThat(client.lines()).as("news of its driver for %s", client.name())
                .filteredOn(line -> line.startsWith("driver "))
                .satisfiesExactly(
                    lost -> assertThat(lost).startsWith("driver lost"),
                    back -> assertThat(back).startsWith("driver back"));
        }
    }
}

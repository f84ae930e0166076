package io.gannet.driver;

import io.gannet.harness.Await;
import io.gannet.harness.FlowSubscriber;
import io.gannet.harness.ProcessHarness;
import io.gannet.harness.TestDirectory;
import io.gannet.harness.TestProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two drivers and two subscribers as processes, and kill -9 of drivers while checked messages flow between hosts: every
 * subscriber sees each publisher's messages whole, in order and without a gap, and goes on.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class RdmaRestartIT
{
    private static final String FROM = TestNic.address(LoopbackAddress.random(), 1);
    private static final String TO = TestNic.address(LoopbackAddress.random(), 2);
    private static final long SOME = 6_000;

    /** The subscribers' host is the harness's own directory. */
    @RegisterExtension
    private final ProcessHarness harness = new ProcessHarness();
    private Path publishersDirectory;

    @BeforeEach
    void makeDirectory()
    {
        publishersDirectory = TestDirectory.create("it-from");
        // Whoever is killed is missed by its peer for a while.
        harness.expectError("it is to be made again");
        harness.expectError("cannot connect to");
        harness.expectError("cannot ask");
    }

    @AfterEach
    void removeDirectory()
    {
        harness.closeProcesses();
        TestDirectory.remove(publishersDirectory);
    }

    private TestProcess publishersDriver()
    {
        return harness.startDriver("--dir", publishersDirectory.toString(), "--device", TestNic.option(),
            "--device-address", FROM);
    }

    private TestProcess subscribersDriver()
    {
        return harness.startDriver("--device", TestNic.option(), "--device-address", TO);
    }

    private TestProcess subscriber(final String channel)
    {
        return harness.start("subscriber", FlowSubscriber.class.getName(),
            List.of(harness.directory().toString(), channel));
    }

    @ParameterizedTest
    @CsvSource({"false, true", "true, false"})
    void whoeverKillsDriversEverySubscriberGoesOnWithoutAGap(final boolean fanOut, final boolean exclusive)
    {
        final String channel = TestNic.patient(
            fanOut ? "gannet:rdma?control=" + FROM + ":4400" : "gannet:rdma?endpoint=" + TO + ":4400");
        TestProcess from = publishersDriver();
        TestProcess to = subscribersDriver();
        final TestProcess subscriber = subscriber(channel);
        harness.await("the subscription", () -> subscriber.lastAfter("subscribed") != null);
        final TestProcess publisher = harness.start("publisher", "io.gannet.harness.FlowPublisher",
            List.of(publishersDirectory.toString(), Boolean.toString(exclusive), channel + "|ring=1m"));
        harness.awaitProgress(subscriber, SOME);

        from.kill();
        from = publishersDriver();
        harness.awaitProgress(subscriber, SOME);

        to.kill();
        to = subscribersDriver();
        harness.awaitProgress(subscriber, SOME);

        from.kill();
        to.kill();
        subscribersDriver();
        publishersDriver();
        harness.awaitProgress(subscriber, SOME);
        harness.awaitProgress(publisher, SOME);

        final TestProcess late = subscriber(channel);
        harness.awaitProgress(late, SOME);
        publisher.kill();
        harness.await("the end of the stream", () -> subscriber.lastAfter("image gone") != null);
        Await.until("the publisher's ring to go",
            () -> TestDirectory.list(publishersDirectory.resolve("rings")).isEmpty());
        Await.until("the image's ring to go", () ->
            TestDirectory.list(harness.directory().resolve("rings")).isEmpty());
    }
}

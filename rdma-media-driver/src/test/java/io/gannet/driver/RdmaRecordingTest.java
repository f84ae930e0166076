package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.ExclusivePublication;
import io.gannet.Gannet;
import io.gannet.cli.Captured;
import io.gannet.harness.Await;
import io.gannet.recording.Events;
import io.gannet.recording.NumberedStream;
import io.gannet.recording.Recorder;
import io.gannet.recording.RecorderSettings;
import io.gannet.recording.ReplayFrom;
import io.gannet.recording.ReplaySubscription;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * What a host misses of a stream with {@code slow=drop} it gets from a recording; and the way of messages from host to
 * host is timed.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class RdmaRecordingTest
{
    private static final int STREAM = 10;
    /** Several times round a ring of 256 KiB. */
    private static final int MESSAGES = 1_500;
    /** Bytes that the recorder may be behind, lest it be dropped too. */
    private static final long FAR = 32 * 1024;

    private final NumberedStream messages = new NumberedStream();
    private final NumberedStream read = new NumberedStream();
    private final Events recorderEvents = new Events();
    private final Events told = new Events();

    @Test
    void whatASlowHostMissesComesFromTheRecordingInOrderAndOnce()
    {
        try (RdmaHost from = new RdmaHost("recording-from"); RdmaHost slow = new RdmaHost("recording-slow");
            Gannet publisher = from.connect(); Gannet sleeper = slow.connect())
        {
            final String channel = from.control(4410);
            final Path recording = from.directory().resolve("recorded");
            try (Recorder recorder = Recorder.start(
                publisher, new RecorderSettings(recording, channel, STREAM), recorderEvents);
                ExclusivePublication publication =
                    publisher.addExclusivePublication(channel + "|ring=256k|slow=drop", STREAM))
            {
                Await.until("the recorder", recorder::isConnected);
                publish(publication, recorder, 0, 50);
                try (ReplaySubscription subscription = new ReplaySubscription(
                    sleeper, recording, ReplayFrom.start(), told, 60, TimeUnit.SECONDS))
                {
                    awaitNext(subscription, publication, 50);
                    Await.until("the live stream", () -> poll(subscription) && subscription.isLive() &&
                        subscription.isConnected());
                    for (int round = 1; round <= 3; round++)
                    {
                        // It sleeps until it is cut off, and comes to itself.
                        publish(publication, recorder, 50 + (round - 1) * MESSAGES, 50 + round * MESSAGES);
                        awaitNext(subscription, publication, 50 + round * MESSAGES);
                        Await.until("the live stream again", () -> poll(subscription) && subscription.isLive() &&
                            subscription.isConnected());
                    }
                    assertThat(told.of("gap")).isEmpty();
                }
                assertThat(recorderEvents.of("gap")).isEmpty();
                assertThat(from.log()).anyMatch(line -> line.contains("slow"));
            }
        }
    }

    private boolean poll(final ReplaySubscription subscription)
    {
        subscription.poll(read::check, 50);
        return true;
    }

    private void awaitNext(
        final ReplaySubscription subscription, final ExclusivePublication publication, final long next)
    {
        Await.until("message " + next, () -> poll(subscription) && read.next(publication.sessionId()) >= next);
    }

    private void publish(
        final ExclusivePublication publication, final Recorder recorder, final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            messages.publish(publication, i);
            Await.until("the recorder", () -> recorder.streams().stream().anyMatch(
                stream -> stream.recordedPosition() >= publication.position() - FAR));
        }
        Await.until("all to be recorded", () -> recorder.streams().stream().anyMatch(
            stream -> stream.recordedPosition() >= publication.position()));
    }

    @Test
    @ResourceLock(Resources.SYSTEM_OUT)
    @ResourceLock(Resources.SYSTEM_ERR)
    void allHopsBetweenTwoDriversAreTimed() throws InterruptedException
    {
        try (RdmaHost from = new RdmaHost("trace-from"); RdmaHost to = new RdmaHost("trace-to");
            Gannet publisher = from.connect(); Gannet subscriber = to.connect())
        {
            final String channel = to.channel(4411);
            final boolean[] stop = {false};
            final Thread flow = new Thread(() ->
            {
                try (ExclusivePublication publication = publisher.addExclusivePublication(channel, STREAM);
                    io.gannet.Subscription subscription = subscriber.addSubscription(channel, STREAM))
                {
                    final org.agrona.concurrent.UnsafeBuffer message =
                        new org.agrona.concurrent.UnsafeBuffer(new byte[100]);
                    while (!stop[0])
                    {
                        publication.offer(message);
                        subscription.poll((buffer, offset, length, header) -> { }, 100);
                        java.util.concurrent.locks.LockSupport.parkNanos(100_000);
                    }
                }
            });
            flow.start();
            try
            {
                final String[] found = {""};
                Await.until("all hops", () ->
                {
                    final Captured traced = Captured.run("trace", String.valueOf(STREAM), "--dir",
                        from.directory().toString(), "--dir", to.directory().toString(), "--samples", "20",
                        "--seconds", "30", "--resolution", "100000");
                    found[0] = traced.toString();
                    return traced.exitCode() == 0 && traced.out().contains("publisher -> subscriber");
                });
                assertThat(found[0]).contains("20 samples; ", "publisher -> sender ",
                    "sender -> receiver in gannet-test-trace-to", "publisher -> receiver in gannet-test-trace-to",
                    "publisher -> consumed on another host, and told ");
            }
            finally
            {
                stop[0] = true;
                flow.join();
            }
        }
    }
}

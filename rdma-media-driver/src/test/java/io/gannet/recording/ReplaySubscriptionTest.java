package io.gannet.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.ExclusivePublication;
import io.gannet.Gannet;
import io.gannet.harness.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * From a recording over to the live stream, each message once and in order, while it is published.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class ReplaySubscriptionTest
{
    private static final long FAR = 60;

    private final RecordingFixture fixture = new RecordingFixture();
    private final Gannet client = fixture.connect();
    private final Gannet other = fixture.connect();
    private final NumberedStream read = new NumberedStream();
    private final Events told = new Events();

    @AfterEach
    void close()
    {
        other.close();
        client.close();
        fixture.close();
    }

    private ReplaySubscription replay(final ReplayFrom from)
    {
        return new ReplaySubscription(
            other, fixture.recording, from, told, FAR, TimeUnit.SECONDS);
    }

    /** Await asks every few milliseconds: much at a time. */
    private void pump(final ReplaySubscription subscription)
    {
        for (int i = 0; i < 100 && subscription.poll(read::check, 100) > 0; i++)
        {
            Thread.onSpinWait();
        }
    }

    /** Publishes on a thread of its own until it is told to stop. */
    private final class Flow implements AutoCloseable
    {
        private final ExclusivePublication publication =
            client.addExclusivePublication(RecordingFixture.CHANNEL, RecordingFixture.STREAM);
        private final AtomicBoolean stop = new AtomicBoolean();
        private final AtomicLong published = new AtomicLong();
        private final Thread thread = new Thread(this::run, "flow");

        Flow()
        {
            Await.until("a subscriber", publication::isConnected);
            thread.start();
        }

        private void run()
        {
            final NumberedStream messages = new NumberedStream();
            while (!stop.get())
            {
                messages.publish(publication, published.get());
                if (published.incrementAndGet() % 20 == 0)
                {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
                }
            }
        }

        long published()
        {
            return published.get();
        }

        @Override
        public void close()
        {
            stop.set(true);
            publication.close();
        }
    }

    @RepeatedTest(3)
    void whatWasPublishedBeforeAndWhatIsPublishedMeanwhileComesOnceAndInOrder() throws InterruptedException
    {
        try (Recorder recorder = fixture.record(client); Flow first = new Flow(); Flow second = new Flow())
        {
            Await.until("much to be recorded", () -> recorder.bytesWritten() > 2 * RecordingFixture.SEGMENT);
            try (ReplaySubscription subscription = replay(ReplayFrom.start()))
            {
                Await.until("the live streams to be reached", () ->
                {
                    pump(subscription);
                    return subscription.isLive();
                });
                final long there = first.published();
                Await.until("more of them", () ->
                {
                    pump(subscription);
                    return read.next(first.publication.sessionId()) > there + 1_000;
                });
                // One that begins now has no past.
                try (Flow third = new Flow())
                {
                    Await.until("messages of the third", () ->
                    {
                        pump(subscription);
                        return read.next(third.publication.sessionId()) > 100;
                    });
                }
                final List<Flow> flows = List.of(first, second);
                Await.until("the flows to have stopped", () ->
                {
                    flows.forEach(flow -> flow.stop.set(true));
                    pump(subscription);
                    return flows.stream().noneMatch(flow -> flow.thread.isAlive());
                });
                Await.until("all", () ->
                {
                    pump(subscription);
                    return flows.stream().allMatch(
                        flow -> read.next(flow.publication.sessionId()) == flow.published());
                });
            }
        }
        assertThat(told.of("gap")).isEmpty();
        assertThat(told.of("damage")).isEmpty();
        assertThat(read.sessions()).isEqualTo(3);
    }

    @Test
    void goesOnBehindTheLastMessageThatWasDealtWith()
    {
        try (Recorder recorder = fixture.record(client); Flow flow = new Flow())
        {
            final int session = flow.publication.sessionId();
            Await.until("something to be recorded", () -> recorder.bytesWritten() > RecordingFixture.SEGMENT);
            long dealtWith = 0;
            for (int i = 0; i < 5; i++)
            {
                final long goal = read.next(session) + 500;
                final long[] position = {dealtWith};
                try (ReplaySubscription subscription = replay(ReplayFrom.position(session, dealtWith)))
                {
                    Await.until("messages up to " + goal, () ->
                    {
                        subscription.poll((buffer, offset, length, header) ->
                        {
                            read.check(buffer, offset, length, header);
                            position[0] = header.position();
                        }, 97);
                        return read.next(session) >= goal;
                    });
                }
                dealtWith = position[0];
            }
        }
        assertThat(told.of("gap")).isEmpty();
    }

    @Test
    void withoutARecorderTheMissingPartIsTold()
    {
        try (Flow flow = startAndStopRecorder())
        {
            final List<Long> numbers = new ArrayList<>();
            try (ReplaySubscription subscription = replay(ReplayFrom.start()))
            {
                Await.until("the live stream", () ->
                {
                    subscription.poll((buffer, offset, length, header) -> numbers.add(buffer.getLong(offset)), 100);
                    return subscription.isLive() && numbers.getLast() > numbers.getFirst() + 500 &&
                        !told.of("gap").isEmpty();
                });
            }
            assertThat(numbers).isSorted().doesNotHaveDuplicates().startsWith(0L);
            assertThat(told.of("gap")).hasSize(1).first().asString().endsWith("AWAY");
            assertThat(flow.published()).isPositive();
        }
    }

    /** The stream goes on without it, as another subscriber takes it. */
    private Flow startAndStopRecorder()
    {
        final io.gannet.Subscription taker;
        final Flow flow;
        try (Recorder recorder = fixture.record(client))
        {
            taker = client.addSubscription(RecordingFixture.CHANNEL, RecordingFixture.STREAM);
            final Thread thread = new Thread(() ->
            {
                while (!taker.isClosed())
                {
                    taker.poll((buffer, offset, length, header) -> { }, 100);
                    LockSupport.parkNanos(50_000);
                }
            });
            thread.setDaemon(true);
            thread.start();
            flow = new Flow();
            Await.until("something to be recorded", () -> recorder.bytesWritten() > 100_000);
        }
        final long then = flow.published();
        Await.until("more", () -> flow.published() > then + 1_000);
        return flow;
    }
}

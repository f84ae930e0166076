package io.gannet.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.BufferClaim;
import io.gannet.ExclusivePublication;
import io.gannet.Gannet;
import io.gannet.Subscription;
import io.gannet.cli.Captured;
import io.gannet.harness.Await;
import io.gannet.harness.TestProcess;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code gannet replay} by what its subscribers get, number by number. The recorder's clock is the test's: hours lie
 * between messages, so that one that is not replayed at the speed asked for would never come.
 */
@ResourceLock(Resources.SYSTEM_OUT)
@ResourceLock(Resources.SYSTEM_ERR)
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class ReplayCommandTest
{
    private static final int COPY = 78;
    private static final int LENGTH = 100;
    /** Of 100 bytes, with the header, aligned to 32. */
    private static final int STEP = 128;
    private static final int BATCH = 40;
    private static final Instant NINE = Instant.parse("2026-11-30T09:00:00Z");
    private static final long MANY = 20_000;

    private final RecordingFixture fixture = new RecordingFixture();
    private final Gannet client = fixture.connect();
    private final AtomicLong now = new AtomicLong(nanos(NINE));
    private final List<Long> got = Collections.synchronizedList(new ArrayList<>());
    private final BufferClaim claim = BufferClaim.allocate();
    private long published;

    @AfterEach
    void close()
    {
        client.close();
        fixture.close();
    }

    private static long nanos(final Instant instant)
    {
        return TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
    }

    private Recorder record()
    {
        final RecorderSettings usual = fixture.settings();
        return Recorder.start(client, new RecorderSettings(usual.directory(), usual.channel(), usual.streamId(),
            usual.segmentBytes(), usual.keepBytes(), usual.bufferBytes(), usual.sync(), usual.syncIntervalNanos(),
            usual.full(), now::get), fixture.events);
    }

    /** Publishes the next message, whose bytes and reserved value follow from its number. */
    private void publish(final ExclusivePublication publication)
    {
        Await.until("room for message " + published, () -> publication.tryClaim(LENGTH, claim) > 0);
        claim.buffer().setMemory(claim.offset(), LENGTH, (byte) published);
        claim.buffer().putLong(claim.offset(), published);
        claim.reservedValue(~published);
        claim.commit();
        published++;
    }

    private void publishBatch(final ExclusivePublication publication, final Recorder recorder)
    {
        for (int i = 0; i < BATCH; i++)
        {
            publish(publication);
        }
        RecordingFixture.awaitRecorded(recorder, publication.sessionId(), publication.position());
    }

    private void poll(final Subscription subscription)
    {
        subscription.poll((buffer, offset, length, header) ->
        {
            final long number = buffer.getLong(offset);
            boolean whole = length == LENGTH && header.reservedValue() == ~number;
            for (int i = Long.BYTES; whole && i < LENGTH; i++)
            {
                whole = buffer.getByte(offset + i) == (byte) number;
            }
            if (!whole)
            {
                throw new AssertionError("message " + number + " is not what was published");
            }
            got.add(number);
        }, 1_000);
    }

    private List<String> replay(final String... more)
    {
        return replayInto(COPY, more);
    }

    private List<String> replayInto(final int stream, final String... more)
    {
        final List<String> arguments = new ArrayList<>(List.of("replay", "--dir",
            fixture.directory.resolve("driver").toString(), "--in", fixture.recording.toString(), "--stream",
            String.valueOf(stream), "--channel", RecordingFixture.CHANNEL));
        arguments.addAll(List.of(more));
        return arguments;
    }

    /** Three batches, an hour from each to the next. */
    private void recordThreeHours()
    {
        try (Recorder recorder = record();
            ExclusivePublication publication =
                client.addExclusivePublication(RecordingFixture.CHANNEL, RecordingFixture.STREAM))
        {
            Await.until("the recorder", publication::isConnected);
            for (int hour = 0; hour < 3; hour++)
            {
                now.set(nanos(NINE) + TimeUnit.HOURS.toNanos(hour));
                publishBatch(publication, recorder);
            }
        }
    }

    /** What the command publishes, by its numbers, and that it says so. */
    private void assertReplays(final long from, final long to, final String... options)
    {
        got.clear();
        try (Subscription subscription = client.addSubscription(RecordingFixture.CHANNEL, COPY))
        {
            final Captured replayed = Captured.run(replay(options).toArray(String[]::new));
            assertThat(replayed.exitCode()).as(replayed.toString()).isZero();
            assertThat(replayed.out()).contains(
                String.format("replayed %,d messages of %,d bytes", to - from, (to - from) * LENGTH));
            Await.until("its messages", () ->
            {
                poll(subscription);
                return got.size() >= to - from;
            });
            poll(subscription);
            assertThat(got).as(String.join(" ", options))
                .containsExactlyElementsOf(LongStream.range(from, to).boxed().toList());
        }
    }

    @Test
    void exactlyWhatLiesBetweenTwoTimesOrPositionsIsReplayed()
    {
        recordThreeHours();
        assertReplays(0, 120, "--fast");
        assertReplays(40, 80, "--fast", "--from-time", "2026-11-30T10:00:00Z", "--to-time", "2026-11-30T11:00:00Z");
        assertReplays(80, 120, "--fast", "--from-time", "2026-11-30T10:00:00.002Z");
        assertReplays(0, 40, "--fast", "--to-time", String.valueOf(nanos(NINE) + 1));
        assertReplays(0, 0, "--fast", "--from-time", "2026-11-30T12:00:00Z");
        assertReplays(0, 120, "--fast", "--from-time", "1999-12-31T00:00:00Z");
        assertReplays(17, 99, "--fast", "--from", String.valueOf(17 * STEP), "--to", String.valueOf(99 * STEP));
        assertReplays(18, 120, "--fast", "--from", String.valueOf(17 * STEP + 1));
        assertReplays(0, 0, "--fast", "--from", String.valueOf(120 * STEP));
    }

    /** A clock that was set back, while the recorder ran or before it was started again, is no way to miss anything. */
    @Test
    void timesNeverGoBack()
    {
        for (final String start : List.of("2026-11-30T09:00:00Z", "2026-11-30T08:30:00Z"))
        {
            try (Recorder recorder = record();
                ExclusivePublication publication =
                    client.addExclusivePublication(RecordingFixture.CHANNEL, RecordingFixture.STREAM))
            {
                Await.until("the recorder", publication::isConnected);
                for (int part = 0; part < 3; part++)
                {
                    // An hour on, then half an hour back.
                    now.set(nanos(Instant.parse(start)) + TimeUnit.MINUTES.toNanos(part == 2 ? 30 : part * 60));
                    publishBatch(publication, recorder);
                }
            }
        }
        assertReplays(40, 240, "--fast", "--from-time", "2026-11-30T09:45:00Z");
        assertReplays(40, 240, "--fast", "--from-time", "2026-11-30T10:00:00Z");
        assertReplays(0, 40, "--fast", "--to-time", "2026-11-30T09:45:00Z");
        assertReplays(0, 0, "--fast", "--from-time", "2026-11-30T10:00:00.002Z");
    }

    /** As fast as possible is shown by that it ends at all; two hours are recorded. */
    @Test
    void thePausesAreThoseOfTheRecordingDividedByTheSpeed()
    {
        recordThreeHours();
        long start = System.nanoTime();
        assertReplays(0, 120, "--speed", "7200");
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(1_000));
        start = System.nanoTime();
        // Pauses before what is asked for are none.
        assertReplays(80, 120, "--speed", "0.001", "--from", String.valueOf(80 * STEP));
        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.HOURS.toNanos(1));
    }

    /** What it publishes is recorded meanwhile, and not replayed for ever. */
    @Test
    void aReplayIntoTheRecordedStreamEnds()
    {
        recordThreeHours();
        try (Recorder recorder = record();
            Subscription subscription = client.addSubscription(RecordingFixture.CHANNEL, RecordingFixture.STREAM))
        {
            final Thread taker = Thread.ofPlatform().start(() ->
            {
                while (got.size() < 3 * BATCH)
                {
                    poll(subscription);
                    LockSupport.parkNanos(50_000);
                }
            });
            final Captured replayed =
                Captured.run(replayInto(RecordingFixture.STREAM, "--fast").toArray(String[]::new));
            assertThat(replayed.exitCode()).as(replayed.toString()).isZero();
            assertThat(replayed.out()).contains("replayed 120 messages of ");
            Await.until("its messages", () -> !taker.isAlive());
            assertThat(got).containsExactlyElementsOf(LongStream.range(0, 120).boxed().toList());
            Await.until("them to be recorded", () -> recorder.streams().size() == 2);
            final Captured live = Captured.run(replayInto(RecordingFixture.STREAM, "--live").toArray(String[]::new));
            assertThat(live.exitCode()).isEqualTo(2);
            assertThat(live.err()).contains("is the stream that is recorded", "Choose another --stream or --channel");
        }
    }

    /** With times too. */
    @Test
    void oneSessionOfSeveralIsReplayedAlone()
    {
        try (Recorder recorder = record();
            ExclusivePublication first =
                client.addExclusivePublication(RecordingFixture.CHANNEL, RecordingFixture.STREAM);
            ExclusivePublication second =
                client.addExclusivePublication(RecordingFixture.CHANNEL, RecordingFixture.STREAM))
        {
            Await.until("the recorder", () -> first.isConnected() && second.isConnected());
            for (int hour = 0; hour < 2; hour++)
            {
                now.set(nanos(NINE) + TimeUnit.HOURS.toNanos(hour));
                publishBatch(first, recorder);
                publishBatch(second, recorder);
            }
            final String session = String.valueOf(second.sessionId());
            assertReplays(120, 160, "--fast", "--session", session, "--from-time", "2026-11-30T10:00:00Z");
            assertReplays(40, 80, "--fast", "--session", session, "--to-time", "2026-11-30T10:00:00Z");
            assertReplays(120, 160, "--fast", "--session", session, "--from", String.valueOf(BATCH * STEP));
            final Captured none = Captured.run(replay("--session", String.valueOf(second.sessionId() + 1_000),
                "--to-time", "2026-11-30T10:00:00Z").toArray(String[]::new));
            assertThat(none.err()).contains("nothing of it is recorded in " + fixture.recording, session);
            final Captured both = Captured.run(replay("--from", "0").toArray(String[]::new));
            assertThat(both.err()).contains("choose one with --session");
            assertThat(Captured.run(replay("--live", "--speed", "2").toArray(String[]::new)).err())
                .contains("leave out --speed");
        }
    }

    /** From its beginning, a position or a time; publishers never pause while it goes over to the live stream. */
    @ParameterizedTest
    @ValueSource(strings = {"start", "position", "time"})
    void liveGoesOnWhereTheRecordingEnds(final String from)
    {
        try (Recorder recorder = record();
            ExclusivePublication publication =
                client.addExclusivePublication(RecordingFixture.CHANNEL, RecordingFixture.STREAM);
            Subscription subscription = client.addSubscription(RecordingFixture.CHANNEL, COPY))
        {
            Await.until("the recorder", publication::isConnected);
            publishBatch(publication, recorder);
            now.addAndGet(TimeUnit.HOURS.toNanos(1));
            publishBatch(publication, recorder);
            final List<String> arguments = replay("--live");
            arguments.addAll(switch (from)
            {
                case "position" -> List.of("--from", String.valueOf(BATCH * STEP));
                case "time" -> List.of("--from-time", NINE.plusSeconds(3600).toString());
                default -> List.of();
            });
            final long first = "start".equals(from) ? 0 : BATCH;
            try (TestProcess replay = TestProcess.start("replay", Map.of(), "io.gannet.cli.Main", arguments))
            {
                final boolean[] stop = {false};
                final Thread flow = Thread.ofPlatform().start(() ->
                {
                    while (!stop[0])
                    {
                        publish(publication);
                        LockSupport.parkNanos(20_000);
                    }
                });
                try
                {
                    Await.until("the live stream", () -> awaits(subscription, replay) && isLive(replay));
                    final long live = got.size();
                    Await.until("more of it", () -> awaits(subscription, replay) && got.size() > live + MANY / 10);
                }
                finally
                {
                    stop[0] = true;
                    Await.until("the flow to end", () -> awaits(subscription, replay) && !flow.isAlive());
                }
                Await.until("all of it", () -> awaits(subscription, replay) && got.size() >= published - first);
                replay.terminate();
                Await.until("its end", () -> awaits(subscription, replay) && !replay.isAlive());
                Await.until("what it says at last", () -> replay.lastAfter("replayed ") != null);
                assertThat(got).containsExactlyElementsOf(LongStream.range(first, published).boxed().toList());
                assertThat(replay.lines()).filteredOn(line -> line.contains("gap")).isEmpty();
                assertThat(replay.lines()).filteredOn("live"::equals).hasSize(1);
                assertThat(replay.lastAfter("replayed ")).startsWith(String.format("%,d messages", published - first));
            }
        }
        assertThat(fixture.events.of("gap")).isEmpty();
    }

    private static boolean isLive(final TestProcess replay)
    {
        return replay.lines().contains("live");
    }

    private boolean awaits(final Subscription subscription, final TestProcess replay)
    {
        poll(subscription);
        assertThat(replay.lines()).noneMatch(line -> line.startsWith("gannet: "));
        return true;
    }

    /** One that waits for a subscriber, or out a pause, ends as well. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void itEndsAtOnceWhileItWaits(final boolean subscribed)
    {
        recordThreeHours();
        final Subscription subscription =
            subscribed ? client.addSubscription(RecordingFixture.CHANNEL, COPY) : null;
        try (TestProcess replay = TestProcess.start("replay", Map.of(), "io.gannet.cli.Main", replay()))
        {
            if (subscribed)
            {
                Await.until("the first hour", () -> awaits(subscription, replay) && got.size() == BATCH);
            }
            else
            {
                Await.until("it to wait", () -> replay.lastAfter("waiting for a subscriber of ") != null);
            }
            replay.terminate();
            Await.until("its end", () -> !replay.isAlive() && replay.lastAfter("replayed ") != null);
            assertThat(replay.lastAfter("replayed ")).startsWith((subscribed ? BATCH : 0) + " messages of ");
        }
    }
}

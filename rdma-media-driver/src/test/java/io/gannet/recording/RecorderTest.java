package io.gannet.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.BufferClaim;
import io.gannet.ExclusivePublication;
import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A stream goes into files and comes out of them as it was.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class RecorderTest
{
    private static final int MESSAGES = 4_000;

    private final RecordingFixture fixture = new RecordingFixture();
    private final Gannet client = fixture.connect();
    private final NumberedStream messages = new NumberedStream();

    @AfterEach
    void close()
    {
        client.close();
        fixture.close();
    }

    private static NumberedStream read(final Path directory, final RecordingListener listener)
    {
        final NumberedStream read = new NumberedStream();
        try (RecordingReader reader = new RecordingReader(directory, listener))
        {
            while (reader.poll(read::check, 100) > 0)
            {
                Thread.onSpinWait();
            }
        }
        return read;
    }

    @Test
    void everyMessageOfEverySessionIsRecordedOverManyFiles()
    {
        final Events told = new Events();
        final long shared;
        final long own;
        final int sharedSession;
        final int ownSession;
        try (Recorder recorder = fixture.record(client))
        {
            try (Publication first = client.addPublication(RecordingFixture.CHANNEL, RecordingFixture.STREAM);
                ExclusivePublication second =
                    client.addExclusivePublication(RecordingFixture.CHANNEL, RecordingFixture.STREAM))
            {
                sharedSession = first.sessionId();
                ownSession = second.sessionId();
                Await.until("both to be connected", () -> first.isConnected() && second.isConnected());
                final BufferClaim claim = BufferClaim.allocate();
                for (int i = 0; i < MESSAGES; i++)
                {
                    messages.publish(first, i);
                    messages.publish(second, i);
                    if (i % 50 == 0)
                    {
                        // Padding is nothing that a reader sees.
                        Await.until("a claim", () -> second.tryClaim(100, claim) > 0);
                        claim.abort();
                    }
                }
                shared = first.position();
                own = second.position();
                RecordingFixture.awaitRecorded(recorder, sharedSession, shared);
                RecordingFixture.awaitRecorded(recorder, ownSession, own);
            }
            Await.until("both to have ended", () -> fixture.events.of("end").size() == 2);
        }
        final NumberedStream read = read(fixture.recording, told);
        assertThat(read.next(sharedSession)).isEqualTo(MESSAGES);
        assertThat(read.next(ownSession)).isEqualTo(MESSAGES);
        assertThat(told.all).containsExactlyInAnyOrder("start 0", "start 0", "end " + shared, "end " + own);
        assertThat(TestDirectory.list(fixture.recording)).contains(
            "segment-0000000005.rec", "segment-0000000004.idx", "segment-0000000001.rec");
    }

    /** The clock may be set back, and who asks for a time is answered up to the first block behind it. */
    @Test
    void timesDoNotGoBackInARunNorFromOneToTheNext()
    {
        final AtomicLong clock = new AtomicLong(TimeUnit.DAYS.toNanos(20_000));
        final RecorderSettings settings = new RecorderSettings(fixture.recording, RecordingFixture.CHANNEL,
            RecordingFixture.STREAM, RecordingFixture.SEGMENT, Long.MAX_VALUE, RecordingFixture.SEGMENT,
            SyncPolicy.NEVER, TimeUnit.MILLISECONDS.toNanos(10), FullPolicy.STOP, clock::get);
        try (ExclusivePublication publication =
            client.addExclusivePublication(RecordingFixture.CHANNEL, RecordingFixture.STREAM))
        {
            for (int i = 0; i < 4; i++)
            {
                try (Recorder recorder = Recorder.start(client, settings, fixture.events))
                {
                    publish(publication, 100 * i, 100 * i + 50);
                    RecordingFixture.awaitRecorded(recorder, publication.sessionId(), publication.position());
                    clock.addAndGet(i == 2 ? TimeUnit.DAYS.toNanos(3) : -TimeUnit.HOURS.toNanos(1));
                    publish(publication, 100 * i + 50, 100 * i + 100);
                    RecordingFixture.awaitRecorded(recorder, publication.sessionId(), publication.position());
                }
            }
        }
        final List<Long> times = new ArrayList<>();
        try (RecordingReader reader = new RecordingReader(fixture.recording, new Events()))
        {
            while (reader.poll((buffer, offset, length, header) ->
                times.add(((RecordedHeader) header).time()), 100) > 0)
            {
                Thread.onSpinWait();
            }
        }
        assertThat(times).hasSize(400).isSorted();
        assertThat(times.getLast()).isGreaterThan(times.getFirst());
    }

    @Test
    void aRecorderThatIsStartedAgainGoesOnAndTellsWhatLiesBetween()
    {
        try (ExclusivePublication publication =
            client.addExclusivePublication(RecordingFixture.CHANNEL, RecordingFixture.STREAM))
        {
            final long recorded;
            try (Recorder recorder = fixture.record(client))
            {
                publish(publication, 0, 100);
                recorded = publication.position();
                RecordingFixture.awaitRecorded(recorder, publication.sessionId(), recorded);
            }
            // Somebody else takes what no recorder takes.
            try (io.gannet.Subscription other =
                client.addSubscription(RecordingFixture.CHANNEL, RecordingFixture.STREAM))
            {
                Await.until("the other", other::isConnected);
                publish(publication, 100, 150);
            }
            final long missed = publication.position();
            try (Recorder recorder = fixture.record(client))
            {
                publish(publication, 150, 200);
                RecordingFixture.awaitRecorded(recorder, publication.sessionId(), publication.position());
            }
            // And once more, with nothing between.
            try (Recorder recorder = fixture.record(client))
            {
                publish(publication, 200, 250);
                RecordingFixture.awaitRecorded(recorder, publication.sessionId(), publication.position());
            }
            final List<String> gaps = List.of("gap " + recorded + " " + missed + " AWAY");
            assertThat(fixture.events.of("gap")).isEqualTo(gaps);
            final Events told = new Events();
            final List<Long> numbers = new ArrayList<>();
            try (RecordingReader reader = new RecordingReader(fixture.recording, told))
            {
                reader.poll((buffer, offset, length, header) -> numbers.add(buffer.getLong(offset)), 10_000);
            }
            assertThat(numbers).hasSize(200).startsWith(0L).endsWith(249L).doesNotContain(100L, 149L).isSorted();
            assertThat(told.of("gap")).isEqualTo(gaps);
            assertThat(told.of("damage")).isEmpty();
        }
    }

    @Test
    void whatAnEarlierRunRecordedIsNoPublicationThatHasEndedInThisOne()
    {
        for (int run = 0; run < 3; run++)
        {
            try (Recorder recorder = fixture.record(client))
            {
                assertThat(recorder.streams()).hasSize(run);
                assertThat(recorder.hasImagesThatAllEnded()).as("run " + run + ", before any").isFalse();
                try (ExclusivePublication publication =
                    client.addExclusivePublication(RecordingFixture.CHANNEL, RecordingFixture.STREAM))
                {
                    publish(publication, 0, 10);
                    RecordingFixture.awaitRecorded(recorder, publication.sessionId(), publication.position());
                    assertThat(recorder.hasImagesThatAllEnded()).as("run " + run + ", while it lives").isFalse();
                }
                Await.until("the end of all", recorder::hasImagesThatAllEnded);
            }
        }
    }

    private void publish(final Publication publication, final int from, final int to)
    {
        Await.until("a subscriber", publication::isConnected);
        for (int i = from; i < to; i++)
        {
            messages.publish(publication, i);
        }
    }

    @Test
    void readsFromAPositionAndFromATimeAndWhileItIsRecorded()
    {
        final List<Long> positions = new ArrayList<>();
        try (Recorder recorder = fixture.record(client);
            ExclusivePublication publication =
                client.addExclusivePublication(RecordingFixture.CHANNEL, RecordingFixture.STREAM))
        {
            Await.until("a subscriber", publication::isConnected);
            for (int i = 0; i < MESSAGES; i++)
            {
                positions.add(publication.position());
                messages.publish(publication, i);
            }
            RecordingFixture.awaitRecorded(recorder, publication.sessionId(), publication.position());
            final List<Long> times = new ArrayList<>();
            try (RecordingReader reader = new RecordingReader(fixture.recording))
            {
                assertThat(reader.isBeingRecorded()).isTrue();
                assertThat(reader.sessions()).containsExactly(publication.sessionId());
                while (reader.poll((b, o, l, header) -> times.add(((RecordedHeader) header).time()), 1000) > 0)
                {
                    Thread.onSpinWait();
                }
                assertThat(times).hasSize(MESSAGES).isSorted();
                for (int from = 0; from < MESSAGES; from += 397)
                {
                    assertThat(reader.seekToPosition(
                        publication.sessionId(), positions.get(from), positions.get(from + 3))).isTrue();
                    assertThat(numbers(reader)).containsExactly((long) from, from + 1L, from + 2L);
                    reader.seekToTime(times.get(from), Long.MAX_VALUE);
                    final List<Long> late = numbers(reader);
                    assertThat(late).endsWith(MESSAGES - 1L).contains((long) from);
                    // At most what came in the millisecond before.
                    final long first = late.getFirst();
                    assertThat(times.get((int) first)).isGreaterThanOrEqualTo(times.get(from) - 1_000_000);
                }
                assertThat(reader.seekToPosition(publication.sessionId() + 1, 0, Long.MAX_VALUE)).isFalse();
                assertThat(numbers(reader)).isEmpty();
            }
        }
    }

    private static List<Long> numbers(final RecordingReader reader)
    {
        final List<Long> numbers = new ArrayList<>();
        while (reader.poll((buffer, offset, length, header) -> numbers.add(buffer.getLong(offset)), 1000) > 0)
        {
            Thread.onSpinWait();
        }
        return numbers;
    }

    @Test
    void thereIsOneRecorderAndItsRecordingIsOfOneStream()
    {
        try (Recorder recorder = fixture.record(client))
        {
            assertThat(recorder.isRunning()).isTrue();
            assertThatThrownBy(() -> fixture.record(client)).isInstanceOf(RecordingException.class)
                .hasMessageContaining("another recorder is at work in " + fixture.recording);
        }
        final RecorderSettings other =
            new RecorderSettings(fixture.recording, RecordingFixture.CHANNEL, RecordingFixture.STREAM + 1);
        assertThatThrownBy(() -> Recorder.start(client, other, fixture.events))
            .isInstanceOf(RecordingException.class).hasMessageContaining("stream 77, not of gannet:ipc");
        assertThatThrownBy(() -> new RecordingReader(fixture.directory)).isInstanceOf(RecordingException.class)
            .hasMessageContaining("has no recording in it");
    }

    @Test
    void theOldestFilesGoWhenThereIsTooMuch()
    {
        final RecorderSettings keep = new RecorderSettings(fixture.recording, RecordingFixture.CHANNEL,
            RecordingFixture.STREAM, RecordingFixture.SEGMENT, 2L * RecordingFixture.SEGMENT,
            RecordingFixture.SEGMENT, SyncPolicy.EACH, 1_000_000, FullPolicy.STOP, fixture.settings().clock());
        final Events told = new Events();
        final int session;
        try (Recorder recorder = Recorder.start(client, keep, fixture.events);
            ExclusivePublication publication =
                client.addExclusivePublication(RecordingFixture.CHANNEL, RecordingFixture.STREAM))
        {
            session = publication.sessionId();
            publish(publication, 0, MESSAGES);
            RecordingFixture.awaitRecorded(recorder, session, publication.position());
        }
        final List<String> files = TestDirectory.list(fixture.recording);
        assertThat(files).doesNotContain("segment-0000000001.rec", "segment-0000000001.idx")
            .hasSizeLessThanOrEqualTo(2 * 2 + 1);
        assertThat(read(fixture.recording, told).next(session)).isEqualTo(MESSAGES);
        // The recorder may have seen the end of the publication, which closes first.
        assertThat(told.all).allMatch(event -> event.startsWith("end "));
    }

    /** A frame that is longer than a chunk of the buffer. */
    @Test
    void aLongMessageIsRecorded()
    {
        final String channel = "gannet:ipc?ring=16m";
        final RecorderSettings settings = new RecorderSettings(fixture.recording, channel, RecordingFixture.STREAM,
            RecordingFixture.SEGMENT, Long.MAX_VALUE, RecordingFixture.SEGMENT, SyncPolicy.NEVER, 1_000_000,
            FullPolicy.STOP, fixture.settings().clock());
        try (Recorder recorder = Recorder.start(client, settings, fixture.events);
            ExclusivePublication publication = client.addExclusivePublication(channel, RecordingFixture.STREAM))
        {
            final org.agrona.concurrent.UnsafeBuffer large =
                new org.agrona.concurrent.UnsafeBuffer(new byte[publication.maxMessageLength()]);
            large.setMemory(0, large.capacity(), (byte) 7);
            for (int i = 0; i < 5; i++)
            {
                Await.until("room", () -> publication.offer(large) > 0);
            }
            RecordingFixture.awaitRecorded(recorder, publication.sessionId(), publication.position());
            final List<Integer> lengths = new ArrayList<>();
            try (RecordingReader reader = new RecordingReader(fixture.recording))
            {
                while (reader.poll((buffer, offset, length, header) ->
                {
                    lengths.add(length);
                    assertThat(buffer.getByte(offset + length - 1)).isEqualTo((byte) 7);
                }, 1) > 0)
                {
                    Thread.onSpinWait();
                }
            }
            assertThat(lengths).hasSize(5).containsOnly(large.capacity());
        }
    }
}

package io.gannet.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.ring.FrameHeader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files of a recording that were cut or written into: no byte of them makes a reader hand on what was not recorded, go
 * back, stop for ever or fail otherwise than by saying what is missing.
 */
class RecordingDamageTest
{
    private static final int SESSION = 5;
    private static final int STREAM_NUMBER = 1;
    private static final int BLOCKS = 6;
    private static final int FRAMES = 3;
    private static final long MIB = 1 << 20;
    private static final int[] MASKS = {0x01, 0x80, 0xFF};

    /** In memory, as each of some thousand recordings is forced to its disk. */
    @TempDir(factory = InMemory.class)
    private Path directory;

    private long position;
    private int number;

    /** Makes directories on tmpfs. */
    static final class InMemory implements TempDirFactory
    {
        @Override
        public Path createTempDirectory(final AnnotatedElementContext element, final ExtensionContext test)
            throws IOException
        {
            return Files.createTempDirectory(Path.of("/dev/shm"), "gannet-test-recording-");
        }
    }

    /** What a reader told and handed on. */
    private static final class Outcome implements RecordingListener
    {
        private final List<Integer> numbers = new ArrayList<>();
        private final List<long[]> gaps = new ArrayList<>();
        private final List<long[]> damage = new ArrayList<>();
        private long last;

        @Override
        public void onGap(final int session, final long from, final long to, final Reason reason)
        {
            assertThat(from).isLessThan(to);
            gaps.add(new long[]{from, to});
        }

        @Override
        public void onDamage(final Path file, final long offset, final long length)
        {
            assertThat(length).isPositive();
            damage.add(new long[]{offset, length});
        }
    }

    private RecorderSettings settings()
    {
        return new RecorderSettings(directory, "gannet:ipc", 9, MIB, Long.MAX_VALUE, (int) MIB, SyncPolicy.NEVER,
            TimeUnit.SECONDS.toNanos(1), FullPolicy.STOP, new SystemEpochNanoClock());
    }

    private Path segment(final long which)
    {
        return SegmentFiles.segment(directory, which);
    }

    @BeforeEach
    void record()
    {
        record(BLOCKS, 50, Block.START);
    }

    /** Appends blocks of numbered messages, each in a chunk of its own. */
    private void record(final int blocks, final int longest, final int firstType)
    {
        try (SegmentWriter writer = new SegmentWriter(settings(), new RecorderListener() { }, () -> false))
        {
            final Chunk chunk = new Chunk(1 << 16);
            chunk.begin(firstType, 0, SESSION, STREAM_NUMBER, position, position, 1_000);
            writer.append(chunk);
            for (int i = 0; i < blocks; i++)
            {
                chunk.clear();
                chunk.begin(Block.FRAMES, 0, SESSION, STREAM_NUMBER, position, position, 2_000 + i);
                for (int j = 0; j < FRAMES; j++)
                {
                    final UnsafeBuffer frame = frame(number, longest);
                    chunk.add(frame, 0, frame.capacity());
                    position += frame.capacity();
                    number++;
                }
                writer.append(chunk);
            }
        }
    }

    private static UnsafeBuffer frame(final int number, final int longest)
    {
        final int length = FrameHeader.HEADER_LENGTH + Integer.BYTES + new SplittableRandom(number).nextInt(longest);
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[FrameHeader.align(length)]);
        frame.setMemory(FrameHeader.HEADER_LENGTH, length - FrameHeader.HEADER_LENGTH, (byte) number);
        frame.putInt(FrameHeader.LENGTH_OFFSET, length);
        frame.putInt(FrameHeader.KIND_OFFSET, FrameHeader.KIND_DATA);
        frame.putInt(FrameHeader.HEADER_LENGTH, number);
        return frame;
    }

    /** Reads everything; each message must be one that was recorded, behind the one before. */
    private Outcome read(final int longest)
    {
        final Outcome outcome = new Outcome();
        try (RecordingReader reader = new RecordingReader(directory, outcome))
        {
            int polls = 0;
            while (reader.poll((buffer, offset, length, header) ->
            {
                final int read = buffer.getInt(offset);
                final UnsafeBuffer expected = frame(read, longest);
                boolean same = length == expected.getInt(0) - FrameHeader.HEADER_LENGTH &&
                    header.position() > outcome.last;
                for (int i = 0; same && i < length; i++)
                {
                    same = buffer.getByte(offset + i) == expected.getByte(FrameHeader.HEADER_LENGTH + i);
                }
                if (!same)
                {
                    throw new AssertionError("message " + read + " before " + header.position() + " is wrong");
                }
                outcome.last = header.position();
                outcome.numbers.add(read);
            }, 4) > 0)
            {
                assertThat(polls++).isLessThan(100_000);
            }
        }
        assertThat(outcome.numbers).isSorted().doesNotHaveDuplicates();
        return outcome;
    }

    /** What is missing before the last message that was read is told as gaps. */
    private void assertAllIsTold(final Outcome outcome)
    {
        int next = 0;
        long at = 0;
        int gaps = 0;
        for (final int read : outcome.numbers)
        {
            final long start = at;
            for (; next < read; next++)
            {
                at += frame(next, 50).capacity();
            }
            if (at > start)
            {
                assertThat(outcome.gaps.get(gaps)).containsExactly(start, at);
                gaps++;
            }
            at += frame(next, 50).capacity();
            next++;
        }
        assertThat(outcome.gaps).hasSize(gaps);
    }

    @Test
    void anIntactRecordingIsReadWhole()
    {
        final Outcome outcome = read(50);
        assertThat(outcome.numbers).hasSize(BLOCKS * FRAMES);
        assertThat(outcome.gaps).isEmpty();
        assertThat(outcome.damage).isEmpty();
    }

    @Test
    void anyByteMayBeWrong() throws IOException
    {
        final byte[] whole = Files.readAllBytes(segment(1));
        for (int i = 0; i < whole.length; i++)
        {
            final byte[] wrong = whole.clone();
            wrong[i] ^= (byte) MASKS[i % MASKS.length];
            Files.write(segment(1), wrong);
            if (i < SegmentHeader.LENGTH)
            {
                // The only file: there is nothing to begin with.
                assertThatThrownBy(() -> read(50)).isInstanceOf(RecordingException.class)
                    .hasMessageContaining(directory.toString());
                continue;
            }
            final Outcome outcome = read(50);
            // At most the block that the byte is in is gone.
            assertThat(outcome.numbers.size()).as("byte %d", i).isGreaterThanOrEqualTo((BLOCKS - 1) * FRAMES);
            assertAllIsTold(outcome);
        }
    }

    @Test
    void itMayEndAnywhereAndARecorderGoesOnWhereItIsWhole() throws IOException
    {
        final byte[] whole = Files.readAllBytes(segment(1));
        final long end = position;
        final int count = number;
        for (int length = SegmentHeader.LENGTH; length <= whole.length; length += length < whole.length - 3 ? 3 : 1)
        {
            Files.write(segment(1), Arrays.copyOf(whole, length));
            final Outcome cut = read(50);
            assertThat(cut.numbers.size() % FRAMES).as("whole blocks").isZero();
            assertThat(cut.gaps).isEmpty();
            // Goes on behind the gap that the recorder of the stream would tell.
            position = end;
            number = count;
            record(2, 50, Block.START);
            final Outcome outcome = read(50);
            assertThat(outcome.damage).as("cut at %d", length).isEmpty();
            assertThat(outcome.numbers.subList(0, cut.numbers.size())).isEqualTo(cut.numbers);
            assertThat(outcome.numbers.subList(cut.numbers.size(), outcome.numbers.size()))
                .hasSize(2 * FRAMES).startsWith(count);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void garbageInAnyFileOfManyIsLeftOut(final long seed) throws IOException
    {
        record(700, 3_000, Block.FRAMES);
        final SplittableRandom random = new SplittableRandom(seed);
        final List<Long> files = SegmentFiles.numbers(directory);
        assertThat(files).hasSizeGreaterThan(2);
        for (int i = 0; i < 20; i++)
        {
            final Path file = random.nextInt(6) == 0 ? SegmentFiles.index(directory, 1) :
                segment(files.get(random.nextInt(files.size())));
            final byte[] content = Files.readAllBytes(file);
            final int at = random.nextInt(content.length);
            final int length = Math.min(content.length - at, 1 + random.nextInt(2_000));
            switch (random.nextInt(4))
            {
                case 0 -> random.nextBytes(Arrays.copyOfRange(content, at, at + length));
                case 1 -> Arrays.fill(content, at, at + length, (byte) 0);
                case 2 -> System.arraycopy(content, random.nextInt(content.length - length + 1), content, at, length);
                default ->
                {
                    for (int j = at; j < at + length; j++)
                    {
                        content[j] = (byte) random.nextInt();
                    }
                }
            }
            Files.write(file, random.nextInt(8) == 0 ? Arrays.copyOf(content, at) : content);
            try
            {
                final Outcome outcome = new Outcome();
                try (RecordingReader reader = new RecordingReader(directory, outcome))
                {
                    readAll(reader);
                    reader.seekToPosition(SESSION, random.nextLong(position), Long.MAX_VALUE);
                    readAll(reader);
                    reader.seekToTime(random.nextLong(4_000), Long.MAX_VALUE);
                    readAll(reader);
                }
                // And whoever goes on finds a place to do so.
                try (SegmentWriter writer =
                    new SegmentWriter(settings(), new RecorderListener() { }, () -> false))
                {
                    assertThat(writer.total()).isPositive();
                }
            }
            catch (final RecordingException told)
            {
                assertThat(told).hasMessageContaining(directory.toString());
                return;
            }
        }
    }

    private static void readAll(final RecordingReader reader)
    {
        final long[] last = {-1};
        int polls = 0;
        while (reader.poll((buffer, offset, length, header) ->
        {
            if (header.position() <= last[0])
            {
                assertThat(header.position()).isGreaterThan(last[0]);
            }
            last[0] = header.position();
            final int read = buffer.getInt(offset);
            for (int i = Integer.BYTES; i < length; i++)
            {
                if (buffer.getByte(offset + i) != (byte) read)
                {
                    assertThat(buffer.getByte(offset + i)).isEqualTo((byte) read);
                }
            }
        }, 100) > 0)
        {
            assertThat(polls++).isLessThan(1_000_000);
        }
    }

    /** Nothing behind it tells that it is missing. */
    @Test
    void theLastBlockMayBeWrongAndIsToldAtTheEnd() throws IOException
    {
        final byte[] whole = Files.readAllBytes(segment(1));
        final int last = lastBlock(whole);
        for (int i = last; i < whole.length; i++)
        {
            final byte[] wrong = whole.clone();
            wrong[i] ^= (byte) MASKS[i % MASKS.length];
            Files.write(segment(1), wrong);
            final Outcome outcome = new Outcome();
            try (RecordingReader reader = new RecordingReader(directory, outcome))
            {
                readAll(reader);
                assertThat(outcome.damage).isEmpty();
                assertThat(reader.checkEnd()).isZero();
            }
            assertThat(outcome.damage).as("byte %d", i).hasSize(1);
            assertThat(outcome.damage.getFirst()).containsExactly(last, whole.length - last);
        }
        for (int length = last; length <= whole.length; length++)
        {
            Files.write(segment(1), Arrays.copyOf(whole, length));
            final Outcome outcome = new Outcome();
            try (RecordingReader reader = new RecordingReader(directory, outcome))
            {
                readAll(reader);
                // As a recorder leaves it that is killed: no damage.
                assertThat(reader.checkEnd()).as("cut at %d", length).isEqualTo(
                    length == whole.length ? 0 : length - last);
            }
            assertThat(outcome.damage).isEmpty();
        }
    }

    /** A recorder was killed in the middle of a block, and the next one has put another there. */
    @Test
    void aReaderFollowsFromARecorderToTheNext() throws IOException
    {
        final byte[] whole = Files.readAllBytes(segment(1));
        final int last = lastBlock(whole);
        final long end = position;
        final int count = number;
        for (int length = last; length < whole.length; length += 7)
        {
            Files.write(segment(1), Arrays.copyOf(whole, length));
            position = end;
            number = count;
            final Outcome outcome = new Outcome();
            try (RecordingReader reader = new RecordingReader(directory, outcome))
            {
                readAll(reader);
                // Blocks of other lengths.
                record(3, 200, Block.START);
                final List<Integer> read = new ArrayList<>();
                while (reader.poll((buffer, offset, bytes, header) -> read.add(buffer.getInt(offset)), 2) > 0)
                {
                    Thread.onSpinWait();
                }
                assertThat(outcome.damage).as("cut at %d", length).isEmpty();
                assertThat(read).as("cut at %d", length).hasSize(3 * FRAMES).startsWith(count).isSorted();
            }
        }
    }

    private static int lastBlock(final byte[] whole)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(whole);
        int at = SegmentHeader.LENGTH;
        int next = at;
        while (next < whole.length)
        {
            at = next;
            next += Block.HEADER_LENGTH + Block.length(buffer, at);
        }
        return at;
    }

    @Test
    void whatIsRecordedLaterIsLeftOutIfSomebodyWantsAnEnd()
    {
        try (RecordingReader reader = new RecordingReader(directory))
        {
            reader.endWithPresent();
            final int then = number;
            final int[] read = {0};
            while (reader.poll((buffer, offset, length, header) -> read[0]++, 1) > 0)
            {
                // As many more, in other files too, each time.
                record(100, 3_000, Block.FRAMES);
            }
            assertThat(read[0]).isEqualTo(then);
            reader.seekToPosition(SESSION, 0, Long.MAX_VALUE);
            read[0] = 0;
            while (reader.poll((buffer, offset, length, header) -> read[0]++, 100) > 0)
            {
                Thread.onSpinWait();
            }
            assertThat(read[0]).isEqualTo(then);
            assertThat(SegmentFiles.numbers(directory)).hasSizeGreaterThan(1);
        }
    }

    /** A recorder that keeps so much only deletes files at any time. */
    @Test
    void filesThatAreDeletedMeanwhileAreLeftOut() throws IOException
    {
        record(700, 3_000, Block.FRAMES);
        final List<Long> files = SegmentFiles.numbers(directory);
        assertThat(files).hasSizeGreaterThan(2);
        final Outcome outcome = new Outcome();
        try (RecordingReader reader = new RecordingReader(directory, outcome))
        {
            readAll(reader);
            Files.delete(segment(files.getFirst()));
            // Before the place where it is.
            assertThat(reader.seekToPosition(SESSION, 0, Long.MAX_VALUE)).isTrue();
            final long[] first = {-1};
            reader.poll((buffer, offset, length, header) -> first[0] = buffer.getInt(offset), 1);
            assertThat(first[0]).isPositive().isLessThan(number / 2);
            for (final long file : files)
            {
                Files.deleteIfExists(segment(file));
                assertThat(Recording.header(directory, file)).isNull();
                assertThat(Recording.index(directory, file).entries()).isEmpty();
            }
            assertThat(reader.seekToPosition(SESSION, 0, Long.MAX_VALUE)).isFalse();
            reader.seekToTime(0, Long.MAX_VALUE);
            assertThat(reader.poll((buffer, offset, length, header) -> { }, 1)).isZero();
        }
    }

    @Test
    void aMissingFileIsAGap() throws IOException
    {
        record(700, 3_000, Block.FRAMES);
        assertThat(SegmentFiles.numbers(directory)).hasSizeGreaterThan(2);
        Files.delete(segment(2));
        final Outcome outcome = new Outcome();
        try (RecordingReader reader = new RecordingReader(directory, outcome))
        {
            readAll(reader);
        }
        assertThat(outcome.gaps).hasSize(1);
        assertThat(outcome.gaps.getFirst()[1] - outcome.gaps.getFirst()[0]).isGreaterThan(MIB / 2);
    }
}

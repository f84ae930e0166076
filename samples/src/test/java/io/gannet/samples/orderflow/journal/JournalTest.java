package io.gannet.samples.orderflow.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.samples.orderflow.link.MessageLog;
import io.gannet.samples.orderflow.matching.Commands;
import io.gannet.samples.orderflow.matching.EngineLimits;
import io.gannet.samples.orderflow.matching.EngineOutput;
import io.gannet.samples.orderflow.matching.MatchingEngine;
import io.gannet.samples.orderflow.matching.Tradables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class JournalTest
{
    private static final int SEGMENT = 1 << 16;

    @TempDir
    private Path directory;

    private final UnsafeBuffer command = new UnsafeBuffer(new byte[256]);

    private void write(final int count, final Journal.Durability durability) throws IOException
    {
        final long last = JournalReader.read(directory, 0, 0, (sequence, time, buffer, offset, length) ->
        {
        }).lastSequence();
        try (Journal journal = new Journal(directory, last, SEGMENT, durability, 0))
        {
            for (int i = 1; i <= count; i++)
            {
                append(journal, last + i);
                if (i % 7 == 0)
                {
                    journal.endOfBatch();
                }
            }
        }
    }

    private void append(final Journal journal, final long number) throws IOException
    {
        final int length = (int) (number * 37 % 249);
        command.setMemory(0, length, (byte) number);
        assertThat(journal.append(number * 3, command, 0, length)).isEqualTo(number);
    }

    private JournalReader.Summary check(final long after, final long last) throws IOException
    {
        final List<Long> found = new ArrayList<>();
        final JournalReader.Summary summary = JournalReader.read(directory, after, 0,
            (sequence, time, buffer, offset, length) ->
            {
                assertThat(time).isEqualTo(sequence * 3);
                assertThat(length).isEqualTo((int) (sequence * 37 % 249));
                for (int i = 0; i < length; i++)
                {
                    assertThat(buffer.getByte(offset + i)).isEqualTo((byte) sequence);
                }
                found.add(sequence);
            });
        assertThat(found).hasSize((int) (last - after));
        assertThat(summary.lastSequence()).isEqualTo(last);
        assertThat(found.isEmpty() || (found.getFirst() == after + 1 && found.getLast() == last)).isTrue();
        return summary;
    }

    @ParameterizedTest
    @EnumSource(Journal.Durability.class)
    void everyCommandIsReadAgainOverFilesAndRuns(final Journal.Durability durability) throws IOException
    {
        write(1_000, durability);
        write(0, durability);
        write(500, durability);
        assertThat(JournalLayout.segments(directory).size()).as("the journal rolled").isGreaterThan(3);
        assertThat(check(0, 1_500).tornBytes()).isZero();
        check(777, 1_500);
        check(1_500, 1_500);
    }

    @Test
    void whatAKilledProcessAppendedIsThereWithoutAClose() throws IOException
    {
        final Journal journal = new Journal(directory, 0, SEGMENT, Journal.Durability.PROCESS, 0);
        for (int i = 1; i <= 700; i++)
        {
            append(journal, i);
        }
        // A file gets its name a moment after it was begun.
        awaitNames();
        check(0, 700);
        journal.close();
    }

    private void awaitNames() throws IOException
    {
        final long start = System.nanoTime();
        final JournalReader.Handler nothing = (sequence, time, buffer, offset, length) ->
        {
        };
        while (JournalReader.read(directory, 0, 0, nothing).lastSequence() < 700)
        {
            assertThat(System.nanoTime() - start).as("the last file has its name").isLessThan(30_000_000_000L);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void aFileThatWasBegunByAProcessWhichDiedBeforeItHadANameIsFound() throws IOException
    {
        write(700, Journal.Durability.PROCESS);
        final Path last = JournalLayout.segment(directory, JournalLayout.segments(directory).getLast());
        Files.move(last, directory.resolve("next.tmp"));
        Journal.repair(directory);
        assertThat(last).exists();
        check(0, 700);
        write(300, Journal.Durability.PROCESS);
        check(0, 1_000);

        Files.write(directory.resolve("next.tmp"), new byte[SEGMENT]);
        Journal.repair(directory);
        assertThat(directory.resolve("next.tmp")).as("one that was not begun").exists();
        write(1, Journal.Durability.PROCESS);
        check(0, 1_001);
        Files.write(directory.resolve("next.tmp"), new byte[3]);
        Journal.repair(directory);
        write(1, Journal.Durability.PROCESS);
        check(0, 1_002);
        assertThat(directory.resolve("next.tmp")).doesNotExist();
    }

    @Test
    void aTornTailAtAnyByteLosesNothingBeforeItAndTheNextRunGoesOn() throws IOException
    {
        write(20, Journal.Durability.PROCESS);
        final Path file = JournalLayout.segment(directory, 1);
        final byte[] whole = Files.readAllBytes(file);
        final int start = startOf(whole, 20);
        final int end = startOf(whole, 21);
        for (int cut = start; cut < end; cut += 3)
        {
            final byte[] torn = whole.clone();
            Arrays.fill(torn, cut, end, (byte) 0);
            Files.write(file, torn);
            final boolean last = Arrays.equals(torn, whole);
            final JournalReader.Summary summary = check(0, last ? 20 : 19);
            assertThat(summary.tornBytes() > 0).as("cut at %d", cut).isEqualTo(!last && cut > start);
        }
        Arrays.fill(whole, start + 9, end, (byte) 0);
        Files.write(file, whole);
        write(5, Journal.Durability.PROCESS);
        check(0, 24);
    }

    /** Offset of the n-th record. */
    private static int startOf(final byte[] file, final int number)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(file);
        int at = JournalLayout.SEGMENT_HEADER;
        for (int i = 1; i < number; i++)
        {
            at += buffer.getInt(at);
        }
        return at;
    }

    @Test
    void aFlippedBitAnywhereIsNeverReadAsACommand() throws IOException
    {
        write(60, Journal.Durability.PROCESS);
        final Path file = JournalLayout.segment(directory, 1);
        final byte[] whole = Files.readAllBytes(file);
        final int end = startOf(whole, 61);
        final Random random = new Random(5);
        for (int i = 0; i < 300; i++)
        {
            final int at = JournalLayout.SEGMENT_HEADER + random.nextInt(end - JournalLayout.SEGMENT_HEADER);
            final byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, damaged);
            final boolean inLast = at >= startOf(whole, 60);
            try
            {
                final long last = JournalReader.read(directory, 0, 0, (sequence, time, buffer, offset, length) ->
                    assertThat(time).isEqualTo(sequence * 3)).lastSequence();
                assertThat(inLast && last == 59).as("byte %d: read to %d", at, last).isTrue();
            }
            catch (final JournalException damage)
            {
                assertThat(inLast).as("byte %d: %s", at, damage.getMessage()).isFalse();
                assertThat(damage).hasMessageContaining("is damaged at byte");
            }
        }
    }

    @Test
    void aMissingFileIsNamed() throws IOException
    {
        write(1_000, Journal.Durability.PROCESS);
        final long second = JournalLayout.segments(directory).get(1);
        Files.delete(JournalLayout.segment(directory, second));
        assertThatThrownBy(() -> check(0, 1_000)).isInstanceOf(JournalException.class)
            .hasMessageContaining("but " + second + " was to be next");
    }

    @Test
    void aRecoveryFromSnapshotAndJournalGivesTheSameBytesAsOneFromTheWholeJournal() throws IOException
    {
        final Tradables tradables = Tradables.example(1);
        final Random random = new Random(11);
        final Commands commands = new Commands();
        final EngineOutput live = output();
        final MatchingEngine engine = new MatchingEngine(tradables, EngineLimits.defaults(), live);
        try (Journal journal = new Journal(directory, 0, SEGMENT, Journal.Durability.PROCESS, 0))
        {
            for (int i = 1; i <= 2_000; i++)
            {
                final int length = i == 1 ? commands.link(0, 9) : commands.limit(1 + random.nextInt(5), i, 1001,
                    random.nextBoolean(), 100_000_000_000L + 10_000_000L * random.nextInt(9), 1 + random.nextInt(9));
                journal.append(i, commands.buffer, 0, length);
                engine.apply(i, commands.buffer, 0);
                if (i == 1_200)
                {
                    Snapshots.write(directory, i, engine);
                }
            }
        }
        final EngineOutput replayed = output();
        Files.move(JournalLayout.snapshot(directory, 1_200), directory.resolve("aside"));
        final MatchingEngine whole = new MatchingEngine(tradables, EngineLimits.defaults(), replayed);
        assertThat(Recovery.recover(directory, whole).commands()).isEqualTo(2_000);
        assertThat(bytes(replayed.reports())).as("byte-identical output").isEqualTo(bytes(live.reports()));
        assertThat(whole.book(0).checksum()).isEqualTo(engine.book(0).checksum());
        assertThat(bytes(replayed.market())).isEqualTo(bytes(live.market()));

        Files.move(directory.resolve("aside"), JournalLayout.snapshot(directory, 1_200));
        assertThat(Snapshots.prune(directory)).as("files that are not needed any more").isPositive();
        final EngineOutput rest = output();
        final MatchingEngine second = new MatchingEngine(tradables, EngineLimits.defaults(), rest);
        assertThat(Recovery.recover(directory, second).commands()).isEqualTo(800);
        assertThat(second.book(0).checksum()).isEqualTo(engine.book(0).checksum());
        final List<String> all = bytes(live.reports());
        final List<String> tail = bytes(rest.reports());
        assertThat(tail).isNotEmpty().isEqualTo(all.subList(all.size() - tail.size(), all.size()));
    }

    private MatchingEngine engine(final int instruments)
    {
        return new MatchingEngine(Tradables.example(instruments), EngineLimits.defaults(), output());
    }

    /** Writes a journal of so many orders as an engine would; returns that engine. */
    private MatchingEngine run(final int orders) throws IOException
    {
        final MatchingEngine engine = engine(2);
        final Commands commands = new Commands();
        try (Journal journal =
            new Journal(directory, 0, SEGMENT, Journal.Durability.PROCESS, engine.configuration()))
        {
            for (int i = 0; i <= orders; i++)
            {
                journal.append(i, commands.buffer, 0, i == 0 ? commands.link(0, 9) :
                    commands.limit(1, i, 1002, true, 100_000_000_000L, 1));
                engine.apply(i, commands.buffer, 0);
            }
        }
        return engine;
    }

    @Test
    void aJournalOrSnapshotOfOtherInstrumentsOrLimitsIsRefused() throws IOException
    {
        final MatchingEngine engine = run(100);
        assertThatThrownBy(() -> Recovery.recover(directory, engine(1))).isInstanceOf(JournalException.class)
            .hasMessageContaining("is of an engine with other instruments or limits. Start with those");
        final MatchingEngine smaller =
            new MatchingEngine(Tradables.example(2), new EngineLimits(1 << 12, 1 << 12), output());
        assertThatThrownBy(() -> Recovery.recover(directory, smaller)).isInstanceOf(JournalException.class);
        Snapshots.write(directory, 101, engine);
        assertThatThrownBy(() -> Recovery.recover(directory, engine(1))).isInstanceOf(JournalException.class)
            .hasMessageContaining("snapshot-").hasMessageContaining("other instruments or limits");
        assertThat(Recovery.recover(directory, engine(2)).lastSequence()).isEqualTo(101);
    }

    @Test
    void filesOfAnotherVersionAreRefused() throws IOException
    {
        run(100);
        final Path file = JournalLayout.segment(directory, 1);
        final byte[] bytes = Files.readAllBytes(file);
        bytes[6]++;
        Files.write(file, bytes);
        assertThatThrownBy(() -> Recovery.recover(directory, engine(2))).isInstanceOf(JournalException.class)
            .hasMessageContaining(file + " is no journal of this version");
    }

    @Test
    void aSnapshotThatIsDamagedOrHalfWrittenIsPassedOverWhileTheJournalIsWholeAndElseNamed() throws IOException
    {
        final MatchingEngine engine = run(3_000);
        // Killed while it wrote, and before it could give it its name.
        Files.write(directory.resolve("snapshot.tmp"), new byte[100]);
        assertThat(Recovery.recover(directory, engine(2)).commands()).isEqualTo(3_001);
        Snapshots.write(directory, 3_001, engine);
        assertThat(directory.resolve("snapshot.tmp")).doesNotExist();
        assertThat(Recovery.recover(directory, engine(2)).commands()).isZero();
        final Path snapshot = JournalLayout.snapshot(directory, 3_001);
        final byte[] whole = Files.readAllBytes(snapshot);
        final Random random = new Random(3);
        for (int i = 0; i < 100; i++)
        {
            final byte[] damaged = random.nextBoolean() ? Arrays.copyOf(whole, random.nextInt(whole.length)) :
                whole.clone();
            if (damaged.length == whole.length)
            {
                damaged[random.nextInt(whole.length)] ^= (byte) (1 << random.nextInt(8));
            }
            Files.write(snapshot, damaged);
            final MatchingEngine recovered = engine(2);
            assertThat(Recovery.recover(directory, recovered).commands()).as("round %d", i).isEqualTo(3_001);
            assertThat(recovered.book(1).checksum()).isEqualTo(engine.book(1).checksum());
            assertThat(Snapshots.prune(directory)).as("files removed for a snapshot that is damaged").isZero();
        }
        Files.write(snapshot, whole);
        assertThat(Snapshots.prune(directory)).isPositive();
        assertThat(Recovery.recover(directory, engine(2)).commands()).isZero();
        Files.write(snapshot, Arrays.copyOf(whole, whole.length - 1));
        assertThatThrownBy(() -> Recovery.recover(directory, engine(2))).isInstanceOf(JournalException.class)
            .hasMessageContaining(snapshot + " is damaged").hasMessageContaining("Restore the file from a copy");
    }

    /** A reader may be held up in the middle of a file that an engine writes to: what it read then looks torn. */
    @Test
    void aJournalIsReadWhileItIsWritten() throws Exception
    {
        final Journal journal = new Journal(directory, 0, 1 << 20, Journal.Durability.PROCESS, 0);
        final AtomicBoolean done = new AtomicBoolean();
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final Thread writer = new Thread(() ->
        {
            try
            {
                for (int i = 1; !done.get() && i <= 200_000; i++)
                {
                    append(journal, i);
                }
            }
            catch (final Throwable problem)
            {
                failure.set(problem);
            }
        });
        writer.start();
        try
        {
            long last = 0;
            // The writer may get no processor before, and its first file no name.
            final long start = System.nanoTime();
            for (int i = 0; i < 50 || last == 0; i++)
            {
                assertThat(System.nanoTime() - start).as("something is written").isLessThan(60_000_000_000L);
                last = Math.max(last, JournalReader.read(directory, last, 0,
                    (sequence, time, buffer, offset, length) -> assertThat(time).isEqualTo(sequence * 3))
                    .lastSequence());
            }
        }
        finally
        {
            done.set(true);
            writer.join();
            journal.close();
        }
        assertThat(failure.get()).isNull();
    }

    private static EngineOutput output()
    {
        return new EngineOutput(MessageLog.allocate(1 << 20), MessageLog.allocate(1 << 20));
    }

    private static List<String> bytes(final MessageLog log)
    {
        final List<String> all = new ArrayList<>();
        for (long at = log.first(); at < log.end();)
        {
            at = log.messageAt(at);
            if (at < log.end())
            {
                final byte[] message = new byte[log.length(at)];
                log.buffer().getBytes(log.offset(at), message);
                all.add(HexFormat.of().formatHex(message));
                at = log.next(at);
            }
        }
        return all;
    }
}

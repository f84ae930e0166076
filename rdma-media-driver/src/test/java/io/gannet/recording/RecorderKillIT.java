package io.gannet.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gannet.Header;
import io.gannet.harness.FlowPublisher;
import io.gannet.harness.ProcessHarness;
import io.gannet.harness.TestDirectory;
import io.gannet.harness.TestProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Recorder processes that are killed at random moments, and one whose disk is full: what they said to be recorded is
 * there, whole and in order, and all that is not is told as a gap.
 * <p>
 * More of it: {@code -Dgannet.recorder.kills=100}; the same again: {@code -Dgannet.kill.seed=N}.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class RecorderKillIT
{
    private static final int KILLS = Integer.getInteger("gannet.recorder.kills", 4);
    private static final String CHANNEL = "gannet:ipc?ring=256k";
    private static final String POSITION = "recorded session ";
    private static final int LONGEST_PAUSE_MILLIS = 400;

    @RegisterExtension
    private final ProcessHarness harness = new ProcessHarness();

    private final long seed = Long.getLong("gannet.kill.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Map<Integer, Long> promised = new HashMap<>();

    private TestProcess record(final Path out, final String... more)
    {
        final List<String> arguments = new ArrayList<>(List.of("record", "--dir", harness.directory().toString(),
            "--stream", String.valueOf(FlowPublisher.STREAM_ID), "--out", out.toString(), "--segment", "1m",
            "--buffer", "1m", "--status", "10ms"));
        arguments.addAll(List.of(more));
        return harness.start("recorder", "io.gannet.cli.Main", arguments);
    }

    /** Takes what a recorder has said. */
    private void collect(final TestProcess recorder)
    {
        for (final String line : recorder.lines())
        {
            if (line.startsWith(POSITION))
            {
                final String[] words = line.substring(POSITION.length()).split(" ", -1);
                promised.merge(Integer.valueOf(words[0]), Long.valueOf(words[2]), Math::max);
            }
        }
    }

    /** A reader of what is there: checks that it is right, and that all that was promised is in it. */
    private final class Check implements RecordingListener
    {
        private final Map<Long, Long> next = new HashMap<>();
        private final Map<Integer, Long> reached = new HashMap<>();
        private boolean gap;
        private long messages;
        private long gaps;

        @Override
        public void onGap(final int session, final long from, final long to, final Reason reason)
        {
            assertThat(reason).isEqualTo(Reason.AWAY);
            assertThat(promised.getOrDefault(session, 0L) <= from || promised.get(session) >= to).isTrue();
            gap = true;
            gaps++;
            reached.put(session, to);
        }

        @Override
        public void onDamage(final Path file, final long offset, final long length)
        {
            throw new AssertionError(file + " is damaged at " + offset + ", " + length + " bytes");
        }

        private void message(final DirectBuffer buffer, final int offset, final int length, final Header header)
        {
            final Long publisher = buffer.getLong(offset + FlowPublisher.PUBLISHER);
            final long sequence = buffer.getLong(offset + FlowPublisher.SEQUENCE);
            final Long expected = next.put(publisher, sequence + 1);
            if (expected != null && (gap ? sequence < expected : sequence != expected))
            {
                assertThat(sequence).as("behind position %d", header.position()).isEqualTo(expected);
            }
            gap = false;
            if (buffer.getLong(offset + FlowPublisher.CHECKSUM) != FlowPublisher.checksum(buffer, offset, length))
            {
                throw new AssertionError("message " + sequence + " is not whole");
            }
            reached.put(header.sessionId(), header.position());
            messages++;
        }
    }

    private Check check(final Path recording)
    {
        final Check check = new Check();
        try (RecordingReader reader = new RecordingReader(recording, check))
        {
            while (reader.poll(check::message, 1000) > 0)
            {
                Thread.onSpinWait();
            }
        }
        promised.forEach((session, position) -> assertThat(check.reached.getOrDefault(session, 0L))
            .as("session %d, of which %d was said to be recorded (seed %d)", session, position, seed)
            .isGreaterThanOrEqualTo(position));
        return check;
    }

    /** A reader of a recording while it is made. */
    private final class Follower
    {
        private final Path recording;
        private final Check check = new Check();
        private RecordingReader reader;

        Follower(final Path recording)
        {
            this.recording = recording;
        }

        void read(final boolean exists)
        {
            if (reader == null && exists)
            {
                reader = new RecordingReader(recording, check);
            }
            while (reader != null && reader.poll(check::message, 1000) > 0)
            {
                Thread.onSpinWait();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(SyncPolicy.class)
    void whatWasSaidToBeRecordedSurvivesAnyKill(final SyncPolicy sync)
    {
        System.err.println("RecorderKillIT: seed " + seed);
        final Path out = harness.directory().resolve("recorded");
        harness.startDriver();
        harness.startSubscriber();
        harness.startPublisher(false, CHANNEL);
        for (int i = 0; i < KILLS; i++)
        {
            final TestProcess recorder = record(out, "--sync", sync.name(), "--sync-interval", "20ms");
            harness.await("the recorder's first position", () -> recorder.lastAfter(POSITION) != null);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(LONGEST_PAUSE_MILLIS)));
            recorder.kill();
            collect(recorder);
            assertThat(promised).isNotEmpty();
            assertThat(check(out).gaps).isLessThanOrEqualTo(i);
        }
        final TestProcess last = record(out);
        harness.await("the last recorder's position", () -> last.lastAfter(POSITION) != null);
        last.terminate();
        harness.await("its end", () -> !last.isAlive());
        collect(last);
        assertThat(last.lines()).anyMatch(line -> line.startsWith("recorder stopped: "));
        assertThat(check(out).messages).isPositive();
    }

    /** No room for a block, or for another file. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"size=3m|size=64m", "size=64m,nr_inodes=6|nr_inodes=1000"})
    @Tag("root")
    void aFullDiskIsToldOnceAndNothingRecordedIsLost(final String limit, final String more)
        throws IOException, InterruptedException
    {
        final Path small = Files.createDirectory(harness.directory().resolve("small"));
        final boolean mounted = "root".equals(System.getProperty("user.name")) &&
            run("mount", "-t", "tmpfs", "-o", limit, "none", small.toString()) == 0;
        if (!mounted)
        {
            System.err.println("not tested without root: a recorder whose disk is full (RecorderKillIT)");
        }
        assumeTrue(mounted);
        try
        {
            harness.startDriver();
            final TestProcess subscriber = harness.startSubscriber();
            harness.startPublisher(false, CHANNEL);
            final Path out = small.resolve("recorded");
            final TestProcess stopping = record(out);
            // Reads all the time, so that it has what is written and not acknowledged, and must not meet it again.
            final Follower follower = new Follower(out);
            harness.await("the recorder's end", () ->
            {
                follower.read(stopping.lastAfter(POSITION) != null);
                return !stopping.isAlive();
            });
            collect(stopping);
            assertThat(stopping.exitCode()).isEqualTo(1);
            assertThat(stopping.lines()).filteredOn(line -> line.contains("is full (")).hasSize(1).first().asString()
                .contains("the disk of " + out + " is full", "Make room and start it again");
            assertThat(check(out).messages).isPositive();
            // The stream is not held up by a recorder that has stopped.
            harness.awaitProgress(subscriber, 1_000);

            final TestProcess waiting = record(out, "--full", "wait");
            harness.await("the recorder to wait", () -> waiting.lastAfter("the disk is full (") != null);
            collect(waiting);
            check(out);
            assertThat(run("mount", "-o", "remount," + more, small.toString())).isZero();
            harness.await("the recorder to go on", () -> waiting.lastAfter("there is room again") != null);
            final String then = waiting.lastAfter(POSITION);
            harness.await("more to be recorded", () ->
            {
                follower.read(true);
                return !String.valueOf(waiting.lastAfter(POSITION)).equals(then);
            });
            waiting.terminate();
            harness.await("its end", () -> !waiting.isAlive());
            collect(waiting);
            assertThat(waiting.lines()).filteredOn(line -> line.startsWith("the disk is full")).hasSize(1);
            final Check check = check(out);
            assertThat(check.gaps).isLessThanOrEqualTo(1);
            follower.read(true);
            follower.reader.close();
            assertThat(follower.check.messages).isEqualTo(check.messages);
        }
        finally
        {
            harness.closeProcesses();
            run("umount", small.toString());
        }
        assertThat(TestDirectory.list(small)).isEmpty();
    }

    private static int run(final String... command) throws IOException, InterruptedException
    {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }
}

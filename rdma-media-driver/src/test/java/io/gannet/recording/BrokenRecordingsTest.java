package io.gannet.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.ExclusivePublication;
import io.gannet.Gannet;
import io.gannet.Subscription;
import io.gannet.cli.Captured;
import io.gannet.harness.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * The commands on recordings that are not as a recorder left them, and on directories that can't be used: whatever it
 * is, they end with what can be read, or one line that says why not.
 * <p>
 * More of it: {@code -Dgannet.broken.rounds=N}; the same again: {@code -Dgannet.broken.seed=N}.
 */
@ResourceLock(Resources.SYSTEM_OUT)
@ResourceLock(Resources.SYSTEM_ERR)
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class BrokenRecordingsTest
{
    private static final int ROUNDS = Integer.getInteger("gannet.broken.rounds", 25);
    private static final int COPY = 79;
    private static final int MESSAGES = 2_000;
    private static final int MOST_BYTES = 40;

    private final long seed = Long.getLong("gannet.broken.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final RecordingFixture fixture = new RecordingFixture();
    private final Gannet client = fixture.connect();
    private final Path broken = fixture.directory.resolve("broken");
    private volatile boolean ended;

    @AfterEach
    void close()
    {
        client.close();
        fixture.close();
    }

    /** Some 2 MiB in files of 1 MiB, two of which have an index. */
    private void record()
    {
        final NumberedStream stream = new NumberedStream();
        try (Recorder recorder = fixture.record(client);
            ExclusivePublication publication =
                client.addExclusivePublication(RecordingFixture.CHANNEL, RecordingFixture.STREAM))
        {
            Await.until("the recorder", publication::isConnected);
            for (int i = 0; i < MESSAGES; i++)
            {
                stream.publish(publication, i);
            }
            RecordingFixture.awaitRecorded(recorder, publication.sessionId(), publication.position());
        }
    }

    private static List<Path> files(final Path directory) throws IOException
    {
        try (Stream<Path> files = Files.list(directory))
        {
            return files.sorted().toList();
        }
    }

    private void copy() throws IOException
    {
        Files.createDirectories(broken);
        for (final Path file : files(broken))
        {
            Files.delete(file);
        }
        for (final Path file : files(fixture.recording))
        {
            Files.copy(file, broken.resolve(file.getFileName()));
        }
    }

    /** Changes one or two files in one of the ways in which files change. */
    private String damage() throws IOException
    {
        final List<String> done = new ArrayList<>();
        for (int i = random.nextInt(1, 3); i > 0; i--)
        {
            final List<Path> all = files(broken);
            final Path file = all.get(random.nextInt(all.size()));
            final byte[] bytes = Files.readAllBytes(file);
            final int kind = random.nextInt(5);
            done.add(file.getFileName() + " " + kind);
            switch (kind)
            {
                case 0 -> Files.delete(file);
                case 1 -> Files.write(file, Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)));
                case 2 -> Files.write(file, Arrays.copyOf(bytes, bytes.length + random.nextInt(1 << 16)));
                default ->
                {
                    // Where headers are, and anywhere.
                    final int within = kind == 3 ? Math.min(bytes.length, 512) : bytes.length;
                    for (int j = random.nextInt(1, MOST_BYTES); j > 0 && within > 0; j--)
                    {
                        bytes[random.nextInt(within)] = (byte) (random.nextBoolean() ? -1 : random.nextInt());
                    }
                    Files.write(file, bytes);
                }
            }
            if (kind == 0 && all.size() == 1)
            {
                break;
            }
        }
        return done.toString();
    }

    private static void assertTold(final String what, final Captured ran)
    {
        final String all = ran.out() + ran.err();
        assertThat(all).as(what).doesNotContain("\tat ", "Exception", "null");
        assertThat(ran.exitCode()).as("%s: %s", what, all).isIn(0, 1);
        if (ran.exitCode() == 1 && !all.contains("damaged\n"))
        {
            assertThat(ran.err().lines()).as(what).singleElement().asString().endsWith("(E701)");
        }
    }

    @Test
    void commandsReadWhatIsIntactOrSayInALineWhyThereIsNothing() throws Exception
    {
        record();
        final Thread subscriber = new Thread(() ->
        {
            try (Subscription copies = client.addSubscription(RecordingFixture.CHANNEL, COPY))
            {
                while (!ended)
                {
                    if (copies.poll((buffer, offset, length, header) -> { }, 100) == 0)
                    {
                        copies.awaitMessage(10, TimeUnit.MILLISECONDS);
                    }
                }
            }
        });
        subscriber.start();
        try
        {
            for (int round = 0; round < ROUNDS; round++)
            {
                copy();
                final String what = "-Dgannet.broken.seed=" + seed + ", round " + round + ", " + damage();
                assertTold(what, Captured.run("recording", broken.toString()));
                assertTold(what, Captured.run("dump", "--recording", broken.toString(), "--count", "3"));
                assertTold(what, Captured.run("dump", "--recording", broken.toString(), "--from", "1000000"));
                assertTold(what, Captured.run("replay", "--fast", "--in", broken.toString(), "--stream",
                    String.valueOf(COPY), "--channel", RecordingFixture.CHANNEL, "--dir",
                    fixture.directory.resolve("driver").toString()));
                takeOver(what);
                assertTold(what, Captured.run("recording", broken.toString()));
            }
        }
        finally
        {
            ended = true;
            subscriber.join();
        }
    }

    /** Whatever is there, a recorder goes on in it, or says in a line why not; what it leaves is whole behind that. */
    private void takeOver(final String what)
    {
        final RecorderSettings usual = fixture.settings();
        try (SegmentWriter writer = new SegmentWriter(new RecorderSettings(broken, usual.channel(), usual.streamId(),
            usual.segmentBytes(), usual.keepBytes(), usual.bufferBytes(), usual.sync(), usual.syncIntervalNanos(),
            usual.full(), usual.clock()), new Events(), () -> false))
        {
            assertThat(writer.total()).as(what).isPositive();
        }
        catch (final RecordingException e)
        {
            assertThat(e.getMessage()).as(what).doesNotContain("Exception", "null").endsWith("(E701)");
        }
    }

    private Captured recordInto(final String out)
    {
        return Captured.run("record", "--dir", fixture.directory.resolve("driver").toString(), "--stream", "1",
            "--out", out, "--until-end");
    }

    @Test
    void whereNothingCanBeWrittenIsToldInALine() throws IOException
    {
        final Path file = Files.createFile(fixture.directory.resolve("file"));
        final Path odd = Files.createDirectories(fixture.directory.resolve("odd"));
        Files.createDirectory(odd.resolve("lock"));
        for (final String out : new String[] {"/proc/recorded", file.toString(), file + "/below", odd.toString()})
        {
            final Captured refused = recordInto(out);
            assertThat(refused.exitCode()).as(refused.toString()).isEqualTo(1);
            assertThat(refused.err().lines()).as(out).singleElement().asString()
                .contains(out).doesNotContain("Exception");
        }
    }

    @Test
    void aSecondRecorderIsRefusedAndTheFirstGoesOn()
    {
        final NumberedStream stream = new NumberedStream();
        try (Recorder recorder = fixture.record(client);
            ExclusivePublication publication =
                client.addExclusivePublication(RecordingFixture.CHANNEL, RecordingFixture.STREAM))
        {
            Await.until("the recorder", publication::isConnected);
            stream.publish(publication, 0);
            RecordingFixture.awaitRecorded(recorder, publication.sessionId(), publication.position());
            final Captured second = recordInto(fixture.recording.toString());
            assertThat(second.exitCode()).isEqualTo(1);
            assertThat(second.err().lines()).singleElement().asString().contains("another recorder is at work in " +
                fixture.recording, "stop it, or choose another directory");
            // It is read meanwhile, as often as one likes.
            for (int i = 1; i < 5; i++)
            {
                stream.publish(publication, i);
                RecordingFixture.awaitRecorded(recorder, publication.sessionId(), publication.position());
                final Captured read = Captured.run("recording", fixture.recording.toString());
                assertThat(read.exitCode()).as(read.toString()).isZero();
                assertThat(read.out()).contains(", being recorded\n", ": " + (i + 1) + " messages of ");
            }
            assertThat(recorder.isRunning()).isTrue();
        }
    }
}

package io.gannet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.ExclusivePublication;
import io.gannet.Gannet;
import io.gannet.Subscription;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * What an operator does with the messages of a stream: record, replay, dump, trace.
 */
@ResourceLock(Resources.SYSTEM_OUT)
@ResourceLock(Resources.SYSTEM_ERR)
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class RecordingCommandsTest
{
    private static final int STREAM = 31;
    private static final int COPY = 32;
    private static final String CHANNEL = "gannet:ipc?ring=64k";
    private static final int MESSAGES = 50;

    private final Path directory = TestDirectory.create("recording-commands");
    private final MediaDriver driver = MediaDriver.launch(
        DriverConfiguration.defaults().with(DriverOptions.DIRECTORY, directory), line -> { });
    private final Gannet client = Gannet.connect(new Gannet.Context().directory(directory)
        .driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
    private final Path out = directory.resolve("out");

    @AfterEach
    void close()
    {
        client.close();
        driver.close();
        TestDirectory.remove(directory);
    }

    private static UnsafeBuffer message(final int number)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[40]);
        message.putStringWithoutLengthAscii(0, String.format("message %04d, and some more of it", number));
        return message;
    }

    private static void publish(final ExclusivePublication publication, final int from, final int to)
    {
        Await.until("a subscriber", publication::isConnected);
        for (int i = from; i < to; i++)
        {
            final UnsafeBuffer message = message(i);
            Await.until("room", () -> publication.offer(message) > 0);
        }
    }

    private Captured record()
    {
        final CompletableFuture<Void> published = CompletableFuture.runAsync(() ->
        {
            try (ExclusivePublication publication = client.addExclusivePublication(CHANNEL, STREAM))
            {
                publish(publication, 0, MESSAGES);
            }
        });
        final Captured recorded = Captured.run("record", "--dir", directory.toString(), "--stream",
            String.valueOf(STREAM), "--out", out.toString(), "--until-end", "--status", "10ms", "--sync", "each");
        published.join();
        return recorded;
    }

    @Test
    void whatIsRecordedIsReplayed()
    {
        final Captured recorded = record();
        assertThat(recorded.exitCode()).as(recorded.toString()).isZero();
        assertThat(recorded.out()).contains("recording gannet:ipc stream " + STREAM, " starts at 0, ", " ended at ",
            "recorder stopped: ");
        final Captured checked = Captured.run("recording", out.toString());
        assertThat(checked.exitCode()).as(checked.toString()).isZero();
        assertThat(checked.out()).contains(": 50 messages of 2,000 bytes").endsWith("intact\n");
        final Captured json = Captured.run("recording", out.toString(), "--json");
        assertThat(json.exitCode()).isZero();
        assertThat(json.lines()).hasSize(1).first().asString()
            .contains("\"channel\":\"gannet:ipc\",\"stream\":" + STREAM + ",\"beingRecorded\":false,\"intact\":true,",
                "\"messages\":50,\"bytes\":2000,\"endPosition\":3200,")
            .endsWith(",\"gaps\":[],\"damages\":[]}");

        final List<String> replayed = new ArrayList<>();
        try (Subscription subscription = client.addSubscription(CHANNEL, COPY))
        {
            assertThat(Captured.run("replay", "--dir", directory.toString(), "--in", out.toString(), "--stream",
                String.valueOf(COPY), "--fast", "--channel", CHANNEL).out())
                .contains("replayed 50 messages of 2,000 bytes");
            take(subscription, replayed, MESSAGES);
            assertThat(replayed).first().asString().startsWith("message 0000");
            replayed.clear();
            // A step is 64 bytes: 40 of payload, 16 of header, aligned to 32.
            assertThat(Captured.run("replay", "--dir", directory.toString(), "--in", out.toString(), "--stream",
                String.valueOf(COPY), "--speed", "100", "--from", "640", "--to", "960", "--channel", CHANNEL)
                .exitCode()).isZero();
            take(subscription, replayed, 5);
            assertThat(replayed).first().asString().startsWith("message 0010");
        }
        final Captured wrong = Captured.run("replay", "--in", out.toString(), "--stream", "1", "--from-time", "noon",
            "--dir", directory.toString());
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err()).contains("--from-time noon: a time is needed, such as 2026-");
        assertThat(Captured.run("replay", "--in", directory.toString(), "--stream", "1").err())
            .contains(directory + " has no recording in it");
    }

    private static void take(final Subscription subscription, final List<String> into, final int count)
    {
        Await.until(count + " messages", () ->
        {
            subscription.poll((buffer, offset, length, header) ->
                into.add(buffer.getStringWithoutLengthAscii(offset, length)), 100);
            return into.size() >= count;
        });
        assertThat(into).hasSize(count);
    }

    private Captured dump(final String... more)
    {
        final List<String> arguments = new ArrayList<>(List.of("dump"));
        arguments.addAll(List.of(more));
        return Captured.run(arguments.toArray(String[]::new));
    }

    @Test
    void theFramesOfARingAreDumpedLiveAndDead()
    {
        final String[] all = {"--dir", directory.toString(), "--stream", String.valueOf(STREAM), "--count", "10000"};
        try (ExclusivePublication publication = client.addExclusivePublication(CHANNEL, STREAM);
            Subscription subscription = client.addSubscription(CHANNEL, STREAM))
        {
            publish(publication, 0, MESSAGES);
            take(subscription, new ArrayList<>(), MESSAGES);
            final Captured live = dump(all);
            assertThat(live.exitCode()).as(live.toString()).isZero();
            assertThat(live.out()).contains("exclusive ring of 65536 bytes, stream 31", "position 0  session ",
                "|message 0000, an|", "|message 0049, an|").doesNotContain("message 0050");
            assertThat(live.lines()).filteredOn(line -> line.startsWith("position ")).hasSize(MESSAGES);
            assertThat(dump("--dir", directory.toString(), "--stream", String.valueOf(STREAM), "--from", "65",
                "--count", "1").out()).contains("position 128 ", "message 0002").doesNotContain("message 0003");
            // Several times round the ring.
            for (int i = MESSAGES; i < 5_000; i++)
            {
                publish(publication, i, i + 1);
                subscription.poll((buffer, offset, length, header) -> { }, 10);
            }
            final Captured later = dump(all);
            final List<String> frames = later.lines().stream().filter(line -> line.startsWith("position ")).toList();
            assertThat(frames).hasSizeGreaterThan(500).last().asString().startsWith("position " + 4_999 * 64 + " ");
            long expected = Long.parseLong(frames.getFirst().split(" ", -1)[1]);
            for (final String frame : frames)
            {
                assertThat(frame).startsWith("position " + expected + " ");
                expected += 64;
            }
            driver.close();
            assertThat(dump(all).lines()).filteredOn(line -> line.startsWith("position ")).isEqualTo(frames);
        }
        assertThat(dump("--dir", directory.toString(), "--stream", "99").err()).contains("no ring of stream 99");
        assertThat(dump().err()).contains("one of --stream, --ring and --recording is needed");
    }

    @Test
    void anyDamageOfARingIsDumpedAllTheSame() throws IOException
    {
        final Path ring;
        try (ExclusivePublication publication = client.addExclusivePublication(CHANNEL, STREAM);
            Subscription subscription = client.addSubscription(CHANNEL, STREAM))
        {
            publish(publication, 0, MESSAGES);
            Await.until("the subscription", subscription::isConnected);
            final String heading =
                dump("--dir", directory.toString(), "--stream", String.valueOf(STREAM)).lines().getFirst();
            ring = Files.copy(
                Path.of(heading.substring(0, heading.indexOf(": exclusive ring"))), directory.resolve("copy"));
        }
        final byte[] whole = Files.readAllBytes(ring);
        final long seed = System.nanoTime();
        final SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 300; i++)
        {
            final int length = random.nextInt(10) == 0 ? random.nextInt(whole.length) : whole.length;
            final ByteBuffer damaged = ByteBuffer.wrap(whole.clone()).limit(length);
            for (int j = random.nextInt(20); j > 0; j--)
            {
                final int at = random.nextBoolean() ? random.nextInt(4_000) : random.nextInt(70_000);
                damaged.array()[at] = (byte) (random.nextBoolean() ? 0xFF : random.nextInt());
            }
            try (FileChannel file = FileChannel.open(ring, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING))
            {
                file.write(damaged);
            }
            final Captured dumped = dump("--ring", ring.toString(), "--count", "100");
            assertThat(dumped.exitCode()).as("seed %d, round %d: %s", seed, i, dumped).isIn(0, 1);
            assertThat(dumped.err()).as("seed %d, round %d", seed, i).doesNotContain("\tat ", "Exception");
        }
    }

    @Test
    void messagesAreDecodedByASchemaWhateverTheyAre() throws IOException
    {
        final Path schema = Files.writeString(directory.resolve("schema.xml"), """
            <?xml version="1.0" encoding="UTF-8"?>
            <sbe:messageSchema xmlns:sbe="http://fixprotocol.io/2016/sbe" package="test" id="7" version="0"
                byteOrder="littleEndian">
              <types>
                <composite name="messageHeader">
                  <type name="blockLength" primitiveType="uint16"/>
                  <type name="templateId" primitiveType="uint16"/>
                  <type name="schemaId" primitiveType="uint16"/>
                  <type name="version" primitiveType="uint16"/>
                </composite>
                <composite name="groupSizeEncoding">
                  <type name="blockLength" primitiveType="uint16"/>
                  <type name="numInGroup" primitiveType="uint32" maxValue="1000"/>
                </composite>
                <composite name="varDataEncoding">
                  <type name="length" primitiveType="uint32" maxValue="2147483647"/>
                  <type name="varData" primitiveType="uint8" length="0" characterEncoding="UTF-8"/>
                </composite>
              </types>
              <sbe:message name="Quote" id="3">
                <field name="price" id="1" type="int64"/>
                <field name="size" id="2" type="uint32"/>
                <group name="levels" id="4" dimensionType="groupSizeEncoding">
                  <field name="level" id="5" type="uint16"/>
                </group>
              </sbe:message>
              <sbe:message name="Note" id="5">
                <data name="text" id="1" type="varDataEncoding"/>
              </sbe:message>
            </sbe:messageSchema>
            """);
        final UnsafeBuffer quote = new UnsafeBuffer(new byte[8 + 12 + 6 + 2]);
        quote.putShort(0, (short) 12);
        quote.putShort(2, (short) 3);
        quote.putShort(4, (short) 7);
        quote.putLong(8, 12_345);
        quote.putInt(16, 678);
        quote.putShort(20, (short) 2);
        quote.putInt(22, 1);
        quote.putShort(26, (short) 9);
        final UnsafeBuffer endless = new UnsafeBuffer(quote.byteArray().clone());
        endless.putShort(20, (short) 0);
        endless.putInt(22, -1);
        final UnsafeBuffer note = new UnsafeBuffer(new byte[8 + 4 + 3]);
        note.putShort(2, (short) 5);
        note.putShort(4, (short) 7);
        note.putStringAscii(8, "abc");
        try (ExclusivePublication publication = client.addExclusivePublication(CHANNEL, STREAM);
            Subscription subscription = client.addSubscription(CHANNEL, STREAM))
        {
            Await.until("a subscriber", publication::isConnected);
            assertThat(publication.offer(note)).isPositive();
            for (final int length : new int[] {4, 1 << 30, Integer.MAX_VALUE, -1, Integer.MIN_VALUE})
            {
                final UnsafeBuffer longer = new UnsafeBuffer(note.byteArray().clone());
                longer.putInt(8, length);
                assertThat(publication.offer(longer)).isPositive();
            }
            assertThat(publication.offer(quote)).isPositive();
            assertThat(publication.offer(endless)).isPositive();
            assertThat(publication.offer(quote, 0, 20)).isPositive();
            assertThat(publication.offer(quote, 0, 0)).isPositive();
            final UnsafeBuffer other = new UnsafeBuffer(quote.byteArray().clone());
            other.putShort(2, (short) 4);
            assertThat(publication.offer(other)).isPositive();
            assertThat(subscription.isClosed()).isFalse();
            final Captured dumped = dump("--dir", directory.toString(), "--stream", String.valueOf(STREAM), "--schema",
                schema.toString());
            final String text = dumped.out();
            assertThat(text).as(dumped.toString()).contains("\"price\": 12345", "\"size\": 678", "\"level\": 9")
                .contains("no message 4 in schema 7", "\"text\": \"abc\"")
                .contains("malformed: text of 2147483647 bytes at 12, and the message has 15");
            assertThat(text.lines().filter(line -> line.contains("malformed: ")).count()).isEqualTo(3 + 5);
            final SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < 200; i++)
            {
                final UnsafeBuffer garbage = new UnsafeBuffer(quote.byteArray().clone());
                garbage.putByte(random.nextInt(garbage.capacity()), (byte) random.nextInt());
                assertThat(publication.offer(garbage, 0, random.nextInt(garbage.capacity() + 1))).isPositive();
            }
            assertThat(dump("--dir", directory.toString(), "--stream", String.valueOf(STREAM), "--schema",
                schema.toString(), "--count", "1000").exitCode()).isZero();
        }
        Files.writeString(schema, "<nonsense/>");
        final Captured wrong = dump("--dir", directory.toString(), "--stream", "1", "--schema", schema.toString());
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err()).contains("--schema " + schema + " is no SBE schema");
    }

    @Test
    void aRecordingIsDumped()
    {
        assertThat(record().exitCode()).isZero();
        assertThat(dump("--recording", out.toString(), "--from", "640", "--count", "2").out())
            .contains("position 640 ", "|message 0010, an|", "position 704 ").doesNotContain("position 768 ");
        assertThat(dump("--recording", out.toString(), "--count", "1").out()).contains("position 0 ");
        assertThat(dump("--recording", out.toString(), "--from", String.valueOf(MESSAGES * 64)).out())
            .isEqualTo("no messages at " + MESSAGES * 64 + " or behind it\n");
        final Captured none = dump("--recording", out.toString(), "--session", "1");
        assertThat(none.exitCode()).isEqualTo(2);
        assertThat(none.err()).contains("--session 1: nothing of it is recorded in " + out);
    }

    /** What can't be read is told, by whoever reads; the last block too, behind which nothing tells of it. */
    @Test
    void aByteThatIsWrongAnywhereInARecordingIsTold() throws IOException
    {
        assertThat(record().exitCode()).isZero();
        final Path segment = out.resolve("segment-0000000001.rec");
        final byte[] whole = Files.readAllBytes(segment);
        // From behind the block that tells what was before, and which nobody needs here, on.
        for (int i = 512 + 64; i < whole.length; i += i < whole.length - 70 ? 61 : 1)
        {
            final byte[] wrong = whole.clone();
            wrong[i] ^= 0x10;
            Files.write(segment, wrong);
            final Captured checked = Captured.run("recording", out.toString());
            assertThat(checked.exitCode()).as("byte %d: %s", i, checked).isEqualTo(1);
            assertThat(checked.out()).as("byte %d", i).contains(" are not intact\n").endsWith("damaged\n");
        }
        Files.write(segment, java.util.Arrays.copyOf(whole, whole.length - 5));
        final Captured cut = Captured.run("recording", out.toString());
        assertThat(cut.exitCode()).as(cut.toString()).isZero();
        assertThat(cut.out()).contains(" bytes at the end are of a block that was not finished").endsWith("intact\n");
        whole[700] ^= 0x10;
        Files.write(segment, whole);
        assertThat(dump("--recording", out.toString()).out()).contains(" are not intact");
    }

    @Test
    void aStreamIsTraced()
    {
        final boolean[] stop = {false};
        final ExclusivePublication publication = client.addExclusivePublication(CHANNEL, STREAM);
        final Subscription subscription = client.addSubscription(CHANNEL, STREAM);
        final Thread publisher = new Thread(() ->
        {
            final UnsafeBuffer message = message(1);
            while (!stop[0])
            {
                publication.offer(message);
                java.util.concurrent.locks.LockSupport.parkNanos(100_000);
            }
        });
        final Thread subscriber = new Thread(() ->
        {
            while (!stop[0])
            {
                if (subscription.poll((buffer, offset, length, header) -> { }, 10) == 0)
                {
                    subscription.awaitMessage(10, TimeUnit.MILLISECONDS);
                }
            }
        });
        publisher.start();
        subscriber.start();
        try
        {
            Await.until("a subscriber", publication::isConnected);
            // Tests share processors with others: what is exact to 100 ms is exact enough here.
            final Captured traced = Captured.run("trace", String.valueOf(STREAM), "--dir", directory.toString(),
                "--samples", "50", "--seconds", "60", "--resolution", "100000");
            assertThat(traced.exitCode()).as(traced.toString()).isZero();
            assertThat(traced.out()).contains("50 samples; ", "publisher -> subscriber ");
            final Captured json = Captured.run("trace", String.valueOf(STREAM), "--dir", directory.toString(),
                "--samples", "50", "--seconds", "60", "--resolution", "100000", "--json");
            assertThat(json.lines()).hasSize(1).first().asString()
                .startsWith("{\"stream\":" + STREAM + ",\"samples\":50,")
                .containsPattern("\"hops\":\\[\\{\"from\":\"publisher\",\"to\":\"subscriber [^\"]+\",\"left\":false," +
                    "\"samples\":50,\"p50Nanos\":\\d+,.*\"maxNanos\":\\d+}]}$");
            assertThat(Captured.run("trace", "98", "--dir", directory.toString()).err())
                .contains("there is no stream 98; there are streams [" + STREAM + "]");
        }
        finally
        {
            stop[0] = true;
            join(publisher);
            join(subscriber);
        }
    }

    @Test
    void aStreamOnWhichNothingComesIsToldToHaveNoSample()
    {
        try (ExclusivePublication publication = client.addExclusivePublication(CHANNEL, STREAM))
        {
            final String[] command = {"trace", String.valueOf(STREAM), "--dir", directory.toString(), "--seconds", "1"};
            assertThat(Captured.run(command).err()).contains("stream " + STREAM + " has no subscriber");
            try (Subscription subscription = client.addSubscription(CHANNEL, STREAM))
            {
                Await.until("a connection", () -> subscription.isConnected() && publication.isConnected());
                final Captured traced = Captured.run(command);
                assertThat(traced.exitCode()).isEqualTo(1);
                assertThat(traced.err()).contains("no message of stream " + STREAM + " came within 1 s");
                assertThat(traced.out()).isEmpty();
            }
        }
    }

    private static void join(final Thread thread)
    {
        Await.until(thread + " to end", () -> !thread.isAlive());
    }
}

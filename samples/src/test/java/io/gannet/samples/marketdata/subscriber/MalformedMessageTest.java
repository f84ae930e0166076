package io.gannet.samples.marketdata.subscriber;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.samples.marketdata.publisher.FeedPublisher;
import io.gannet.samples.marketdata.publisher.PipeOutlet;
import io.gannet.samples.marketdata.publisher.PublisherSettings;
import io.gannet.samples.marketdata.source.GeneratedSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class MalformedMessageTest
{
    private static final int FRAMES = 1_000_000;

    private final List<byte[]> incremental = new ArrayList<>();
    private final List<byte[]> snapshot = new ArrayList<>();

    @BeforeEach
    void recordAFeed() throws IOException
    {
        final PipeOutlet messages = new PipeOutlet();
        final PipeOutlet snapshots = new PipeOutlet();
        messages.connect((buffer, offset, length) -> incremental.add(copy(buffer, offset, length)));
        snapshots.connect((buffer, offset, length) -> snapshot.add(copy(buffer, offset, length)));
        final PublisherSettings settings =
            new PublisherSettings(Double.POSITIVE_INFINITY, 0, 2, true, 1_000, 1, 0);
        try (FeedPublisher publisher = new FeedPublisher(() -> new GeneratedSource(1, 3, 100_000, 4_000), settings,
            messages, snapshots, NoOpIdleStrategy.INSTANCE))
        {
            while (!publisher.isDone() || publisher.counters().snapshotCycles == 0)
            {
                publisher.doWork();
            }
        }
        assertThat(snapshot).isNotEmpty();
    }

    @Test
    void randomAndDamagedFramesAreCountedAndPassedOver()
    {
        final FeedHandler handler = new FeedHandler((sendingTime, live) -> {});
        final SplittableRandom random = new SplittableRandom(99);
        for (int i = 0; i < FRAMES; i++)
        {
            final List<byte[]> from = random.nextInt(3) == 0 ? snapshot : incremental;
            byte[] frame = from.get(random.nextInt(from.size()));
            switch (random.nextInt(8))
            {
                case 0 ->
                {
                    frame = new byte[random.nextInt(200)];
                    random.nextBytes(frame);
                }
                case 1 -> frame = java.util.Arrays.copyOf(frame, random.nextInt(frame.length));
                default ->
                {
                    frame = frame.clone();
                    // mostly in headers, where it hurts
                    final int range = random.nextBoolean() ? Math.min(frame.length, 64) : frame.length;
                    for (int j = 0, n = 1 + random.nextInt(3); j < n; j++)
                    {
                        frame[random.nextInt(range)] = (byte) random.nextInt();
                    }
                }
            }
            // A buffer of exactly the frame: a read outside of it would throw.
            final DirectBuffer buffer = new UnsafeBuffer(frame);
            if (random.nextInt(3) == 0)
            {
                handler.onSnapshot(buffer, 0, frame.length);
            }
            else
            {
                handler.onIncremental(buffer, 0, frame.length);
            }
        }
        assertThat(handler.counters().malformed).isGreaterThan(FRAMES / 10);
    }

    @Test
    void damageInBetweenDoesNotDisturbTheFeed()
    {
        final FeedHandler clean = new FeedHandler((sendingTime, live) -> {});
        final FeedHandler disturbed = new FeedHandler((sendingTime, live) -> {});
        final SplittableRandom random = new SplittableRandom(7);
        int damaged = 0;
        for (final byte[] message : incremental)
        {
            clean.onIncremental(new UnsafeBuffer(message), 0, message.length);
            disturbed.onIncremental(new UnsafeBuffer(message), 0, message.length);
            for (final byte[] bad : List.of(
                with(message, 4, 99), with(message, 2, 77), with(message, 1, 0x7F), new byte[3],
                java.util.Arrays.copyOf(message, 8 + random.nextInt(24))))
            {
                disturbed.onIncremental(new UnsafeBuffer(bad), 0, bad.length);
                damaged++;
            }
        }
        assertThat(clean.counters().isFaulty()).isFalse();
        assertThat(disturbed.counters().malformed).isEqualTo(damaged);
        assertThat(disturbed.isComplete()).isTrue();
        for (int i = 0; i < 3; i++)
        {
            assertThat(disturbed.instruments().get(i).book().checksum())
                .isEqualTo(clean.instruments().get(i).book().checksum());
        }
    }

    @Test
    void groupsThatLieAboutTheirSizeAreRefused()
    {
        final byte[] orders = incremental.stream().filter(message -> message[2] == 4).findFirst().orElseThrow();
        assertThat(check(orders)).isEqualTo(MessageCheck.Result.OK);
        final int group = 8 + 32;
        assertThat(check(with(orders, group, 0))).as("entry length 0").isEqualTo(MessageCheck.Result.BAD_GROUP);
        assertThat(check(with(orders, group + 7, 255))).as("count 255").isEqualTo(MessageCheck.Result.BAD_GROUP);
        assertThat(check(with(orders, group + 7, 254))).isEqualTo(MessageCheck.Result.TRUNCATED);
        assertThat(check(with(orders, 0, 0))).as("block length 0").isEqualTo(MessageCheck.Result.BAD_BLOCK_LENGTH);
        assertThat(check(with(orders, 2, 200))).isEqualTo(MessageCheck.Result.UNKNOWN_TEMPLATE);
        assertThat(check(with(orders, 4, 1))).isEqualTo(MessageCheck.Result.WRONG_SCHEMA);
        assertThat(check(new byte[7])).isEqualTo(MessageCheck.Result.TRUNCATED);
        assertThat(check(new byte[0])).isEqualTo(MessageCheck.Result.TRUNCATED);
    }

    private static MessageCheck.Result check(final byte[] message)
    {
        return MessageCheck.check(new UnsafeBuffer(message), 0, message.length);
    }

    private static byte[] with(final byte[] message, final int index, final int value)
    {
        final byte[] copy = message.clone();
        copy[index] = (byte) value;
        return copy;
    }

    private static byte[] copy(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return bytes;
    }
}

package io.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gannet.BufferClaim;
import io.gannet.Gannet;
import io.gannet.GannetException;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.ring.Bell;
import io.gannet.ring.ConcurrentProducer;
import io.gannet.ring.Ring;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingLayout;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Several clients that publish into one ring, and a client that leaves it and comes back. The number of rounds can be
 * raised by the system property {@code gannet.test.rounds}.
 */
class SharedStreamTest
{
    private static final String CHANNEL = "gannet:ipc?ring=64k";
    private static final int STREAM = 3;
    private static final int ROUNDS = Integer.getInteger("gannet.test.rounds", 40);

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);

    private void offer(final Publication publication, final long value)
    {
        buffer.putLong(0, value);
        Await.until("room for message " + value, () -> publication.offer(buffer, 0, Long.BYTES) > 0);
    }

    private static long poll(final Subscription subscription)
    {
        final long[] value = new long[1];
        Await.until("a message", () -> subscription.poll(
            (from, offset, length, header) -> value[0] = from.getLong(offset), 1) == 1);
        return value[0];
    }

    private static long repairedBytes(final Gannet gannet)
    {
        final long[] bytes = {-1};
        gannet.countersReader().forEach((value, id, label) ->
        {
            if (label.startsWith("bytes claimed by publishers that died"))
            {
                bytes[0] = value;
            }
        });
        return bytes[0];
    }

    @Test
    void thePublisherBeyondTheClaimSlotsIsToldSoAndWelcomeLater()
    {
        try (EmbeddedDriver driver = new EmbeddedDriver("slots"); Gannet first = driver.connect())
        {
            final Publication publication = first.addPublication(CHANNEL, STREAM);
            final Path rings = driver.directory().resolve("rings");
            final String name = TestDirectory.list(rings).stream().filter(file -> file.endsWith(".ring")).findFirst()
                .orElseThrow();
            final Ring ring = RingFile.attach(rings.resolve(name), RingFile.Access.WRITE);
            final Deque<ConcurrentProducer> others = new ArrayDeque<>();
            while (others.size() < RingLayout.MAX_SLOTS - 1)
            {
                others.add(new ConcurrentProducer(ring, first.clientId(), Bell.FUTEX_WAKER));
            }
            try (Gannet second = driver.connect(); Subscription subscription = second.addSubscription(CHANNEL, STREAM))
            {
                EmbeddedDriver.awaitConnected(publication, subscription);
                assertThatExceptionOfType(GannetException.class)
                    .isThrownBy(() -> second.addPublication(CHANNEL, STREAM))
                    .withMessageContainingAll("publication of " + CHANNEL + " stream " + STREAM,
                        "all 256 claim slots", "are taken", "exclusive publications");
                offer(publication, 1);
                assertThat(poll(subscription)).isEqualTo(1);

                others.peek().close();
                assertThat(others.pop().isIdle()).isTrue();
                final Publication late = second.addPublication(CHANNEL, STREAM);
                offer(late, 2);
                assertThat(poll(subscription)).isEqualTo(2);
            }
            others.forEach(ConcurrentProducer::close);
            assertThat(others).allMatch(ConcurrentProducer::isIdle);
            ring.close();
            ring.free();
        }
    }

    @Test
    void aClientThatComesBackWhileItsOldClaimIsOpenLosesNeitherOldNorNew()
    {
        try (EmbeddedDriver driver = new EmbeddedDriver("come-back"); Gannet gannet = driver.connect())
        {
            final Subscription subscription = gannet.addSubscription(CHANNEL, STREAM);
            final Publication old = gannet.addPublication(CHANNEL, STREAM);
            EmbeddedDriver.awaitConnected(old, subscription);
            final BufferClaim claim = BufferClaim.allocate();
            assertThat(old.tryClaim(Long.BYTES, claim)).isPositive();
            old.close();
            final Publication next = gannet.addPublication(CHANNEL, STREAM);
            assertThat(next.sessionId()).as("the same ring").isEqualTo(old.sessionId());
            offer(next, 2);
            assertThat(subscription.poll((from, offset, length, header) -> {}, 1)).isZero();
            claim.buffer().putLong(claim.offset(), 1);
            claim.commit();
            assertThat(poll(subscription)).isEqualTo(1);
            assertThat(poll(subscription)).isEqualTo(2);
            for (long value = 3; value < 3_000; value++)
            {
                offer(next, value);
                assertThat(poll(subscription)).isEqualTo(value);
            }
            assertThat(repairedBytes(gannet)).isZero();
        }
    }

    @Test
    void aClientThatClosesAndAddsTheSameStreamAtOnceLosesNothing() throws InterruptedException
    {
        try (EmbeddedDriver driver = new EmbeddedDriver("add-again");
            Gannet staying = driver.connect();
            Gannet changing = driver.connect();
            Gannet passing = driver.connect())
        {
            final Subscription subscription = staying.addSubscription(CHANNEL, STREAM);
            final Publication other = staying.addPublication(CHANNEL, STREAM);
            EmbeddedDriver.awaitConnected(other, subscription);
            final AtomicBoolean stop = new AtomicBoolean();
            final AtomicLong last = new AtomicLong();
            final Thread busy = Thread.ofPlatform().start(() -> keepClaiming(other, stop));
            final Thread reader = Thread.ofPlatform().start(() -> read(subscription, last, stop));
            final BufferClaim claim = BufferClaim.allocate();
            long value = 0;
            for (int round = 0; round < ROUNDS; round++)
            {
                final Publication publication = changing.addPublication(CHANNEL, STREAM);
                for (int i = 0; i < round % 3; i++)
                {
                    offer(publication, ++value);
                }
                Await.until("room for a claim", () -> publication.tryClaim(Long.BYTES, claim) > 0);
                repair(passing);
                claim.buffer().putLong(claim.offset(), ++value);
                claim.commit();
                publication.close();
            }
            final long all = value;
            Await.until("message " + all, () -> last.get() == all || !reader.isAlive());
            stop.set(true);
            busy.join();
            reader.join();
            assertThat(last.get()).as("last message in order").isEqualTo(all);
            assertThat(repairedBytes(staying)).isZero();
        }
    }

    /** The driver looks for claims of the dead when a publication goes; it has when it answers the next command. */
    private static void repair(final Gannet gannet)
    {
        gannet.addPublication(CHANNEL, STREAM).close();
        gannet.addPublication(CHANNEL, STREAM).close();
    }

    /** Claims that stay open for a moment, so that a repair may have to wait. */
    private static void keepClaiming(final Publication publication, final AtomicBoolean stop)
    {
        final BufferClaim claim = BufferClaim.allocate();
        while (!stop.get())
        {
            if (publication.tryClaim(Long.BYTES, claim) > 0)
            {
                Thread.onSpinWait();
                claim.buffer().putLong(claim.offset(), 0);
                claim.commit();
            }
            else
            {
                Thread.onSpinWait();
            }
        }
    }

    /** The messages of the client that comes and goes, which must have no gap; the others are 0. */
    private static void read(final Subscription subscription, final AtomicLong last, final AtomicBoolean stop)
    {
        while (!stop.get())
        {
            subscription.poll((from, offset, length, header) ->
            {
                final long value = from.getLong(offset);
                if (value == last.get() + 1)
                {
                    last.set(value);
                }
                else if (value != 0)
                {
                    throw new AssertionError("message " + value + " after " + last.get());
                }
            }, 64);
        }
    }
}

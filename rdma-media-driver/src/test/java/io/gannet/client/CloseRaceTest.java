package io.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.BufferClaim;
import io.gannet.ClientClosedException;
import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.harness.Await;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Closes from other threads while threads offer, claim, poll and sleep. The number of rounds can be raised by the
 * system property {@code gannet.test.rounds}.
 */
class CloseRaceTest
{
    private static final String CHANNEL = "gannet:ipc?ring=64k";
    private static final int ROUNDS = Integer.getInteger("gannet.test.rounds", 40);

    private final List<Throwable> problems = new CopyOnWriteArrayList<>();

    private Thread start(final String name, final Runnable body)
    {
        final Thread thread = new Thread(body, name);
        thread.setUncaughtExceptionHandler((t, ex) -> problems.add(ex));
        thread.start();
        return thread;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void whoeverIsInsideSeesAClosedThingAndNeverAFault(final long seed) throws InterruptedException
    {
        final Random random = new Random(seed);
        try (EmbeddedDriver driver = new EmbeddedDriver("close-race"))
        {
            for (int round = 0; round < ROUNDS; round++)
            {
                oneRound(driver, random);
                assertThat(problems).as("seed %d round %d", seed, round).isEmpty();
            }
        }
    }

    private void oneRound(final EmbeddedDriver driver, final Random random) throws InterruptedException
    {
        final Gannet gannet = driver.connect();
        final boolean exclusive = random.nextBoolean();
        final Publication publication = exclusive ?
            gannet.addExclusivePublication(CHANNEL, 1) : gannet.addPublication(CHANNEL, 1);
        final Subscription subscription = gannet.addSubscription(CHANNEL, 1);
        EmbeddedDriver.awaitConnected(publication, subscription);
        final List<Thread> threads = new ArrayList<>();
        for (int i = exclusive ? 1 : 2; i > 0; i--)
        {
            threads.add(start("offering", () -> offerUntilClosed(publication)));
        }
        threads.add(start("polling", () -> pollUntilClosed(subscription)));
        final List<AutoCloseable> closing = new ArrayList<>(List.of(publication, subscription, gannet));
        Collections.shuffle(closing, random);
        final int pause = random.nextInt(3_000);
        for (final AutoCloseable one : closing)
        {
            for (int i = 0; i < pause; i++)
            {
                Thread.onSpinWait();
            }
            if (random.nextInt(4) == 0)
            {
                threads.forEach(Thread::interrupt);
            }
            threads.add(start("closing", () -> close(one)));
        }
        for (final Thread thread : threads)
        {
            thread.join(TimeUnit.SECONDS.toMillis(Await.DEADLINE_SECONDS));
            assertThat(thread.isAlive()).as("thread %s ends", thread.getName()).isFalse();
        }
        assertThat(publication.isClosed()).isTrue();
        assertThat(publication.position()).isEqualTo(Publication.CLOSED);
        assertThat(publication.isConnected()).isFalse();
        assertThat(publication.slowestSubscriber()).isNull();
        assertThat(subscription.poll((buffer, offset, length, header) -> {}, 1)).isZero();
    }

    private static void close(final AutoCloseable closeable)
    {
        try
        {
            closeable.close();
        }
        catch (final Exception ex)
        {
            throw new AssertionError(ex);
        }
    }

    private static void offerUntilClosed(final Publication publication)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
        final BufferClaim claim = BufferClaim.allocate();
        long result;
        do
        {
            result = publication.offer(buffer);
            if (publication.tryClaim(40, claim) > 0)
            {
                claim.buffer().setMemory(claim.offset(), claim.length(), (byte) 1);
                claim.commit();
            }
            publication.isConnected();
            publication.availableWindow();
            if (result == Publication.BACK_PRESSURED)
            {
                result = publication.offer(buffer, 0, 64, 100, TimeUnit.MICROSECONDS);
            }
        }
        while (result != Publication.CLOSED);
    }

    private static void pollUntilClosed(final Subscription subscription)
    {
        while (!subscription.isClosed())
        {
            if (subscription.poll((buffer, offset, length, header) -> buffer.getLong(offset), 10) == 0)
            {
                subscription.awaitMessage(1, TimeUnit.MILLISECONDS);
            }
            subscription.forEachImage(image -> image.isEndOfStream());
        }
    }

    @Test
    void aHandlerThatBlocksHoldsUpNoCloseAndReadsOnUnharmed() throws InterruptedException
    {
        try (EmbeddedDriver driver = new EmbeddedDriver("blocked-handler"))
        {
            final Gannet gannet = driver.connect();
            final Publication publication = gannet.addExclusivePublication(CHANNEL, 1);
            final Subscription subscription = gannet.addSubscription(CHANNEL, 1);
            EmbeddedDriver.awaitConnected(publication, subscription);
            publication.offer(new UnsafeBuffer(new byte[64]));
            final CountDownLatch inside = new CountDownLatch(1);
            final CountDownLatch leave = new CountDownLatch(1);
            final Thread poller = start("polling", () ->
                Await.until("the message", () -> subscription.poll((buffer, offset, length, header) ->
                {
                    inside.countDown();
                    Await.until("leave", () -> leave.getCount() == 0);
                    buffer.getLong(offset);
                }, 1) > 0));
            inside.await();
            subscription.close();
            assertThat(publication.isConnected()).as("the gate stays while its reader is in a handler").isTrue();
            gannet.close();
            leave.countDown();
            poller.join();
            assertThat(problems).isEmpty();
        }
    }

    @Test
    void anOpenClaimOfAClosedPublicationCanBeCommitted()
    {
        try (EmbeddedDriver driver = new EmbeddedDriver("open-claim"); Gannet gannet = driver.connect())
        {
            for (final boolean exclusive : new boolean[]{true, false})
            {
                final Publication publication = exclusive ?
                    gannet.addExclusivePublication(CHANNEL, 1) : gannet.addPublication(CHANNEL, 1);
                final Subscription subscription = gannet.addSubscription(CHANNEL, 1);
                EmbeddedDriver.awaitConnected(publication, subscription);
                final BufferClaim claim = BufferClaim.allocate();
                final long position = publication.tryClaim(8, claim);
                publication.close();
                assertThat(publication.offer(new UnsafeBuffer(new byte[8]))).isEqualTo(Publication.CLOSED);
                claim.buffer().putLong(claim.offset(), 77);
                claim.commit();
                final long[] value = new long[1];
                Await.until("the committed message", () ->
                    subscription.poll((buffer, offset, length, header) -> value[0] = buffer.getLong(offset), 1) == 1);
                assertThat(value[0]).isEqualTo(77);
                Await.until("the end", () -> !subscription.isConnected());
                assertThat(position).isPositive();
                subscription.close();
            }
        }
    }

    @Test
    void everythingAfterCloseIsClosedOrAnException()
    {
        try (EmbeddedDriver driver = new EmbeddedDriver("after-close"))
        {
            final Gannet gannet = driver.connect();
            gannet.close();
            gannet.close();
            assertThat(gannet.isClosed()).isTrue();
            final List<Runnable> calls = List.of(
                () -> gannet.addPublication(CHANNEL, 1),
                () -> gannet.addExclusivePublication(CHANNEL, 1),
                () -> gannet.addSubscription(CHANNEL, 1),
                () -> gannet.addCounter(1000, "x"),
                gannet::countersReader);
            for (final Runnable call : calls)
            {
                org.assertj.core.api.Assertions.assertThatExceptionOfType(ClientClosedException.class)
                    .isThrownBy(call::run);
            }
        }
    }
}

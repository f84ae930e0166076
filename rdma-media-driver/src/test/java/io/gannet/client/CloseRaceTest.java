package io.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.BufferClaim;
import io.gannet.ClientClosedException;
import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.harness.Await;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Closes from other threads while threads offer, claim, poll and sleep. The full run:
 * {@code -Dgannet.test.rounds=10000}; with other closes: {@code -Dgannet.test.seeds=3,4}.
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

    static LongStream seeds()
    {
        return Arrays.stream(System.getProperty("gannet.test.seeds", "1,2").split(",")).mapToLong(Long::parseLong);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whoeverIsInsideSeesAClosedThingAndNeverAFault(final long seed) throws InterruptedException
    {
        final Random random = new Random(seed);
        try (EmbeddedDriver driver = new EmbeddedDriver("close-race"))
        {
            final CloseRace race = new CloseRace(driver::connect, null, CHANNEL);
            for (int round = 0; round < ROUNDS; round++)
            {
                race.round(random);
                assertThat(race.problems()).as("seed %d round %d", seed, round).isEmpty();
            }
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

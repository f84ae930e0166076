package io.gannet.client;

import static io.gannet.client.EmbeddedDriver.awaitConnected;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.gannet.BufferClaim;
import io.gannet.ConcurrentPollException;
import io.gannet.ControlledFragmentHandler.Action;
import io.gannet.Counter;
import io.gannet.DirectBufferVector;
import io.gannet.FragmentHandler;
import io.gannet.Gannet;
import io.gannet.Image;
import io.gannet.Publication;
import io.gannet.SubscriberLag;
import io.gannet.Subscription;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What an application does with publications and subscriptions, over an embedded driver.
 */
class MessagingTest
{
    private static final String CHANNEL = "gannet:ipc?ring=64k";
    private static final int STREAM = 7;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64 * 1024]);
    private EmbeddedDriver driver;
    private Gannet gannet;

    @BeforeEach
    void connect()
    {
        driver = new EmbeddedDriver("messaging");
        gannet = driver.connect();
    }

    @AfterEach
    void close()
    {
        gannet.close();
        driver.close();
    }

    private Publication publication(final boolean exclusive)
    {
        return exclusive ? gannet.addExclusivePublication(CHANNEL, STREAM) : gannet.addPublication(CHANNEL, STREAM);
    }

    private long offer(final Publication publication, final long value)
    {
        buffer.putLong(0, value);
        return publication.offer(buffer, 0, Long.BYTES);
    }

    private static List<Long> poll(final Subscription subscription, final int count)
    {
        final List<Long> values = new ArrayList<>();
        final FragmentHandler handler = (from, offset, length, header) -> values.add(from.getLong(offset));
        Await.until(count + " messages", () ->
        {
            subscription.poll(handler, count - values.size());
            return values.size() >= count;
        });
        return values;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nothingIsSentWithoutASubscriberAndAllIsWithOne(final boolean exclusive)
    {
        final Publication publication = publication(exclusive);
        assertThat(publication.isConnected()).isFalse();
        assertThat(publication.slowestSubscriber()).isNull();
        assertThat(offer(publication, 1)).isEqualTo(Publication.NOT_CONNECTED);
        assertThat(publication.position()).isZero();
        final Subscription subscription = gannet.addSubscription(CHANNEL, STREAM);
        awaitConnected(publication, subscription);
        for (int i = 0; i < 100; i++)
        {
            assertThat(offer(publication, i)).isPositive();
        }
        final List<Long> values = poll(subscription, 100);
        assertThat(values).hasSize(100).startsWith(0L, 1L).endsWith(99L).isSorted();
        assertThat(subscription.images()).singleElement()
            .satisfies(image -> assertThat(image.position()).isEqualTo(publication.position()));
    }

    @Test
    void aPollWithoutAHandlerTakesNothing()
    {
        final Publication publication = publication(false);
        final Subscription subscription = gannet.addSubscription(CHANNEL, STREAM);
        awaitConnected(publication, subscription);
        offer(publication, 42);
        final Image image = subscription.images().get(0);
        final List<ThrowingCallable> polls = List.of(
            () -> subscription.poll(null, 1),
            () -> subscription.controlledPoll(null, 1),
            () -> subscription.blockPoll(null, 1024),
            () -> image.poll(null, 1),
            () -> image.boundedPoll(null, Long.MAX_VALUE, 1),
            () -> image.controlledPoll(null, 1),
            () -> image.blockPoll(null, 1024));
        for (final ThrowingCallable poll : polls)
        {
            assertThatNullPointerException().isThrownBy(poll).withMessage("handler");
        }
        assertThat(poll(subscription, 1)).containsExactly(42L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void lengthsFromNothingToTheLargestGoAndOneMoreIsRefused(final boolean exclusive)
    {
        final Publication publication = publication(exclusive);
        final Subscription subscription = gannet.addSubscription(CHANNEL, STREAM);
        awaitConnected(publication, subscription);
        final int max = publication.maxMessageLength();
        for (final int length : new int[]{0, 1, 31, 32, 33, max - 1, max})
        {
            buffer.setMemory(0, length, (byte) length);
            assertThat(publication.offer(buffer, 0, length)).isPositive();
            final int[] seen = {-1};
            Await.until("the message", () -> subscription.poll((from, offset, got, header) ->
            {
                seen[0] = got;
                for (int i = 0; i < got; i++)
                {
                    assertThat(from.getByte(offset + i)).isEqualTo((byte) length);
                }
            }, 1) == 1);
            assertThat(seen[0]).isEqualTo(length);
        }
        final long position = publication.position();
        assertThatIllegalArgumentException().isThrownBy(() -> publication.offer(buffer, 0, max + 1))
            .withMessageContaining(Integer.toString(max + 1)).withMessageContaining(Integer.toString(max));
        assertThatIllegalArgumentException().isThrownBy(() -> publication.offer(buffer, 0, -1));
        assertThatIllegalArgumentException().isThrownBy(() -> publication.offer(buffer, -1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> publication.offer(buffer, buffer.capacity(), 1));
        assertThatIllegalArgumentException()
            .isThrownBy(() -> publication.tryClaim(max + 1, BufferClaim.allocate()));
        assertThat(publication.position()).isEqualTo(position);
        assertThat(publication.offer(buffer, 0, 8)).isPositive();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void claimsPartsAndReservedValuesArrive(final boolean exclusive)
    {
        final Publication publication = publication(exclusive);
        final Subscription subscription = gannet.addSubscription(CHANNEL, STREAM);
        awaitConnected(publication, subscription);
        final BufferClaim claim = BufferClaim.allocate();
        assertThat(publication.tryClaim(8, claim)).isPositive();
        claim.buffer().putLong(claim.offset(), 1);
        assertThatIllegalStateException().isThrownBy(() -> publication.tryClaim(8, claim));
        claim.reservedValue(-5).commit();
        assertThatIllegalStateException().isThrownBy(claim::commit);
        assertThat(publication.tryClaim(100, claim)).isPositive();
        claim.abort();
        claim.abort();
        buffer.putLong(0, 2);
        buffer.putLong(8, 3);
        assertThat(publication.offer(
            new DirectBufferVector(buffer, 0, 8), new DirectBufferVector(buffer, 8, 8))).isPositive();
        assertThat(publication.offer(buffer, 0, 8, buffer, 8, 8, null)).isPositive();
        assertThat(publication.offer(buffer, 8, 8, (from, offset, length) -> from.getLong(offset) * 100)).isPositive();
        final List<String> seen = new ArrayList<>();
        Await.until("four messages", () ->
        {
            subscription.poll((from, offset, length, header) -> seen.add(from.getLong(offset) + "/" + length + "/" +
                header.reservedValue() + "/" + (header.sessionId() == publication.sessionId()) + "/" +
                header.streamId() + "/" + header.flags()), 10);
            return seen.size() == 4;
        });
        assertThat(seen).containsExactly(
            "1/8/-5/true/7/192", "2/16/0/true/7/192", "2/16/0/true/7/192", "3/8/300/true/7/192");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFullWindowPushesBackAndNamesTheHolder(final boolean exclusive)
    {
        final Publication publication = publication(exclusive);
        final Subscription subscription = gannet.addSubscription(CHANNEL, STREAM);
        awaitConnected(publication, subscription);
        long result;
        int sent = 0;
        while ((result = offer(publication, sent)) > 0)
        {
            sent++;
        }
        assertThat(result).isEqualTo(Publication.BACK_PRESSURED);
        assertThat(publication.availableWindow()).isLessThan(32);
        assertThat(publication.positionLimit()).isGreaterThanOrEqualTo(publication.position());
        final SubscriberLag slowest = publication.slowestSubscriber();
        assertThat(slowest.name()).isEqualTo("test");
        assertThat(slowest.pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(slowest.lag()).isEqualTo(publication.position());
        assertThat(slowest.alive()).isTrue();
        assertThat(publication.offer(buffer, 0, 8, 5, TimeUnit.MILLISECONDS)).isEqualTo(Publication.BACK_PRESSURED);
        final Thread waiting = Thread.currentThread();
        waiting.interrupt();
        assertThat(publication.offer(buffer, 0, 8, 1, TimeUnit.HOURS)).isEqualTo(Publication.BACK_PRESSURED);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(poll(subscription, sent)).hasSize(sent);
        assertThat(publication.offer(buffer, 0, 8, 60, TimeUnit.SECONDS)).isPositive();
    }

    @Test
    void aLateSubscriberStartsAtTheLivePosition()
    {
        final Publication publication = publication(true);
        final Subscription first = gannet.addSubscription(CHANNEL, STREAM);
        awaitConnected(publication, first);
        for (int i = 0; i < 50; i++)
        {
            offer(publication, i);
        }
        final AtomicReference<Image> joined = new AtomicReference<>();
        final Subscription late = gannet.addSubscription(CHANNEL, STREAM, joined::set, image -> {});
        Await.until("the image", () -> late.imageCount() == 1);
        assertThat(joined.get().joinPosition()).isEqualTo(publication.position());
        offer(publication, 50);
        assertThat(poll(late, 1)).containsExactly(50L);
        assertThat(poll(first, 51)).endsWith(49L, 50L);
    }

    @Test
    void publicationsOfOneStreamShareARingAndExclusiveOnesDoNot()
    {
        try (Gannet other = driver.connect())
        {
            final Subscription subscription = gannet.addSubscription(CHANNEL, STREAM);
            final Publication first = publication(false);
            final Publication second = publication(false);
            final Publication third = other.addPublication(CHANNEL, STREAM);
            final Publication alone = other.addExclusivePublication(CHANNEL, STREAM);
            assertThat(first.sessionId()).isEqualTo(second.sessionId()).isEqualTo(third.sessionId())
                .isNotEqualTo(alone.sessionId());
            Await.until("two images", () -> subscription.imageCount() == 2);
            awaitConnected(first, subscription);
            awaitConnected(alone, subscription);
            first.close();
            assertThat(offer(first, 0)).isEqualTo(Publication.CLOSED);
            assertThat(offer(second, 1)).isPositive();
            assertThat(offer(third, 2)).isPositive();
            assertThat(offer(alone, 3)).isPositive();
            assertThat(poll(subscription, 3)).containsExactlyInAnyOrder(1L, 2L, 3L);
            assertThat(subscription.imageBySessionId(alone.sessionId()).position()).isEqualTo(alone.position());
        }
    }

    @Test
    void aSessionFilterShowsOneSessionOnly()
    {
        final Publication wanted = publication(true);
        final Publication other = publication(true);
        final Subscription all = gannet.addSubscription(CHANNEL, STREAM);
        final Subscription one =
            gannet.addSubscription("gannet:ipc?session-id=" + wanted.sessionId(), STREAM);
        Await.until("the images", () -> all.imageCount() == 2 && one.imageCount() == 1);
        assertThat(offer(other, 1)).isPositive();
        assertThat(offer(wanted, 2)).isPositive();
        assertThat(poll(one, 1)).containsExactly(2L);
        assertThat(poll(all, 2)).containsExactlyInAnyOrder(1L, 2L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theEndOfAStreamComesAfterItsLastMessage(final boolean exclusive)
    {
        final List<String> events = new CopyOnWriteArrayList<>();
        final Subscription subscription = gannet.addSubscription(CHANNEL, STREAM,
            image -> events.add("available"), image -> events.add("unavailable at " + image.position()));
        final Publication publication = publication(exclusive);
        awaitConnected(publication, subscription);
        final Image image = subscription.images().getFirst();
        offer(publication, 1);
        final long end = offer(publication, 2);
        publication.close();
        Await.until("the end to be known", () -> image.endOfStreamPosition() == end);
        assertThat(image.isEndOfStream()).isFalse();
        assertThat(poll(subscription, 2)).containsExactly(1L, 2L);
        assertThat(image.isEndOfStream()).isTrue();
        Await.until("the image to go", () -> !subscription.isConnected() && events.size() == 2);
        assertThat(events).containsExactly("available", "unavailable at " + end);
        assertThat(image.isClosed()).isTrue();
        assertThat(image.isEndOfStream()).isTrue();
        assertThat(image.position()).isEqualTo(end);
    }

    @Test
    void aControlledPollAbortsBreaksCommitsAndContinues()
    {
        final Publication publication = publication(true);
        final Subscription subscription = gannet.addSubscription(CHANNEL, STREAM);
        awaitConnected(publication, subscription);
        for (int i = 0; i < 4; i++)
        {
            offer(publication, i);
        }
        final Image image = subscription.images().getFirst();
        final List<Long> values = new ArrayList<>();
        final Action[] action = {Action.ABORT};
        final int[] counts = new int[4];
        for (int i = 0; i < 4; i++)
        {
            counts[i] = subscription.controlledPoll((from, offset, length, header) ->
            {
                values.add(from.getLong(offset));
                if (action[0] == Action.COMMIT)
                {
                    assertThat(publication.slowestSubscriber().position()).isLessThan(header.position());
                }
                return action[0];
            }, 10);
            action[0] = new Action[]{Action.BREAK, Action.COMMIT, Action.CONTINUE, Action.ABORT}[i];
        }
        assertThat(counts).containsExactly(0, 1, 3, 0);
        assertThat(values).containsExactly(0L, 0L, 1L, 2L, 3L);
        assertThat(image.position()).isEqualTo(publication.position());
    }

    @Test
    void boundedAndBlockPollsStopWhereTheyShould()
    {
        final Publication publication = publication(true);
        final Subscription subscription = gannet.addSubscription(CHANNEL, STREAM);
        awaitConnected(publication, subscription);
        for (int i = 0; i < 10; i++)
        {
            offer(publication, i);
        }
        final Image image = subscription.images().getFirst();
        final List<Long> values = new ArrayList<>();
        final FragmentHandler handler = (from, offset, length, header) -> values.add(from.getLong(offset));
        assertThat(image.boundedPoll(handler, 64, 10)).isEqualTo(2);
        assertThat(image.boundedControlledPoll((from, offset, length, header) ->
        {
            values.add(from.getLong(offset));
            return Action.CONTINUE;
        }, 128, 10)).isEqualTo(2);
        assertThat(values).containsExactly(0L, 1L, 2L, 3L);
        final List<Long> block = new ArrayList<>();
        assertThat(subscription.blockPoll((from, offset, length, sessionId, position) ->
            block.addAll(List.of(from.getLong(offset + 16), (long) length, (long) sessionId, position)), 100))
            .isEqualTo(96);
        assertThat(block).containsExactly(4L, 96L, (long) publication.sessionId(), 128L);
    }

    @Test
    void anExceptionReachesTheCallerAndThePositionIsBehindItsMessage()
    {
        final Publication publication = publication(true);
        final Subscription subscription = gannet.addSubscription(CHANNEL, STREAM);
        awaitConnected(publication, subscription);
        offer(publication, 1);
        offer(publication, 2);
        Await.until("the planned exception", () ->
        {
            try
            {
                subscription.poll((from, offset, length, header) ->
                {
                    throw new IllegalArgumentException("planned");
                }, 10);
                return false;
            }
            catch (final IllegalArgumentException ex)
            {
                return true;
            }
        });
        assertThat(poll(subscription, 1)).containsExactly(2L);
    }

    @Test
    void twoThreadsOnOneSubscriptionAreDetected() throws InterruptedException
    {
        final Publication publication = publication(true);
        final Subscription subscription = gannet.addSubscription(CHANNEL, STREAM);
        awaitConnected(publication, subscription);
        offer(publication, 1);
        final CountDownLatch inside = new CountDownLatch(1);
        final CountDownLatch leave = new CountDownLatch(1);
        final Thread first = new Thread(() -> Await.until("a message", () ->
            subscription.poll((from, offset, length, header) ->
            {
                inside.countDown();
                assertThatIllegalStateException().isThrownBy(() -> subscription.poll((b, o, l, h) -> {}, 1));
                Await.until("leave", () -> leave.getCount() == 0);
            }, 1) > 0), "first");
        first.start();
        inside.await();
        assertThatExceptionOfType(ConcurrentPollException.class)
            .isThrownBy(() -> subscription.poll((from, offset, length, header) -> {}, 1))
            .withMessageContaining("first");
        leave.countDown();
        first.join();
        assertThat(subscription.poll((from, offset, length, header) -> {}, 1)).isZero();
    }

    @Test
    void aSleepingSubscriberIsWoken() throws InterruptedException
    {
        final Publication publication = publication(true);
        final Subscription subscription = gannet.addSubscription(CHANNEL, STREAM);
        assertThat(subscription.awaitMessage(1, TimeUnit.MILLISECONDS)).isFalse();
        awaitConnected(publication, subscription);
        for (int i = 0; i < 20; i++)
        {
            final Thread sender = new Thread(() -> offer(publication, 1));
            sender.start();
            assertThat(subscription.awaitMessage(50, TimeUnit.SECONDS)).isTrue();
            assertThat(poll(subscription, 1)).containsExactly(1L);
            sender.join();
        }
        final Thread closer = new Thread(subscription::close);
        closer.start();
        final long start = System.nanoTime();
        assertThat(subscription.awaitMessage(50, TimeUnit.SECONDS)).isFalse();
        assertThat(System.nanoTime() - start).isLessThan(40_000_000_000L);
        closer.join();
    }

    @Test
    void countersAreSharedAndKeepTheirLastValue()
    {
        final Counter counter = gannet.addCounter(1234, "orders");
        counter.set(5);
        assertThat(counter.increment()).isEqualTo(6);
        try (Gannet other = driver.connect())
        {
            assertThat(other.countersReader().getCounterValue(counter.id())).isEqualTo(6);
            assertThat(other.countersReader().getCounterLabel(counter.id())).isEqualTo("orders");
            assertThat(other.countersReader().getCounterTypeId(counter.id())).isEqualTo(1234);
        }
        counter.close();
        counter.set(9);
        assertThat(counter.isClosed()).isTrue();
        Await.until("the last value", () -> counter.get() == 6);
        assertThatIllegalArgumentException().isThrownBy(() -> gannet.addCounter(1, "x"))
            .withMessageContaining("1000");
        assertThatIllegalArgumentException().isThrownBy(() -> gannet.addCounter(1000, "x".repeat(381)))
            .withMessageContaining("380");
    }

    @Test
    void theClientMayBeUsedFromAHandlerButNotWaitThere()
    {
        final AtomicReference<Throwable> refused = new AtomicReference<>();
        final Subscription subscription = gannet.addSubscription(CHANNEL, STREAM, image ->
        {
            try
            {
                gannet.addPublication(CHANNEL, STREAM);
            }
            catch (final IllegalStateException ex)
            {
                refused.set(ex);
            }
            image.subscription().close();
        }, image -> {});
        publication(true);
        Await.until("the refusal", () -> refused.get() != null);
        assertThat(refused.get()).hasMessageContaining("from a handler");
        Await.until("the close", subscription::isClosed);
    }

    @Test
    void handlersThatThrowEndNoConductor()
    {
        final Gannet.Context context = driver.context()
            .errorHandler(ex ->
            {
                throw new IllegalStateException("the error handler throws as well", ex);
            })
            .availableImageHandler(image ->
            {
                throw new IllegalStateException("a handler throws");
            });
        try (Gannet client = Gannet.connect(context);
            Subscription subscription = client.addSubscription(CHANNEL, STREAM);
            Publication publication = client.addPublication(CHANNEL, STREAM))
        {
            awaitConnected(publication, subscription);
            publication.offer(buffer, 0, 8, Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
            assertThat(subscription.awaitMessage(Await.DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aThreadFactoryWithoutAThreadIsNamedAndLeavesNothing()
    {
        assertThatNullPointerException()
            .isThrownBy(() -> Gannet.connect(driver.context().threadFactory(body -> null)))
            .withMessageContaining("threadFactory");
        Await.until("one client alone to have a file",
            () -> driver.directory().resolve("clients").toFile().list().length == 1);
    }

    @Test
    void aConductorCanBeInvoked()
    {
        try (Gannet invoked = Gannet.connect(driver.context().useConductorInvoker(true)))
        {
            final Publication publication = invoked.addExclusivePublication(CHANNEL, STREAM);
            final Subscription subscription = invoked.addSubscription(CHANNEL, STREAM);
            Await.until("the connection", () ->
            {
                invoked.conductorInvoker().invoke();
                return publication.isConnected() && subscription.isConnected();
            });
            assertThat(offer(publication, 1)).isPositive();
            assertThat(poll(subscription, 1)).containsExactly(1L);
        }
    }

    private long rings()
    {
        return TestDirectory.list(driver.directory().resolve("rings")).stream()
            .filter(file -> file.toString().endsWith(".ring")).count();
    }

    /** Its ring would keep its place, and with it the next image of the same publication of another host. */
    @Test
    void aThreadThatOnlyWaitsDoesNotKeepAnImageThatHasEnded() throws InterruptedException
    {
        final CountDownLatch reads = new CountDownLatch(1);
        final Subscription subscription = gannet.addSubscription(CHANNEL, STREAM);
        final Publication first = publication(true);
        final Publication stays = publication(true);
        awaitConnected(first, subscription);
        Await.until("both images", () -> subscription.imageCount() == 2);
        final Thread waiting = new Thread(() ->
        {
            while (subscription.awaitMessage(1, TimeUnit.HOURS))
            {
                subscription.poll((from, offset, length, header) -> reads.countDown(), 10);
            }
        });
        waiting.start();
        assertThat(offer(first, 1)).isPositive();
        reads.await();
        first.close();
        Await.until("the ended image's ring to go", () -> rings() == 1);
        assertThat(waiting.isAlive()).isTrue();
        stays.close();
        Await.until("the other ring to go", () -> rings() == 0);
        subscription.close();
        waiting.join();
    }
}

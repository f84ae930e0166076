package io.gannet.client;

import static io.gannet.client.EmbeddedDriver.awaitConnected;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.gannet.ConcurrentPollException;
import io.gannet.Gannet;
import io.gannet.MessageWaiter;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.harness.Await;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One thread that waits for several subscriptions, of two clients of an embedded driver. */
class MessageWaiterTest
{
    private static final String CHANNEL = "gannet:ipc?ring=64k";
    private static final long LONG = 10 * Await.DEADLINE_SECONDS;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[Long.BYTES]);
    private EmbeddedDriver driver;
    private Gannet gannet;
    private Gannet other;

    @BeforeEach
    void connect()
    {
        driver = new EmbeddedDriver("waiter");
        gannet = driver.connect();
        other = driver.connect();
    }

    @AfterEach
    void close()
    {
        other.close();
        gannet.close();
        driver.close();
    }

    private static int poll(final Subscription subscription)
    {
        return subscription.poll((from, offset, length, header) -> { }, 10);
    }

    @Test
    void sleepsUntilAnyOfItsSubscriptionsHasAMessage() throws InterruptedException
    {
        final List<Subscription> subscriptions = List.of(gannet.addSubscription(CHANNEL, 1),
            other.addSubscription(CHANNEL, 2), gannet.addSubscription(CHANNEL, 3));
        final MessageWaiter waiter = MessageWaiter.of(subscriptions.toArray(Subscription[]::new));
        assertThat(waiter.await(1, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(waiter.await(0, TimeUnit.MILLISECONDS)).isFalse();
        final List<Publication> publications = new ArrayList<>();
        for (int i = 0; i < 3; i++)
        {
            publications.add(other.addExclusivePublication(CHANNEL, i + 1));
            awaitConnected(publications.get(i), subscriptions.get(i));
        }
        for (int i = 0; i < 30; i++)
        {
            final int which = i * 7 % 3;
            final Thread sender = new Thread(() -> publications.get(which).offer(buffer, 0, Long.BYTES));
            sender.start();
            assertThat(waiter.await(LONG, TimeUnit.SECONDS)).isTrue();
            assertThat(poll(subscriptions.get(which))).isEqualTo(1);
            assertThat(poll(subscriptions.get((which + 1) % 3)) + poll(subscriptions.get((which + 2) % 3))).isZero();
            sender.join();
        }
        publications.get(0).offer(buffer, 0, Long.BYTES);
        assertThat(waiter.await(0, TimeUnit.MILLISECONDS)).isTrue();
    }

    /** Publishers come and go while it sleeps: it must let go of their rings, and know the new ones. */
    @Test
    void knowsImagesThatComeAndGoWhileItSleeps() throws InterruptedException
    {
        final Subscription first = gannet.addSubscription(CHANNEL, 1);
        final Subscription second = gannet.addSubscription(CHANNEL, 2);
        final MessageWaiter waiter = MessageWaiter.of(first, second);
        final AtomicReference<Boolean> woken = new AtomicReference<>();
        final CountDownLatch polled = new CountDownLatch(1);
        final Thread sleeper = new Thread(() ->
        {
            woken.set(waiter.await(LONG, TimeUnit.SECONDS));
            polled.countDown();
        });
        sleeper.start();
        for (int i = 0; i < 5; i++)
        {
            final Publication silent = other.addExclusivePublication(CHANNEL, 1);
            awaitConnected(silent, first);
            silent.close();
            Await.until("its end", () -> first.imageCount() == 0);
        }
        assertThat(polled.getCount()).isEqualTo(1);
        final Publication publication = other.addExclusivePublication(CHANNEL, 2);
        awaitConnected(publication, second);
        publication.offer(buffer, 0, Long.BYTES);
        sleeper.join(TimeUnit.SECONDS.toMillis(LONG));
        assertThat(woken.get()).isTrue();
        assertThat(poll(second)).isEqualTo(1);
    }

    @Test
    void endsWithACloseOfAnyAndWithAnInterrupt() throws InterruptedException
    {
        final Subscription first = gannet.addSubscription(CHANNEL, 1);
        final Subscription second = other.addSubscription(CHANNEL, 2);
        final MessageWaiter waiter = MessageWaiter.of(first, second);
        Thread.currentThread().interrupt();
        assertThat(waiter.await(LONG, TimeUnit.SECONDS)).isFalse();
        assertThat(Thread.interrupted()).isTrue();

        final Thread closer = new Thread(second::close);
        closer.start();
        assertThat(waiter.await(LONG, TimeUnit.SECONDS)).isFalse();
        closer.join();
        assertThat(second.isClosed()).isTrue();
        assertThat(waiter.await(LONG, TimeUnit.SECONDS)).isFalse();
        assertThat(poll(first)).isZero();
    }

    @Test
    void isRefusedWhileAnotherThreadPollsAndInAHandlerAndLeavesNobodyOut() throws InterruptedException
    {
        final Subscription first = gannet.addSubscription(CHANNEL, 1);
        final Subscription second = gannet.addSubscription(CHANNEL, 2);
        final MessageWaiter waiter = MessageWaiter.of(first, second);
        final Publication publication = gannet.addExclusivePublication(CHANNEL, 2);
        awaitConnected(publication, second);
        publication.offer(buffer, 0, Long.BYTES);
        final CountDownLatch inside = new CountDownLatch(1);
        final CountDownLatch leave = new CountDownLatch(1);
        final Thread poller = new Thread(() -> second.poll((from, offset, length, header) ->
        {
            inside.countDown();
            Await.until("the end of the poll", () -> leave.getCount() == 0);
        }, 1), "poller");
        poller.start();
        inside.await();
        assertThatExceptionOfType(ConcurrentPollException.class)
            .isThrownBy(() -> waiter.await(LONG, TimeUnit.SECONDS)).withMessageContaining("poller");
        leave.countDown();
        poller.join();

        publication.offer(buffer, 0, Long.BYTES);
        second.poll((from, offset, length, header) -> assertThatIllegalStateException()
            .isThrownBy(() -> waiter.await(LONG, TimeUnit.SECONDS)).withMessageContaining("within a handler"), 1);
        publication.offer(buffer, 0, Long.BYTES);
        assertThat(waiter.await(LONG, TimeUnit.SECONDS)).isTrue();
        assertThat(poll(first)).isZero();
        assertThat(poll(second)).isEqualTo(1);
    }

    /** A second thread is refused and does no harm to the one that sleeps. */
    @Test
    void isForOneThreadAtATime() throws InterruptedException
    {
        final Subscription first = gannet.addSubscription(CHANNEL, 1);
        final Subscription second = gannet.addSubscription(CHANNEL, 2);
        final MessageWaiter waiter = MessageWaiter.of(first, second);
        final Publication publication = other.addExclusivePublication(CHANNEL, 2);
        awaitConnected(publication, second);
        final AtomicReference<Object> woken = new AtomicReference<>();
        final Thread sleeper = new Thread(() ->
        {
            while (woken.get() == null)
            {
                try
                {
                    woken.set(waiter.await(LONG, TimeUnit.SECONDS));
                }
                catch (final ConcurrentPollException refused)
                {
                    // The other thread asked first.
                    Thread.onSpinWait();
                }
                catch (final RuntimeException problem)
                {
                    woken.set(problem);
                }
            }
        });
        sleeper.start();
        Await.until("the sleep", () -> isRefused(waiter));
        for (int i = 0; i < 100; i++)
        {
            assertThat(isRefused(waiter)).isTrue();
        }
        publication.offer(buffer, 0, Long.BYTES);
        sleeper.join(TimeUnit.SECONDS.toMillis(LONG));
        assertThat(woken.get()).isEqualTo(true);
        assertThat(poll(second)).isEqualTo(1);
    }

    private static boolean isRefused(final MessageWaiter waiter)
    {
        try
        {
            waiter.await(0, TimeUnit.MILLISECONDS);
            return false;
        }
        catch (final ConcurrentPollException refused)
        {
            return true;
        }
    }

    /** More bells than the kernel takes at once: it looks each millisecond. */
    @Test
    void waitsForMoreImagesThanTheKernelTakesBells() throws InterruptedException
    {
        final Subscription[] subscriptions = new Subscription[130];
        for (int i = 0; i < subscriptions.length; i++)
        {
            subscriptions[i] = gannet.addSubscription(CHANNEL, i);
        }
        final MessageWaiter waiter = MessageWaiter.of(subscriptions);
        final Publication publication = other.addExclusivePublication(CHANNEL, 129);
        awaitConnected(publication, subscriptions[129]);
        final Thread sender = new Thread(() -> publication.offer(buffer, 0, Long.BYTES));
        sender.start();
        assertThat(waiter.await(LONG, TimeUnit.SECONDS)).isTrue();
        sender.join();
        assertThat(poll(subscriptions[129])).isEqualTo(1);
    }

    @Test
    void refusesNoneTwiceAndForeignSubscriptions()
    {
        final Subscription own = gannet.addSubscription(CHANNEL, 1);
        final Subscription foreign = (Subscription) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[]{Subscription.class}, (proxy, method, arguments) -> method.getName());
        assertThatIllegalArgumentException().isThrownBy(MessageWaiter::of).withMessageContaining("there is none");
        assertThatIllegalArgumentException().isThrownBy(() -> MessageWaiter.of(own, own))
            .withMessageContaining("twice");
        assertThatIllegalArgumentException().isThrownBy(() -> MessageWaiter.of(own, foreign))
            .withMessageContaining("subscription 1 of 2");
        assertThat(MessageWaiter.of(own)).hasToString("waiter for [" + own + "]");
    }
}

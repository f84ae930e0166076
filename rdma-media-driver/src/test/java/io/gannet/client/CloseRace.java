package io.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.BufferClaim;
import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.harness.Await;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One publication and one subscription, threads that offer, claim, poll and sleep, and closes of everything from
 * others, in any order, with interrupts.
 */
public final class CloseRace
{
    private static final int STREAM = 1;
    private static final int LONGEST_PAUSE = 3_000;

    private final List<Throwable> problems = new CopyOnWriteArrayList<>();
    private final Supplier<Gannet> publishers;
    private final Supplier<Gannet> subscribers;
    private final String channel;

    /**
     * @param publishers  connects a client that publishes.
     * @param subscribers connects a client that subscribes; null for the same one.
     * @param channel     of both.
     */
    public CloseRace(
        final Supplier<Gannet> publishers, final Supplier<Gannet> subscribers, final String channel)
    {
        this.publishers = publishers;
        this.subscribers = subscribers;
        this.channel = channel;
    }

    /** What threads have thrown. */
    public List<Throwable> problems()
    {
        return problems;
    }

    private Thread start(final String name, final Runnable body)
    {
        final Thread thread = new Thread(body, name);
        thread.setUncaughtExceptionHandler((t, ex) -> problems.add(ex));
        thread.start();
        return thread;
    }

    /** One race, in which everything is closed. */
    public void round(final Random random) throws InterruptedException
    {
        final Gannet publisher = publishers.get();
        final Gannet subscriber = subscribers == null ? publisher : subscribers.get();
        final boolean exclusive = random.nextBoolean();
        final Subscription subscription = subscriber.addSubscription(channel, STREAM);
        final Publication publication = exclusive ?
            publisher.addExclusivePublication(channel, STREAM) : publisher.addPublication(channel, STREAM);
        Await.until("a connection", () -> publication.isConnected() && subscription.isConnected());
        final List<Thread> threads = new ArrayList<>();
        for (int i = exclusive ? 1 : 2; i > 0; i--)
        {
            threads.add(start("offering", () -> offerUntilClosed(publication)));
        }
        threads.add(start("polling", () -> pollUntilClosed(subscription)));
        final List<AutoCloseable> closing = new ArrayList<>(List.of(publication, subscription, publisher));
        if (subscribers != null)
        {
            closing.add(subscriber);
        }
        Collections.shuffle(closing, random);
        final int pause = random.nextInt(LONGEST_PAUSE);
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
            if (result == Publication.BACK_PRESSURED || result == Publication.NOT_CONNECTED)
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
}

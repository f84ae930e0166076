package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.ExclusivePublication;
import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.RegistrationException;
import io.gannet.Subscription;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A driver in this process, with clients of the public interface.
 */
class EmbeddedDriverTest
{
    private static final String CHANNEL = "gannet:ipc?ring=64k";
    private static final String CARRIES_RDMA = "carries gannet:rdma channels";

    private final Path directory = TestDirectory.create("embedded");
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[1024]);
    private MediaDriver driver;

    private void launch(final ThreadingMode threading)
    {
        launch(threading, DeviceKind.NONE);
    }

    private void launch(final ThreadingMode threading, final DeviceKind device)
    {
        driver = MediaDriver.launch(DriverConfiguration.defaults()
            .with(DriverOptions.DIRECTORY, directory)
            .with(DriverOptions.DEVICE, device)
            .with(DriverOptions.THREADING, threading), log::add);
    }

    private Gannet connect()
    {
        return Gannet.connect(new Gannet.Context().directory(directory).driverTimeout(60, TimeUnit.SECONDS));
    }

    @AfterEach
    void close()
    {
        driver.close();
        TestDirectory.remove(directory);
        assertThat(log).noneMatch(line -> line.startsWith("error:"));
    }

    @ParameterizedTest
    @EnumSource(value = ThreadingMode.class, names = {"DEDICATED", "SHARED"})
    void aMessageArrives(final ThreadingMode threading)
    {
        launch(threading);
        try (Gannet client = connect();
            Subscription subscription = client.addSubscription("gannet:ipc", 10);
            Publication publication = client.addPublication(CHANNEL, 10))
        {
            Await.until("a connection", publication::isConnected);
            message.putLong(0, 42);
            assertThat(publication.offer(message, 0, 8)).isPositive();
            final long[] received = new long[1];
            Await.until("the message", () -> subscription.poll(
                (buffer, offset, length, header) -> received[0] = buffer.getLong(offset), 10) > 0);
            assertThat(received[0]).isEqualTo(42);
        }
    }

    @Test
    void aDriverInInvokerModeIsStepped()
    {
        launch(ThreadingMode.INVOKER);
        final boolean[] end = new boolean[1];
        final Thread stepper = Thread.ofPlatform().start(() ->
        {
            while (!end[0])
            {
                driver.doWork();
                java.util.concurrent.locks.LockSupport.parkNanos(100_000);
            }
        });
        try (Gannet client = connect(); Publication publication = client.addPublication(CHANNEL, 10))
        {
            assertThat(publication.offer(message, 0, 8)).isEqualTo(Publication.NOT_CONNECTED);
        }
        finally
        {
            end[0] = true;
            join(stepper);
        }
        driver.close();
        assertThat(driver.doWork()).isZero();
    }

    private static void join(final Thread thread)
    {
        try
        {
            thread.join(TimeUnit.SECONDS.toMillis(60));
        }
        catch (final InterruptedException e)
        {
            throw new AssertionError(e);
        }
    }

    @Test
    void theLargestMessageArrivesAndALargerOneIsRefusedWithTheLimit()
    {
        launch(ThreadingMode.SHARED);
        try (Gannet client = connect();
            Subscription subscription = client.addSubscription("gannet:ipc", 10);
            ExclusivePublication publication = client.addExclusivePublication(CHANNEL, 10))
        {
            Await.until("a connection", publication::isConnected);
            final int largest = publication.maxMessageLength();
            final UnsafeBuffer large = new UnsafeBuffer(new byte[largest + 1]);
            large.setMemory(0, largest + 1, (byte) 7);
            assertThatThrownBy(() -> publication.offer(large, 0, largest + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Integer.toString(largest)).hasMessageContaining(Integer.toString(largest + 1));
            assertThat(publication.position()).isZero();
            assertThat(publication.offer(large, 0, largest)).isPositive();
            final int[] received = new int[1];
            Await.until("the message", () -> subscription.poll(
                (buffer, offset, length, header) -> received[0] = length, 10) > 0);
            assertThat(received[0]).isEqualTo(largest);
        }
    }

    @Test
    void aSlowSubscriberIsCutOffUnderDropAndToldItsGap()
    {
        launch(ThreadingMode.DEDICATED);
        final List<long[]> gaps = Collections.synchronizedList(new ArrayList<>());
        try (Gannet client = connect();
            Subscription slow = client.addSubscription("gannet:ipc", 10, image -> { }, image -> { },
                (subscription, sessionId, from, to) -> gaps.add(new long[] {from, to}));
            Subscription fast = client.addSubscription("gannet:ipc", 10);
            Publication publication = client.addPublication(CHANNEL + "|slow=drop", 10))
        {
            Await.until("connections", () -> slow.isConnected() && fast.isConnected());
            final long[] received = new long[2];
            Await.until("the gap", () ->
            {
                message.putLong(0, publication.position());
                publication.offer(message, 0, 1000);
                fast.poll((buffer, offset, length, header) -> received[0]++, 100);
                return !gaps.isEmpty();
            });
            Await.until("the slow one to be back", () -> slow.isConnected() && !slow.images().isEmpty() &&
                slow.images().getFirst().position() >= gaps.getFirst()[1]);
            assertThat(gaps.getFirst()[0]).isZero();
            assertThat(gaps.getFirst()[1]).isPositive();
            final long[] first = {-1};
            Await.until("a message after the gap", () ->
            {
                message.putLong(0, publication.position());
                publication.offer(message, 0, 1000);
                fast.poll((buffer, offset, length, header) -> received[0]++, 100);
                return slow.poll((buffer, offset, length, header) -> first[0] = buffer.getLong(offset), 1) > 0;
            });
            assertThat(first[0]).isGreaterThanOrEqualTo(gaps.getFirst()[1]);
        }
    }

    @Test
    void aDriverWithoutADeviceRefusesRdmaAndNamesTheOption()
    {
        launch(ThreadingMode.SHARED, DeviceKind.NONE);
        try (Gannet client = connect())
        {
            assertThatThrownBy(() -> client.addPublication("gannet:rdma?endpoint=127.0.0.1:4100", 10))
                .isInstanceOf(RegistrationException.class).hasMessageContaining("device");
            try (Publication local = client.addPublication(CHANNEL, 10))
            {
                assertThat(local.isClosed()).isFalse();
            }
        }
    }

    @Test
    void aDriverOpensItsDeviceForTheFirstChannelThatNeedsIt()
    {
        launch(ThreadingMode.SHARED, DeviceKind.AUTO);
        try (Gannet client = connect(); Publication local = client.addPublication(CHANNEL, 10))
        {
            assertThat(local.isClosed()).isFalse();
            assertThat(log).noneMatch(line -> line.contains(CARRIES_RDMA));
            try (Publication remote = client.addPublication("gannet:rdma?endpoint=127.0.0.1:4100|ring=64k", 10))
            {
                assertThat(remote.offer(message, 0, 8)).isEqualTo(Publication.NOT_CONNECTED);
                assertThat(log).anyMatch(line -> line.contains(CARRIES_RDMA));
            }
        }
    }

    @Test
    void streamsGoOnAcrossARestartOfTheDriver()
    {
        launch(ThreadingMode.DEDICATED);
        try (Gannet client = connect();
            Subscription subscription = client.addSubscription("gannet:ipc", 10);
            Publication publication = client.addPublication(CHANNEL, 10))
        {
            Await.until("a connection", publication::isConnected);
            final long[] next = new long[1];
            long sent = sendAndReceive(publication, subscription, 0, next);
            driver.close();
            sent = sendAndReceive(publication, subscription, sent, next);
            launch(ThreadingMode.SHARED);
            sent = sendAndReceive(publication, subscription, sent, next);
            try (Publication other = client.addPublication(CHANNEL, 11))
            {
                assertThat(other.isConnected()).isFalse();
            }
            assertThat(publication.isClosed()).isFalse();
            assertThat(sendAndReceive(publication, subscription, sent, next)).isEqualTo(4_000);
        }
    }

    /** Sends and receives a thousand messages and checks their order; returns how many were sent in all. */
    private long sendAndReceive(
        final Publication publication, final Subscription subscription, final long sent, final long[] next)
    {
        for (long i = sent; i < sent + 1_000; i++)
        {
            message.putLong(0, i);
            Await.until("room", () ->
            {
                if (publication.offer(message, 0, 100) > 0)
                {
                    return true;
                }
                poll(subscription, next);
                return false;
            });
        }
        Await.until("the last message", () ->
        {
            poll(subscription, next);
            return next[0] == sent + 1_000;
        });
        return sent + 1_000;
    }

    private static void poll(final Subscription subscription, final long[] next)
    {
        subscription.poll((buffer, offset, length, header) ->
        {
            assertThat(buffer.getLong(offset)).isEqualTo(next[0]);
            next[0]++;
        }, 100);
    }
}

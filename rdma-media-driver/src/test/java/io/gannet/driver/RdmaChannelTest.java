package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.ExclusivePublication;
import io.gannet.Gannet;
import io.gannet.Image;
import io.gannet.Publication;
import io.gannet.RegistrationException;
import io.gannet.Subscription;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.rdma.RdmaDevice;
import io.gannet.ring.FrameHeader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two drivers with a directory and a loopback address each, clients of the public interface, and real packets between.
 */
class RdmaChannelTest
{
    private static final int STREAM = 10;
    private static final int MESSAGES = 20_000;
    private static final int LONGEST = 3_000;

    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LONGEST]);
    private final List<Host> hosts = new ArrayList<>();

    @AfterEach
    void close()
    {
        hosts.forEach(Host::close);
    }

    private Host host(final ThreadingMode threading)
    {
        final Host host = new Host("wire" + hosts.size(), threading, log);
        hosts.add(host);
        return host;
    }

    private static String channel(final Host to, final int port)
    {
        return "gannet:rdma?endpoint=" + to.address() + ":" + port;
    }

    @ParameterizedTest
    @EnumSource(value = ThreadingMode.class, names = {"DEDICATED", "SHARED"})
    void messagesOfAnExclusivePublicationArriveWholeAndInOrder(final ThreadingMode threading)
    {
        final Host from = host(threading);
        final Host to = host(threading);
        final String channel = channel(to, 4100);
        try (Gannet publisher = from.connect(); Gannet subscriber = to.connect();
            Subscription subscription = subscriber.addSubscription(channel, STREAM))
        {
            final ExclusivePublication publication =
                publisher.addExclusivePublication(channel + "|ring=256k", STREAM);
            final Checker checker = new Checker(subscription, 0);
            Await.until("a connection", publication::isConnected);
            for (int i = 0; i < MESSAGES; i++)
            {
                offer(publication, i, checker);
            }
            final long end = publication.position();
            checker.awaitNext(MESSAGES);
            final Image image = subscription.images().getFirst();
            assertThat(image.isRemote()).isTrue();
            assertThat(image.position()).isEqualTo(end);
            assertThat(image.sessionId()).isEqualTo(publication.sessionId());
            publication.close();
            Await.until("the end of the stream", () -> image.isEndOfStream());
            Await.until("the image to be gone", () -> subscription.images().isEmpty());
        }
        from.awaitNoRings();
        to.awaitNoRings();
    }

    @Test
    void ringIsOfFourMebibytesUnlessTheChannelSaysOtherwise()
    {
        final Host from = host(ThreadingMode.SHARED);
        final Host to = host(ThreadingMode.SHARED);
        try (Gannet publisher = from.connect();
            ExclusivePublication remote = publisher.addExclusivePublication(channel(to, 4100), STREAM);
            ExclusivePublication larger =
                publisher.addExclusivePublication(channel(to, 4101) + "|ring=8m", STREAM))
        {
            assertThat(remote.maxMessageLength()).isEqualTo((4 << 20) / 8 - FrameHeader.HEADER_LENGTH);
            assertThat(larger.maxMessageLength()).isEqualTo((8 << 20) / 8 - FrameHeader.HEADER_LENGTH);
        }
    }

    @Test
    void sharedPublicationsReachALateJoinerAndALocalSubscriber()
    {
        final Host from = host(ThreadingMode.DEDICATED);
        final Host to = host(ThreadingMode.SHARED);
        final String channel = channel(to, 4100);
        try (Gannet publisher = from.connect(); Gannet subscriber = to.connect();
            Publication publication = publisher.addPublication(channel + "|ring=256k", STREAM);
            Subscription local = publisher.addSubscription(channel, STREAM))
        {
            Await.until("the local subscriber", publication::isConnected);
            final Checker here = new Checker(local, 0);
            for (int i = 0; i < 1_000; i++)
            {
                offer(publication, i, here);
            }
            here.awaitNext(1_000);
            assertThat(local.images().getFirst().isRemote()).isFalse();
            try (Subscription late = subscriber.addSubscription(channel, STREAM))
            {
                Await.until("the late joiner", late::isConnected);
                final Checker there = new Checker(late, 1_000);
                for (int i = 1_000; i < 6_000; i++)
                {
                    offer(publication, i, here, there);
                }
                there.awaitNext(6_000);
                here.awaitNext(6_000);
                try (Subscription later = subscriber.addSubscription(channel, STREAM))
                {
                    Await.until("the later joiner", later::isConnected);
                    final Checker second = new Checker(later, 6_000);
                    for (int i = 6_000; i < 7_000; i++)
                    {
                        offer(publication, i, here, there, second);
                    }
                    second.awaitNext(7_000);
                    there.awaitNext(7_000);
                }
            }
            to.awaitNoRings();
            for (int i = 7_000; i < 12_000; i++)
            {
                offer(publication, i, here);
            }
            here.awaitNext(12_000);
        }
        from.awaitNoRings();
    }

    @Test
    void aPublicationIsNotConnectedUntilAndUnlessSomebodySubscribes()
    {
        final Host from = host(ThreadingMode.DEDICATED);
        final Host to = host(ThreadingMode.DEDICATED);
        final String channel = channel(to, 4100);
        try (Gannet publisher = from.connect(); Gannet subscriber = to.connect();
            Publication publication = publisher.addPublication(channel + "|ring=64k", STREAM))
        {
            assertThat(publication.offer(message, 0, 8)).isEqualTo(Publication.NOT_CONNECTED);
            try (Subscription other = subscriber.addSubscription(channel, STREAM + 1);
                Subscription subscription = subscriber.addSubscription(channel, STREAM))
            {
                Await.until("a connection", publication::isConnected);
                assertThat(other.images()).isEmpty();
                final Checker checker = new Checker(subscription, 0);
                offer(publication, 0, checker);
                checker.awaitNext(1);
            }
            Await.until("no connection", () -> !publication.isConnected());
            assertThat(publication.offer(message, 0, 8)).isEqualTo(Publication.NOT_CONNECTED);
            try (Subscription again = subscriber.addSubscription(channel, STREAM))
            {
                Await.until("a connection anew", publication::isConnected);
                final Checker checker = new Checker(again, 1);
                offer(publication, 1, checker);
                checker.awaitNext(2);
            }
        }
    }

    @Test
    void aSubscriberThatDoesNotPollHoldsThePublisherBack()
    {
        final Host from = host(ThreadingMode.DEDICATED);
        final Host to = host(ThreadingMode.DEDICATED);
        final String channel = channel(to, 4100);
        try (Gannet publisher = from.connect(); Gannet subscriber = to.connect();
            Subscription subscription = subscriber.addSubscription(channel, STREAM);
            Publication publication = publisher.addPublication(channel + "|ring=64k", STREAM))
        {
            Await.until("a connection", publication::isConnected);
            int sent = 0;
            while (tryOffer(publication, sent) > 0)
            {
                sent++;
            }
            final int held = sent;
            assertThat(held).isPositive();
            assertThat(tryOffer(publication, held)).isEqualTo(Publication.BACK_PRESSURED);
            final Checker checker = new Checker(subscription, 0);
            checker.awaitNext(held);
            offer(publication, held, checker);
            checker.awaitNext(held + 1);
        }
    }

    @Test
    void aDriverThatClosesEndsTheImagesOfItsPublications()
    {
        final Host from = host(ThreadingMode.DEDICATED);
        final Host to = host(ThreadingMode.DEDICATED);
        final String channel = channel(to, 4100);
        try (Gannet subscriber = to.connect();
            Subscription subscription = subscriber.addSubscription(channel + "|image-timeout=500ms", STREAM))
        {
            try (Gannet publisher = from.connect();
                Publication publication = publisher.addPublication(channel + "|ring=64k", STREAM))
            {
                Await.until("a connection", publication::isConnected);
                final Checker checker = new Checker(subscription, 0);
                offer(publication, 0, checker);
                checker.awaitNext(1);
                from.closeDriver();
                assertThat(publication.isClosed()).isFalse();
            }
            Await.until("the end of the image", () -> subscription.images().isEmpty());
        }
        to.awaitNoRings();
    }

    @Test
    void publisherAndSubscriberOfOneDriverShareTheRing()
    {
        final Host host = host(ThreadingMode.SHARED);
        final String channel = channel(host, 4100);
        try (Gannet client = host.connect();
            Subscription subscription = client.addSubscription(channel, STREAM);
            Publication publication = client.addPublication(channel + "|ring=64k", STREAM))
        {
            Await.until("a connection", publication::isConnected);
            final Checker checker = new Checker(subscription, 0);
            for (int i = 0; i < 100; i++)
            {
                offer(publication, i, checker);
            }
            checker.awaitNext(100);
            assertThat(subscription.images()).hasSize(1);
            assertThat(subscription.images().getFirst().isRemote()).isFalse();
        }
    }

    @Test
    @Tag(TestNic.SOFTWARE)
    void whatTheDeviceCannotDoIsRefusedWithTheRemedy()
    {
        final Host host = host(ThreadingMode.SHARED);
        try (Gannet client = host.connect())
        {
            assertThatThrownBy(() -> client.addPublication("gannet:rdma?control=192.0.2.1:4100", STREAM))
                .isInstanceOf(RegistrationException.class).hasMessageContaining(host.address());
            assertThatThrownBy(() -> client.addPublication(channel(host, 4100) + "|port=2", STREAM))
                .isInstanceOf(RegistrationException.class).hasMessageContaining("port 1");
            assertThatThrownBy(() -> client.addPublication(channel(host, 4100) + "|gid-index=3", STREAM))
                .isInstanceOf(RegistrationException.class).hasMessageContaining("index 0");
            assertThatThrownBy(() -> client.addSubscription(channel(host, 4100) + "|pkey=0x8001", STREAM))
                .isInstanceOf(RegistrationException.class).hasMessageContaining("0xffff");
            assertThatThrownBy(() -> client.addSubscription(channel(host, 4100) + "|device=mlx5_0", STREAM))
                .isInstanceOf(RegistrationException.class).hasMessageContaining("roce:" + host.address());
            assertThatThrownBy(() -> client.addPublication("gannet:rdma?endpoint=no.such.host.invalid:4100", STREAM))
                .isInstanceOf(RegistrationException.class).hasMessageContaining("no.such.host.invalid");
        }
    }

    private void offer(final Publication publication, final int number, final Checker... checkers)
    {
        Await.until("room for message " + number, () ->
        {
            if (tryOffer(publication, number) > 0)
            {
                return true;
            }
            for (final Checker checker : checkers)
            {
                checker.poll();
            }
            return false;
        });
    }

    private long tryOffer(final Publication publication, final int number)
    {
        final int length = fill(message, number);
        return publication.offer(message, 0, length);
    }

    /** A message whose length and bytes follow from its number; returns the length. */
    private static int fill(final UnsafeBuffer buffer, final int number)
    {
        final int length = number % 50 == 49 ? LONGEST - number % 700 : 4 + number % 300;
        for (int at = 4; at < length; at++)
        {
            buffer.putByte(at, (byte) (number * 31 + at));
        }
        buffer.putInt(0, number);
        return length;
    }

    /** Polls a subscription, and checks that messages come whole, in order and without a gap. */
    private static final class Checker
    {
        private final UnsafeBuffer expected = new UnsafeBuffer(new byte[LONGEST]);
        private final UnsafeBuffer seen = new UnsafeBuffer(0, 0);
        private final Subscription subscription;
        private int next;

        Checker(final Subscription subscription, final int next)
        {
            this.subscription = subscription;
            this.next = next;
        }

        void poll()
        {
            subscription.poll((buffer, offset, length, header) -> check(buffer, offset, length), 256);
        }

        private void check(final DirectBuffer buffer, final int offset, final int length)
        {
            final int expectedLength = fill(expected, next);
            seen.wrap(buffer, offset, length);
            if (length != expectedLength || seen.compareTo(new UnsafeBuffer(expected, 0, length)) != 0)
            {
                throw new AssertionError("instead of message " + next + " came " + length + " bytes of message " +
                    seen.getInt(0));
            }
            next++;
        }

        void awaitNext(final int number)
        {
            Await.until("message " + (number - 1), () ->
            {
                poll();
                return next >= number;
            });
            assertThat(next).isEqualTo(number);
        }
    }

    /** A driver with a device, and its directory. */
    private static final class Host
    {
        private final Path directory;
        private final MediaDriver driver;
        private final RdmaDevice device;

        Host(final String name, final ThreadingMode threading, final List<String> log)
        {
            directory = TestDirectory.create(name);
            driver = MediaDriver.launch(DriverConfiguration.defaults()
                .with(DriverOptions.DIRECTORY, directory)
                .with(DriverOptions.THREADING, threading)
                .with(DriverOptions.DEVICE_ADDRESS, TestNic.nextAddress())
                .with(DriverOptions.DEVICE, TestNic.kind()), line -> log.add(name + ": " + line));
            device = driver.engine().device();
        }

        String address()
        {
            return device.port(1).address().getHostAddress();
        }

        Gannet connect()
        {
            return Gannet.connect(new Gannet.Context().directory(directory).driverTimeout(60, TimeUnit.SECONDS));
        }

        void awaitNoRings()
        {
            Await.until("rings to go", () ->
            {
                final String[] files = directory.resolve("rings").toFile().list();
                return files != null && files.length == 0;
            });
        }

        /** All that was made of the device is given back. */
        void closeDriver()
        {
            driver.close();
            assertThat(device.resources().open()).as("open resources: %s", device.resources()).isZero();
        }

        void close()
        {
            closeDriver();
            TestDirectory.remove(directory);
        }
    }
}

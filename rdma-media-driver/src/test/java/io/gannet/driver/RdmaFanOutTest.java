package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.NumberedMessages.Checker;
import io.gannet.harness.Await;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Publications at whose control address subscribers' drivers come, and names that change their meaning.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class RdmaFanOutTest
{
    private static final int STREAM = 10;

    private final NumberedMessages messages = new NumberedMessages();
    private int held = 4_000;

    @Test
    void oneRingGoesToSeveralHostsAndToSubscribersOfItsOwn()
    {
        try (RdmaHost from = new RdmaHost("fan-from"); RdmaHost one = new RdmaHost("fan-one");
            RdmaHost two = new RdmaHost("fan-two"); Gannet publisher = from.connect(); Gannet first = one.connect();
            Gannet second = two.connect();
            Publication publication = publisher.addPublication(from.control(4200) + "|ring=256k", STREAM))
        {
            assertThat(messages.tryOffer(publication, 0)).isEqualTo(Publication.NOT_CONNECTED);
            try (Subscription early = first.addSubscription(from.control(4200), STREAM);
                Subscription local = publisher.addSubscription(from.control(4200), STREAM))
            {
                Await.until("a remote image", early::isConnected);
                Await.until("a local image", local::isConnected);
                assertThat(early.images().getFirst().isRemote()).isTrue();
                assertThat(local.images().getFirst().isRemote()).isFalse();
                final Checker here = new Checker(local, 0);
                final Checker there = new Checker(early, 0);
                messages.pass(publication, 0, 1_000, here, there);
                try (Subscription late = second.addSubscription(from.control(4200), STREAM))
                {
                    Await.until("a late image", late::isConnected);
                    messages.pass(publication, 1_000, 3_000, here, there, new Checker(late, 1_000));
                }
                two.awaitNoRings();
                messages.pass(publication, 3_000, 4_000, here, there);
                aSubscriberThatHoldsThePublicationBackIsNamed(publication, from, one, here);
                there.awaitNext(held);
                here.awaitNext(held);
            }
            Await.until("no connection", () -> !publication.isConnected());
            assertThat(messages.tryOffer(publication, 4_000)).isEqualTo(Publication.NOT_CONNECTED);
            assertThat(from.log()).noneMatch(line -> line.startsWith("error"));
        }
    }

    private void aSubscriberThatHoldsThePublicationBackIsNamed(
        final Publication publication, final RdmaHost from, final RdmaHost slow, final Checker here)
    {
        Await.until("back pressure", () ->
        {
            here.poll();
            final long result = messages.tryOffer(publication, held);
            held += result > 0 ? 1 : 0;
            return result == Publication.BACK_PRESSURED && here.next() == held;
        });
        Await.until("the host that holds it back to be known", () ->
            publication.slowestSubscriber().name().contains(slow.address()));
        final DirectoryCounters counters = new DirectoryCounters(from.directory());
        Await.until("counters of the host", () ->
            counters.value("to " + slow.address() + ":", "messages") >= 3_000 &&
            counters.value("to " + slow.address() + ":", "position") >= publication.position());
        assertThat(counters.value("to " + slow.address() + ":", "consumed position"))
            .isBetween(1L, publication.position() - 1);
        assertThat(counters.value("to " + slow.address() + ":", "inline work requests")).isPositive();
    }

    @Test
    void aSubscriberBeyondTheRingsPlacesIsRefusedAndNobodyElseSuffers()
    {
        final List<String> told = new CopyOnWriteArrayList<>();
        try (RdmaHost from = new RdmaHost("full-from"); RdmaHost to = new RdmaHost("full-to");
            Gannet publisher = from.connect();
            Gannet subscriber = Gannet.connect(new Gannet.Context().directory(to.directory())
                .driverTimeout(60, TimeUnit.SECONDS).errorHandler(failure -> told.add(failure.getMessage())));
            Publication publication = publisher.addPublication(from.control(4201) + "|ring=64k", STREAM))
        {
            final List<Subscription> local = new ArrayList<>();
            for (int i = 0; i < 63; i++)
            {
                local.add(publisher.addSubscription(from.control(4201), STREAM));
            }
            Await.until("all local images", () -> local.stream().allMatch(Subscription::isConnected));
            try (Subscription remote = subscriber.addSubscription(from.control(4201), STREAM))
            {
                Await.until("the refusal", () ->
                    told.stream().anyMatch(text -> text.contains("as many subscribers as its ring can have")));
                final Checker[] checkers =
                    local.stream().map(subscription -> new Checker(subscription, 0)).toArray(Checker[]::new);
                messages.pass(publication, 0, 300, checkers);
                assertThat(remote.isConnected()).isFalse();
                local.removeLast().close();
                local.removeLast().close();
                Await.until("the remote subscriber's turn", remote::isConnected);
            }
        }
    }

    @Test
    void aNameIsLookedUpAgainBeforeEachConnection()
    {
        final AtomicReference<String> answer = new AtomicReference<>();
        final HostNames names = host -> name(host, answer.get());
        try (RdmaHost one = new RdmaHost("name-one"); RdmaHost two = new RdmaHost("name-two");
            RdmaHost from = new RdmaHost("name-from", UnaryOperator.identity(), names);
            Gannet publisher = from.connect(); Gannet second = two.connect())
        {
            answer.set(one.address());
            try (Publication publication = publisher.addPublication(
                "gannet:rdma?endpoint=subscribers.example:4202|ring=64k|image-timeout=500ms", STREAM))
            {
                try (Gannet first = one.connect();
                    Subscription subscription = first.addSubscription(one.channel(4202), STREAM))
                {
                    Await.until("a connection", publication::isConnected);
                    messages.pass(publication, 0, 100, new Checker(subscription, 0));
                    answer.set(two.address());
                }
                try (Subscription subscription = second.addSubscription(two.channel(4202), STREAM))
                {
                    Await.until("a connection to the name's new address", subscription::isConnected);
                    messages.pass(publication, 100, 200, new Checker(subscription, 100));
                }
            }
        }
    }

    @Test
    void aSubscribersDriverThatReturnsAtAnotherAddressGoesOnWithItsImage()
    {
        final AtomicReference<String> answer = new AtomicReference<>("127.0.0.1");
        final HostNames names = host -> name(host, answer.get());
        try (RdmaHost from = new RdmaHost("move-from", UnaryOperator.identity(), names);
            RdmaHost to = new RdmaHost("move-to", UnaryOperator.identity(), names);
            Gannet publisher = from.connect(); Gannet subscriber = to.connect())
        {
            answer.set(to.address());
            moveWhileMessagesGo(to, answer, publisher, subscriber, "gannet:rdma?endpoint=subscribers.example:4203");
        }
    }

    @Test
    void aPublishersDriverThatReturnsAtAnotherAddressGoesOnWithItsImages()
    {
        final AtomicReference<String> answer = new AtomicReference<>("127.0.0.1");
        final HostNames names = host -> name(host, answer.get());
        try (RdmaHost from = new RdmaHost("move-from", UnaryOperator.identity(), names);
            RdmaHost to = new RdmaHost("move-to", UnaryOperator.identity(), names);
            Gannet publisher = from.connect(); Gannet subscriber = to.connect())
        {
            answer.set(from.address());
            final String channel = "gannet:rdma?control=subscribers.example:4204";
            moveWhileMessagesGo(from, answer, publisher, subscriber, channel);
        }
    }

    private void moveWhileMessagesGo(
        final RdmaHost moves,
        final AtomicReference<String> answer,
        final Gannet publisher,
        final Gannet subscriber,
        final String channel)
    {
        try (Subscription subscription = subscriber.addSubscription(channel + "|image-timeout=60s", STREAM);
            Publication publication = publisher.addPublication(channel + "|ring=256k|image-timeout=60s", STREAM))
        {
            Await.until("a connection", publication::isConnected);
            final Checker checker = new Checker(subscription, 0);
            messages.pass(publication, 0, 100, checker);
            moves.closeDriver();
            for (int i = 100; i < 150; i++)
            {
                messages.offer(publication, i, List.of());
            }
            final String next = TestNic.spareAddress();
            answer.set(next);
            moves.startAt(next);
            checker.awaitNext(150);
            messages.pass(publication, 150, 1_000, checker);
            assertThat(subscription.images()).hasSize(1);
            try (Subscription second = subscriber.addSubscription(channel, STREAM))
            {
                Await.until("another subscriber", second::isConnected);
                messages.pass(publication, 1_000, 1_100, checker, new Checker(second, 1_000));
                assertThat(second.images()).hasSize(1);
                assertThat(subscription.images()).hasSize(1);
            }
        }
    }

    @Test
    void aHostThatReturnsIsToldThatThePublicationHasEnded()
    {
        try (RdmaHost from = new RdmaHost("gone-from"); RdmaHost to = new RdmaHost("gone-to");
            Gannet publisher = from.connect(); Gannet subscriber = to.connect();
            Subscription subscription = subscriber.addSubscription(
                from.control(4205) + "|image-timeout=10m", STREAM))
        {
            try (Publication publication = publisher.addPublication(
                from.control(4205) + "|ring=64k|image-timeout=200ms", STREAM))
            {
                Await.until("a connection", () -> publication.isConnected() && subscription.isConnected());
                messages.pass(publication, 0, 100, new Checker(subscription, 0));
                to.closeDriver();
            }
            from.awaitNoRings();
            to.start();
            // Not when its own 10 minutes are over.
            Await.until("the image's end", () -> subscription.imageCount() == 0);
            // The port can be used again by either side.
            try (Publication next = publisher.addPublication(from.control(4205) + "|ring=64k", STREAM))
            {
                Await.until("the next publication", () -> next.isConnected() && subscription.isConnected());
                messages.pass(next, 0, 100, new Checker(subscription, 0));
            }
            from.awaitNoRings();
            try (Subscription own = publisher.addSubscription(from.channel(4205), STREAM);
                Publication other = subscriber.addPublication(from.channel(4205) + "|ring=64k", STREAM))
            {
                Await.until("a publication that comes to that port", other::isConnected);
                messages.pass(other, 0, 100, new Checker(own, 0));
            }
        }
    }

    private static InetAddress name(final String host, final String answer) throws UnknownHostException
    {
        if (!"subscribers.example".equals(host))
        {
            throw new UnknownHostException(host);
        }
        return InetAddress.ofLiteral(answer);
    }
}

package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.NumberedMessages.Checker;
import io.gannet.driver.stream.FailureKind;
import io.gannet.harness.Await;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What drivers print and clients are told when streams between hosts fail: one line for people each, without the names
 * of constants, dumps of records, addresses as Java prints them, or placeholders.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class RdmaMessagesTest
{
    private static final int STREAM = 10;
    /** Symbols of errno.h and short names of the field are what people look for. */
    private static final Pattern CONSTANT = Pattern.compile("\\b(?!E[A-Z0-9]+\\b)[A-Z][A-Z]+(_[A-Z]+)+\\b");
    private static final Pattern RECORD = Pattern.compile("[A-Za-z]+\\[[^\\]]*=");
    private static final Pattern JAVA = Pattern.compile(
        "<unresolved>|(^|[^\\w:/])/\\d|\\?:0|\\bnull\\b|[a-z]\\.[A-Z]\\w*(Exception|Error)|@[0-9a-f]{5,}|[\\n\\r]");

    private final NumberedMessages messages = new NumberedMessages();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final List<RdmaHost> hosts = new ArrayList<>();

    @AfterEach
    void everythingThatWasSaidIsForPeople()
    {
        final List<String> said = new ArrayList<>(told);
        hosts.forEach(host -> said.addAll(host.log()));
        assertThat(said).isNotEmpty().allSatisfy(RdmaMessagesTest::assertForPeople);
    }

    private static void assertForPeople(final String line)
    {
        assertThat(line).doesNotContainPattern(CONSTANT).doesNotContainPattern(RECORD).doesNotContainPattern(JAVA);
        for (final FailureKind kind : FailureKind.values())
        {
            assertThat(line).doesNotContain(kind.name());
        }
    }

    private RdmaHost host(final String name)
    {
        final RdmaHost host = new RdmaHost(name);
        hosts.add(host);
        return host;
    }

    private Gannet connect(final RdmaHost host)
    {
        return Gannet.connect(new Gannet.Context().directory(host.directory()).driverTimeout(60, TimeUnit.SECONDS)
            .errorHandler(failure -> told.add(String.valueOf(failure.getMessage()))));
    }

    private void awaitLine(final RdmaHost host, final String... parts)
    {
        Await.until("a line with " + Arrays.toString(parts) + " in " + host.log(), () -> host.log().stream()
            .anyMatch(line -> Arrays.stream(parts).allMatch(line::contains)));
    }

    private void awaitTold(final String... parts)
    {
        Await.until("a client to be told of " + Arrays.toString(parts), () -> told.stream()
            .anyMatch(line -> Arrays.stream(parts).allMatch(line::contains)));
    }

    @Test
    void aHostThatIsAwayForTooLong()
    {
        try (RdmaHost from = host("say-from"); RdmaHost to = host("say-to");
            Gannet publisher = connect(from); Gannet subscriber = connect(to))
        {
            final String channel = to.channel(4630) + "|image-timeout=300ms|connect-timeout=200ms";
            try (Subscription subscription = subscriber.addSubscription(channel, STREAM);
                Publication publication = publisher.addPublication(channel + "|ring=64k", STREAM))
            {
                Await.until("a connection", publication::isConnected);
                messages.pass(publication, 0, 100, new Checker(subscription, 0));
                to.closeDriver();
                awaitLine(from, "stream 10", "no longer goes to " + to.address(), "consumed it up to");
                awaitTold("no longer goes to " + to.address());
                awaitLine(from, "does not go to " + to.address() + ":4630 yet: ");
                to.start();
                Await.until("the image anew", () -> publication.isConnected() && subscription.isConnected());
                from.closeDriver();
                awaitLine(to, "ends at ", from.address(), "has not come back");
                from.start();
            }
        }
    }

    @Test
    void aPublisherThatIsNotThere()
    {
        try (RdmaHost from = host("say-from"); RdmaHost to = host("say-to"); Gannet subscriber = connect(to))
        {
            try (Subscription nobody = subscriber.addSubscription(from.control(4631), STREAM);
                Subscription noHost = subscriber.addSubscription(
                    "gannet:rdma?control=127.254.253.252:4631|connect-timeout=100ms", STREAM))
            {
                awaitLine(to, "cannot ask 127.254.253.252:4631 for publications: ");
                assertThat(nobody.isConnected()).isFalse();
                assertThat(noHost.isConnected()).isFalse();
            }
        }
    }

    /** Well before an attempt to connect is given up, which is an hour here. */
    @Test
    void aHostThatDoesNotAnswerIsToldWithARemedyBeforeTheAttemptIsOver()
    {
        try (RdmaHost from = host("say-from"); Gannet client = connect(from);
            Publication publication = client.addPublication(
                "gannet:rdma?endpoint=127.254.253.251:4637|connect-timeout=1h|ring=64k", STREAM);
            Subscription subscription = client.addSubscription(
                "gannet:rdma?control=127.254.253.251:4637|connect-timeout=1h", STREAM))
        {
            awaitLine(from, "does not go to 127.254.253.251:4637 yet: there is no answer", "is a driver running there");
            awaitLine(from, "cannot ask 127.254.253.251:4637 for publications: no answer", "allow=");
            assertThat(publication.isConnected()).isFalse();
            assertThat(subscription.isConnected()).isFalse();
        }
    }

    @Test
    void aSubscriberThatIsTooSlow()
    {
        try (RdmaHost from = host("say-from"); RdmaHost to = host("say-to");
            Gannet publisher = connect(from); Gannet subscriber = connect(to))
        {
            try (Subscription subscription = subscriber.addSubscription(to.channel(4632), STREAM);
                Subscription local = publisher.addSubscription(to.channel(4632), STREAM);
                Publication publication =
                    publisher.addPublication(to.channel(4632) + "|ring=64k|slow=drop", STREAM))
            {
                Await.until("a connection", () -> subscription.isConnected() && local.isConnected());
                final Checker here = new Checker(local, 0);
                final int[] number = {0};
                Await.until("the host to be cut off", () ->
                {
                    here.poll();
                    number[0] += here.next() == number[0] && messages.tryOffer(publication, number[0]) > 0 ? 1 : 0;
                    return told.stream().anyMatch(text -> text.contains("too slow for slow=drop"));
                });
                awaitLine(from, "no longer goes to " + to.address(), "too slow for slow=drop");
            }
        }
    }

    @Test
    void aSubscriberThatLeavesIsNoError()
    {
        try (RdmaHost from = host("say-from"); RdmaHost to = host("say-to");
            Gannet publisher = connect(from); Gannet subscriber = connect(to);
            Publication publication = publisher.addPublication(to.channel(4636) + "|ring=64k", STREAM))
        {
            for (int i = 0; i < 8; i++)
            {
                try (Subscription subscription = subscriber.addSubscription(to.channel(4636), STREAM))
                {
                    Await.until("a connection", () -> publication.isConnected() && subscription.isConnected());
                }
                Await.until("no connection", () -> !publication.isConnected());
            }
            assertThat(told).isEmpty();
            assertThat(from.log()).noneMatch(line -> line.contains("no longer goes to"));
        }
    }

    @Test
    void anImageForWhichThereIsNoRoom()
    {
        final RdmaHost small = new RdmaHost("say-to", options -> options.with(DriverOptions.MAX_RINGS, 1));
        hosts.add(small);
        try (RdmaHost from = host("say-from"); small; Gannet publisher = connect(from);
            Gannet subscriber = connect(small);
            Subscription subscription = subscriber.addSubscription(small.channel(4633), STREAM))
        {
            final Publication only = subscriber.addPublication("gannet:ipc?ring=64k", 1);
            try (Publication publication = publisher.addPublication(small.channel(4633) + "|ring=64k", STREAM))
            {
                awaitLine(small, "no image of stream 10, session " + publication.sessionId(), "max-rings");
                assertThat(publication.isConnected()).isFalse();
                only.close();
                Await.until("the image, now that there is room", subscription::isConnected);
            }
        }
    }

    @Test
    void aRingThatHoldsWhatCannotBeAFrame()
    {
        try (RdmaHost from = host("say-from"); RdmaHost to = host("say-to");
            Gannet publisher = connect(from); Gannet subscriber = connect(to))
        {
            final String channel = to.channel(4634);
            try (Subscription subscription = subscriber.addSubscription(channel + "|image-timeout=500ms", STREAM);
                Publication publication = publisher.addExclusivePublication(channel + "|ring=64k", STREAM))
            {
                Await.until("a connection", publication::isConnected);
                messages.pass(publication, 0, 10, new Checker(subscription, 0));
                final StreamRing ring = from.driver().streams().rings().getFirst();
                ring.ring().memory().putInt(ring.ring().addressOf(publication.position()), 0x7654321);
                awaitLine(from, "no longer goes to " + to.address() + ":4634", "the ring holds what cannot be a frame");
                awaitTold("no longer goes to " + to.address() + ":4634", "the ring holds what cannot be a frame");
                awaitTold("ended: the stream can't go on", "is damaged");
            }
        }
    }

    @Test
    void channelsThatCannotBeServed()
    {
        try (RdmaHost host = host("say-host"); Gannet client = connect(host))
        {
            for (final String channel : List.of("gannet:rdma?control=192.0.2.1:4100", host.channel(4635) + "|port=2",
                host.channel(4635) + "|gid-index=3", host.channel(4635) + "|pkey=0x8001",
                host.channel(4635) + "|device=mlx5_0", "gannet:rdma?endpoint=no.such.host.invalid:4100",
                "gannet:rdma?endpoint=0.0.0.0:4100", "gannet:rdma?endpoint=a", "gannet:rdma?control=b:1|endpoint=c:1",
                host.channel(4635) + "|ring=3m", host.channel(4635) + "|slow=perhaps"))
            {
                assertThatThrownBy(() -> client.addPublication(channel, STREAM))
                    .satisfies(refused -> assertForPeople(refused.getMessage()));
            }
            client.addPublication(host.channel(4635) + "|ring=64k", STREAM).close();
            assertThatThrownBy(() ->
            {
                try (Publication first = client.addPublication(host.channel(4635) + "|ring=64k", STREAM))
                {
                    assertThat(first.isClosed()).isFalse();
                    client.addPublication(host.channel(4635) + "|ring=128k", STREAM);
                }
            }).satisfies(refused -> assertForPeople(refused.getMessage()));
        }
    }
}

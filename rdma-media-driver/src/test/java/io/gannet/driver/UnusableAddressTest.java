package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.RegistrationException;
import io.gannet.Subscription;
import io.gannet.harness.Await;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Addresses at which no driver can be are refused when they are named, and when a name comes to mean one; and what a
 * name means is asked anew at each connection, and not for messages.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class UnusableAddressTest
{
    private static final int STREAM = 10;

    private final List<String> told = new CopyOnWriteArrayList<>();

    private Gannet connect(final RdmaHost host)
    {
        return Gannet.connect(new Gannet.Context().directory(host.directory()).driverTimeout(60, TimeUnit.SECONDS)
            .errorHandler(failure -> told.add(failure.getMessage())));
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0:4100, all addresses of a host, give the one",
        "[::]:4100, all addresses of a host, give the one",
        "239.1.2.3:4100, multicast, control=",
        "[ff02::1]:4100, multicast, control=",
        "255.255.255.255:4100, broadcast, one host",
        "127.255.255.255:4100, broadcast, one host",
        "[::1]:4100, IPv4, device-address",
        "127.0.0.1:0, 1 to 65535, port",
        "wildcard.example:4100, all addresses of a host, wildcard.example"})
    void isRefusedWithTheRemedyForPublicationsAndSubscriptions(
        final String address, final String why, final String remedy)
    {
        final HostNames names = host -> name(host, "0.0.0.0");
        try (RdmaHost host = new RdmaHost("address", UnaryOperator.identity(), names); Gannet client = connect(host))
        {
            for (final String key : List.of("endpoint", "control"))
            {
                final String channel = "gannet:rdma?" + key + "=" + address;
                assertThatThrownBy(() -> client.addSubscription(channel, STREAM))
                    .isInstanceOfAny(RegistrationException.class, IllegalArgumentException.class)
                    .hasMessageContainingAll(address.substring(0, address.lastIndexOf(':')), why, remedy);
                assertThatThrownBy(() -> client.addPublication(channel + "|ring=64k", STREAM))
                    .isInstanceOfAny(RegistrationException.class, IllegalArgumentException.class)
                    .hasMessageContainingAll(address.substring(0, address.lastIndexOf(':')), why);
            }
            host.awaitNoRings();
            assertThat(told).isEmpty();
        }
    }

    @Test
    void anEndpointOfAnotherHostIsToldToTheSubscriberUnlessThePublicationIsHere()
    {
        try (RdmaHost host = new RdmaHost("elsewhere"); Gannet client = connect(host);
            Publication publication = client.addPublication("gannet:rdma?endpoint=192.0.2.7:4100|ring=64k", STREAM))
        {
            try (Subscription local = client.addSubscription("gannet:rdma?endpoint=192.0.2.7:4100", STREAM))
            {
                Await.until("the local subscriber", () -> publication.isConnected() && local.isConnected());
                assertThat(told).isEmpty();
            }
            try (Subscription lost = client.addSubscription("gannet:rdma?endpoint=192.0.2.8:4100", STREAM))
            {
                Await.until("the client to be told", () -> !told.isEmpty());
                assertThat(told).singleElement().asString().contains("192.0.2.8:4100", "does not have that address",
                    "roce:" + host.address(), "device-address");
                assertThat(host.log()).anyMatch(line -> line.contains("192.0.2.8:4100"));
                assertThat(lost.isClosed()).isFalse();
            }
        }
    }

    @Test
    void aNameIsAskedForEachConnectionAndNotForMessages()
    {
        final AtomicReference<String> answer = new AtomicReference<>("127.0.0.1");
        final AtomicInteger asked = new AtomicInteger();
        final HostNames names = host ->
        {
            asked.incrementAndGet();
            assertThat(Thread.currentThread().getName()).isEqualTo("gannet-names");
            return name(host, answer.get());
        };
        final NumberedMessages messages = new NumberedMessages();
        try (RdmaHost from = new RdmaHost("names-from", UnaryOperator.identity(), names);
            RdmaHost to = new RdmaHost("names-to"); Gannet publisher = connect(from); Gannet subscriber = connect(to);
            Subscription subscription = subscriber.addSubscription(to.channel(4620), STREAM))
        {
            answer.set(to.address());
            try (Publication publication =
                publisher.addPublication("gannet:rdma?endpoint=subscribers.example:4620|ring=256k", STREAM))
            {
                final NumberedMessages.Checker checker = new NumberedMessages.Checker(subscription, 0);
                Await.until("a connection", publication::isConnected);
                final int before = asked.get();
                messages.pass(publication, 0, 20_000, checker);
                assertThat(asked.get()).as("look-ups while messages went").isEqualTo(before);
                answer.set("0.0.0.0");
                to.closeDriver();
                Await.until("the driver to say what the name means now", () -> from.log().stream().anyMatch(line ->
                    line.contains("subscribers.example") && line.contains("all addresses of a host")));
                answer.set(null);
                Await.until("the driver to say that the name is unknown", () -> from.log().stream().anyMatch(line ->
                    line.contains("host subscribers.example is not known")));
                answer.set(to.address());
                to.start();
                messages.pass(publication, 20_000, 21_000, checker);
                assertThat(asked.get()).isGreaterThan(before);
            }
        }
    }

    private static InetAddress name(final String host, final String answer) throws UnknownHostException
    {
        if (answer == null || !host.endsWith(".example"))
        {
            throw new UnknownHostException(host);
        }
        return InetAddress.ofLiteral(answer);
    }
}

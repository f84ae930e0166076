package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.ExclusivePublication;
import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.cli.Tools;
import io.gannet.driver.NumberedMessages.Checker;
import io.gannet.harness.Await;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@code gannet streams} and {@code gannet stat} say of streams between hosts: everything that is counted, with
 * true values, and who makes whom wait.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class RdmaStreamsToolTest
{
    private static final int STREAM = 10;
    private static final int SOME = 1_000;
    private static final List<String> COUNTED = List.of("consumed", "position", "bytes", "messages", "requests",
        "posts", "inline", "signaled", "outstanding", "credits", "rnr", "reconnects", "ignored", "polls", "emptyPolls",
        "lag", "waitsMillis");
    private static final List<String> LABELS = List.of("consumed position", "position", "bytes", "messages",
        "work requests", "posts", "inline work requests", "signaled work requests", "outstanding work requests",
        "credits", "receiver not ready", "reconnects", "ignored feedback", "completion queue polls",
        "empty completion queue polls", "lag, bytes", "held back since, ns");

    private final NumberedMessages messages = new NumberedMessages();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyCounterIsShownAndTrue(final boolean fanOut)
    {
        try (RdmaHost from = new RdmaHost("tool-from"); RdmaHost to = new RdmaHost("tool-to");
            Gannet publisher = from.connect(); Gannet subscriber = to.connect())
        {
            final String channel = fanOut ? from.control(4600) : to.channel(4600);
            try (Publication publication = publisher.addExclusivePublication(channel + "|ring=64k", STREAM);
                Subscription remote = subscriber.addSubscription(channel, STREAM);
                Subscription local = publisher.addSubscription(channel, STREAM))
            {
                Await.until("both images", () -> remote.isConnected() && local.isConnected());
                final Checker there = new Checker(remote, 0);
                final Checker here = new Checker(local, 0);
                messages.pass(publication, 0, SOME, here, there);
                final long position = publication.position();
                // The driver takes its samples one after the other.
                Await.until("the last position to be sent, consumed and counted", () ->
                    json(from, "consumed") == position && json(from, "position") == position &&
                    json(from, "bytes") == position && json(from, "messages") == SOME && json(from, "lag") == 0);
                assertSenderCounts(from, to, position);
                assertReceiverCounts(from, to, position);
                theRemoteSubscriberHolds(publication, from, to, here, there);
            }
        }
    }

    private static void assertSenderCounts(final RdmaHost from, final RdmaHost to, final long position)
    {
        COUNTED.forEach(name -> assertThat(json(from, name)).as(name).isNotNegative());
        // What is looked at first is smaller: signs of life go on between two looks.
        final long posts = json(from, "posts");
        assertThat(json(from, "requests")).isGreaterThanOrEqualTo(posts).isPositive();
        assertThat(json(from, "signaled")).isBetween(1L, json(from, "requests"));
        assertThat(json(from, "credits")).isPositive();
        assertThat(json(from, "rnr")).isZero();
        final long emptyPolls = json(from, "emptyPolls");
        assertThat(json(from, "polls")).isGreaterThanOrEqualTo(emptyPolls).isPositive();
        assertThat(Tools.streamsJson(from.directory())).contains("\"direction\":\"to\"", to.address(),
            "\"waitsFor\":\"nothing\"").doesNotContain("\"holds\":true");
        assertThat(Tools.streams(from.directory())).contains("to " + to.address(), "1,000 messages",
            "position " + String.format("%,d", position), " 0 bytes behind", "% inline", "% signaled", "outstanding",
            "credits", "receiver not ready", "reconnects", "completion queue polls");
        final String stat = Tools.stat(from.directory());
        LABELS.forEach(label -> assertThat(stat).contains(": " + label + ": "));
        assertThat(stat).contains("publishers held back since, ns: ");
    }

    private static void assertReceiverCounts(final RdmaHost from, final RdmaHost to, final long position)
    {
        Await.until("what was received to be shown", () -> json(to, "bytes") == position);
        COUNTED.forEach(name -> assertThat(json(to, name)).as(name).isNotNegative());
        assertThat(Tools.streamsJson(to.directory())).contains("\"direction\":\"from\"", from.address());
        assertThat(Tools.streams(to.directory())).contains("from " + from.address(), "received");
    }

    private void theRemoteSubscriberHolds(
        final Publication publication, final RdmaHost from, final RdmaHost to, final Checker here, final Checker there)
    {
        final int[] number = {SOME};
        Await.until("the tool to name who holds the publisher back", () ->
        {
            here.poll();
            if (messages.tryOffer(publication, number[0]) > 0)
            {
                number[0]++;
                return false;
            }
            return Tools.streams(from.directory()).lines().anyMatch(line ->
                line.contains("to " + to.address()) && line.contains("makes publishers wait for"));
        });
        final String json = Tools.streamsJson(from.directory());
        assertThat(json).containsPattern("\"direction\":\"to\",\"holds\":true")
            .doesNotContain("\"lag\":0,\"holds\":true");
        assertThat(json(from, "lag")).isPositive();
        assertThat(Tools.streams(from.directory()).lines().filter(line -> line.contains("makes publishers wait")))
            .hasSize(1);
        there.awaitNext(number[0]);
        here.awaitNext(number[0]);
        Await.until("nobody to hold it back any more", () ->
            !Tools.streams(from.directory()).contains("makes publishers wait") &&
            Tools.streamsJson(from.directory()).contains("\"heldMillis\":0") && json(from, "lag") == 0);
    }

    @Test
    void aConnectionThatIsMissingIsSaidOnBothSides()
    {
        try (RdmaHost from = new RdmaHost("tool-from"); RdmaHost to = new RdmaHost("tool-to");
            RdmaHost other = new RdmaHost("tool-other"); Gannet publisher = from.connect();
            Gannet subscriber = to.connect(); Gannet second = other.connect();
            Publication publication = publisher.addPublication(from.control(4601) + "|ring=64k", STREAM);
            Subscription subscription = subscriber.addSubscription(from.control(4601), STREAM);
            Subscription another = second.addSubscription(from.control(4601), STREAM))
        {
            Await.until("both images", () -> subscription.isConnected() && another.isConnected());
            messages.pass(publication, 0, SOME, new Checker(subscription, 0), new Checker(another, 0));
            to.closeDriver();
            Await.until("the publisher's side to say so", () -> Tools.streams(from.directory()).lines().anyMatch(
                line -> line.contains("to " + to.address()) && line.contains("waited for its connection for ")));
            from.closeDriver();
            Await.until("the subscriber's side to say so", () -> Tools.streams(other.directory()).lines().anyMatch(
                line -> line.contains("from " + from.address()) && line.contains("no connection for ")));
            from.start();
            Await.until("a host that is missing to have no placeholder", () ->
                Tools.streams(from.directory()).lines().anyMatch(line ->
                    line.contains("    to ") && !line.contains(" at 0, ")));
            assertThat(Tools.streams(from.directory())).doesNotContain("?:", "unresolved", "null");
            to.start();
            Await.until("both to be back", () -> Tools.streams(from.directory()).lines()
                .filter(line -> line.matches(" *to 127.*") && !line.contains("waited")).count() == 2);
        }
    }

    @Test
    void theBacklogOfAnExclusivePublicationIsExact()
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[48]);
        try (RdmaHost host = new RdmaHost("tool-exact"); Gannet client = host.connect();
            ExclusivePublication publication = client.addExclusivePublication("gannet:ipc?ring=64k", STREAM);
            Subscription subscription = client.addSubscription("gannet:ipc", STREAM))
        {
            Await.until("a connection", publication::isConnected);
            for (int i = 0; i < 3; i++)
            {
                assertThat(publication.offer(message, 0, 48)).isPositive();
                final long position = publication.position();
                Await.until("the backlog to be shown", () -> Tools.streams(host.directory())
                    .contains("at 0, " + position + " bytes behind"));
            }
            Await.until("no backlog", () ->
            {
                subscription.poll((buffer, offset, length, header) -> { }, 10);
                return Tools.streams(host.directory()).contains(", 0 bytes behind");
            });
        }
    }

    /** Value of a name of the remote end of the only stream. */
    private static long json(final RdmaHost host, final String name)
    {
        final String json = Tools.streamsJson(host.directory());
        final Matcher value = Pattern.compile("\"" + name + "\":(\\d+)")
            .matcher(json.substring(Math.max(0, json.indexOf("\"remote\":["))));
        return value.find() ? Long.parseLong(value.group(1)) : -1;
    }
}

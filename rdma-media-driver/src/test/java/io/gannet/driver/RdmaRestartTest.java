package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.NumberedMessages.Checker;
import io.gannet.harness.Await;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Drivers that are restarted go on with the streams to and from other hosts where they were.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class RdmaRestartTest
{
    private static final int STREAM = 10;

    private final NumberedMessages messages = new NumberedMessages();

    @ParameterizedTest
    @CsvSource({"false, true, false", "false, false, true", "true, true, false", "true, false, true",
        "true, true, true"})
    void aRestartLosesNothing(final boolean fanOut, final boolean publishers, final boolean subscribers)
    {
        try (RdmaHost from = new RdmaHost("again-from"); RdmaHost to = new RdmaHost("again-to");
            Gannet publisher = from.connect(); Gannet subscriber = to.connect())
        {
            final String channel = fanOut ? from.control(4300) : to.channel(4300);
            try (Subscription subscription = subscriber.addSubscription(channel, STREAM);
                Publication publication = publisher.addPublication(channel + "|ring=1m", STREAM))
            {
                Await.until("a connection", publication::isConnected);
                final Checker checker = new Checker(subscription, 0);
                messages.pass(publication, 0, 1_000, checker);
                // What nobody has polled yet survives too.
                for (int i = 1_000; i < 1_100; i++)
                {
                    messages.offer(publication, i, List.of());
                }
                if (publishers)
                {
                    from.closeDriver();
                }
                if (subscribers)
                {
                    to.closeDriver();
                }
                for (int i = 1_100; i < 1_200; i++)
                {
                    messages.offer(publication, i, List.of());
                }
                if (publishers)
                {
                    from.start();
                }
                if (subscribers)
                {
                    to.start();
                }
                try
                {
                    checker.awaitNext(1_200);
                }
                catch (final AssertionError lost)
                {
                    throw new AssertionError(lost.getMessage() + "\n" + from.log() + "\n" + to.log(), lost);
                }
                messages.pass(publication, 1_200, 3_000, checker);
                assertThat(subscription.images()).hasSize(1);
                Await.until("both to say that it goes on", () ->
                    from.log().stream().anyMatch(line -> line.contains(" again, from ") && line.contains("goes to")) &&
                    to.log().stream().anyMatch(line -> line.contains(" again, from ") && line.contains("comes from")));
            }
            from.awaitNoRings();
            to.awaitNoRings();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theGapIsToldEvenIfADriverComesBetweenTheImageThatBrokeOffAndTheNext(final boolean fanOut)
    {
        final List<String> gaps = new CopyOnWriteArrayList<>();
        try (RdmaHost from = new RdmaHost("gap-from"); RdmaHost to = new RdmaHost("gap-to");
            Gannet publisher = from.connect(); Gannet subscriber = to.connect())
        {
            final String channel = (fanOut ? from.control(4303) : to.channel(4303)) + "|image-timeout=500ms";
            try (Subscription subscription = subscriber.addSubscription(channel, STREAM, image -> { }, image -> { },
                (subscriptionOf, sessionId, gapFrom, gapTo) -> gaps.add(gapFrom + " to " + gapTo));
                Publication publication = publisher.addPublication(channel + "|ring=256k", STREAM))
            {
                Await.until("a connection", publication::isConnected);
                messages.pass(publication, 0, 100, new Checker(subscription, 0));
                final long brokenOff = publication.position();
                from.closeDriver();
                for (int i = 100; i < 150; i++)
                {
                    messages.offer(publication, i, List.of());
                }
                final long live = publication.position();
                Await.until("the image to break off", () -> subscription.images().isEmpty());
                to.closeDriver();
                to.start();
                assertThat(gaps).isEmpty();
                from.start();
                Await.until("the image anew", subscription::isConnected);
                messages.pass(publication, 150, 250, new Checker(subscription, 150));
                assertThat(gaps).containsExactly(brokenOff + " to " + live);
            }
            from.awaitNoRings();
            to.awaitNoRings();
        }
    }

    @Test
    void beyondTheImageTimeoutBothSidesAreToldHowFarItCame()
    {
        final List<String> told = new CopyOnWriteArrayList<>();
        final List<Long> ended = new CopyOnWriteArrayList<>();
        final RdmaHost from = new RdmaHost("lost-from");
        try (RdmaHost to = new RdmaHost("lost-to");
            Gannet publisher = Gannet.connect(new Gannet.Context().directory(from.directory())
                .driverTimeout(60, TimeUnit.SECONDS).errorHandler(failure -> told.add(failure.getMessage())));
            Gannet subscriber = to.connect())
        {
            final String channel = to.channel(4301);
            try (Subscription subscription = subscriber.addSubscription(channel + "|image-timeout=500ms", STREAM,
                image -> { }, image -> ended.add(Long.valueOf(image.position())),
                (subscriptionOf, sessionId, gapFrom, gapTo) -> { });
                Publication publication =
                    publisher.addPublication(channel + "|ring=64k|image-timeout=500ms", STREAM))
            {
                Await.until("a connection", publication::isConnected);
                final Checker checker = new Checker(subscription, 0);
                messages.pass(publication, 0, 100, checker);
                final long position = publication.position();
                Await.until("the consumed position to be known", () ->
                    publication.availableWindow() == publication.positionLimit() - position &&
                    publication.positionLimit() > position);
                to.closeDriver();
                Await.until("the publisher to be told", () ->
                    told.stream().anyMatch(text -> text.contains("no longer goes to")));
                Await.until("no connection", () -> !publication.isConnected());
                to.start();
                Await.until("the image anew", () -> publication.isConnected());
                from.closeDriver();
                Await.until("the subscriber to be told", () -> ended.contains(position));
            }
        }
        finally
        {
            from.close();
        }
    }

    @Test
    void anImageWhosePublicationEndedWhileItsDriverWasAwayIsNotSpokenOfAtEachAttempt()
    {
        try (RdmaHost from = new RdmaHost("over-from"); RdmaHost to = new RdmaHost("over-to");
            Gannet publisher = from.connect(); Gannet subscriber = to.connect())
        {
            final String channel = from.control(4309);
            try (Subscription subscription = subscriber.addSubscription(channel + "|image-timeout=2s", STREAM))
            {
                try (Publication publication =
                    publisher.addPublication(channel + "|ring=64k|image-timeout=500ms", STREAM))
                {
                    Await.until("a connection", () -> publication.isConnected() && subscription.isConnected());
                    messages.pass(publication, 0, 100, new Checker(subscription, 0));
                    to.closeDriver();
                    Await.until("the host to be given up", () -> !publication.isConnected());
                }
                from.awaitNoRings();
                to.start();
                Await.until("the image's end", () -> subscription.images().isEmpty());
                assertThat(to.log()).noneMatch(line -> line.contains("the queue pair was ended"));
            }
        }
    }

    @Test
    void hostsThatDoNotComeBackAreNamedByTheNextDriverOnceEach()
    {
        final List<String> told = new CopyOnWriteArrayList<>();
        try (RdmaHost from = new RdmaHost("named-from"); RdmaHost first = new RdmaHost("named-first");
            RdmaHost second = new RdmaHost("named-second");
            Gannet publisher = Gannet.connect(new Gannet.Context().directory(from.directory())
                .driverTimeout(60, TimeUnit.SECONDS).errorHandler(failure -> told.add(failure.getMessage())));
            Gannet firstClient = first.connect(); Gannet secondClient = second.connect())
        {
            final String channel = from.control(4308) + "|image-timeout=1s";
            try (Subscription firstSubscription = firstClient.addSubscription(channel, STREAM);
                Subscription secondSubscription = secondClient.addSubscription(channel, STREAM);
                Publication publication = publisher.addPublication(channel + "|ring=64k", STREAM))
            {
                Await.until("connections", () -> publication.isConnected() && firstSubscription.isConnected() &&
                    secondSubscription.isConnected());
                from.closeDriver();
                first.closeDriver();
                second.closeDriver();
                from.start();
                Await.until("the publisher to be told", () -> told.size() >= 2);
                Await.until("no gate", () -> !publication.isConnected());
                assertThat(told).hasSize(2).allMatch(text -> text.contains("no longer goes to "));
                for (final RdmaHost host : List.of(first, second))
                {
                    assertThat(told).filteredOn(text -> text.contains("no longer goes to " + host.address() + ":"))
                        .hasSize(1);
                }
                first.start();
                second.start();
            }
        }
    }

    /** The publishers' driver comes back when the image has ended: what was skipped is told at both ends. */
    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void aPublisherIsToldThatItsOwnDriverWasAwayForTooLong(final boolean fanOut, final boolean bothRestart)
    {
        final List<String> told = new CopyOnWriteArrayList<>();
        try (RdmaHost from = new RdmaHost("away-from"); RdmaHost to = new RdmaHost("away-to");
            Gannet publisher = Gannet.connect(new Gannet.Context().directory(from.directory())
                .driverTimeout(60, TimeUnit.SECONDS).errorHandler(failure -> told.add(failure.getMessage())));
            Gannet subscriber = to.connect())
        {
            final String channel = fanOut ? from.control(4304) : to.channel(4304);
            try (Subscription subscription =
                subscriber.addSubscription(channel + "|image-timeout=500ms", STREAM);
                Publication publication = publisher.addPublication(channel + "|ring=64k", STREAM))
            {
                Await.until("a connection", publication::isConnected);
                messages.pass(publication, 0, 100, new Checker(subscription, 0));
                final long position = publication.position();
                Await.until("the driver to have heard of what is consumed", () ->
                    publication.slowestSubscriber().position() > 0);
                from.closeDriver();
                for (int i = 100; i < 120; i++)
                {
                    messages.offer(publication, i, List.of());
                }
                Await.until("the image to break off", () -> subscription.images().isEmpty());
                if (bothRestart)
                {
                    to.closeDriver();
                    to.start();
                }
                from.start();
                Await.until("the image anew", subscription::isConnected);
                Await.until("the publisher to be told", () -> !told.isEmpty());
                messages.pass(publication, 120, 220, new Checker(subscription, 120));
                assertThat(told).singleElement().asString().contains("no longer goes to");
                final Matcher consumed = Pattern.compile("has consumed it up to ([0-9]+):").matcher(told.getFirst());
                assertThat(consumed.find()).as(told.getFirst()).isTrue();
                // The last bit of it may not have come before the driver went.
                assertThat(Long.parseLong(consumed.group(1))).isBetween(1L, position);
            }
        }
    }

    /** Nobody is there any more whom a message could have missed. */
    @Test
    void aPublisherIsNotToldOfSubscribersThatLeftWhileItsDriverWasAway()
    {
        final List<String> told = new CopyOnWriteArrayList<>();
        try (RdmaHost from = new RdmaHost("left-from"); RdmaHost to = new RdmaHost("left-to");
            Gannet publisher = Gannet.connect(new Gannet.Context().directory(from.directory())
                .driverTimeout(60, TimeUnit.SECONDS).errorHandler(failure -> told.add(failure.getMessage())));
            Gannet subscriber = to.connect())
        {
            final String channel = to.channel(4305);
            try (Publication publication = publisher.addPublication(channel + "|ring=64k", STREAM);
                Subscription stays = subscriber.addSubscription(channel, STREAM + 1))
            {
                final Subscription leaves = subscriber.addSubscription(channel, STREAM);
                Await.until("a connection", publication::isConnected);
                messages.pass(publication, 0, 100, new Checker(leaves, 0));
                from.closeDriver();
                leaves.close();
                to.awaitNoRings();
                from.start();
                Await.until("no connection", () -> !publication.isConnected());
                assertThat(told).isEmpty();
                assertThat(stays.isClosed()).isFalse();
            }
        }
    }

    /** First the subscribers' driver is away for too long, then the publishers', as their reader waits and waits. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aThreadThatOnlyWaitsReadsOnInTheNextImages(final boolean fanOut) throws InterruptedException
    {
        final AtomicInteger received = new AtomicInteger();
        try (RdmaHost from = new RdmaHost("waits-from"); RdmaHost to = new RdmaHost("waits-to");
            Gannet publisher = from.connect(); Gannet subscriber = to.connect())
        {
            final String channel = (fanOut ? from.control(4306) : to.channel(4306)) + "|image-timeout=300ms";
            final Subscription subscription = subscriber.addSubscription(channel, STREAM);
            try (Publication publication = publisher.addPublication(channel + "|ring=64k", STREAM))
            {
                final Thread reader = new Thread(() ->
                {
                    while (subscription.awaitMessage(1, TimeUnit.HOURS))
                    {
                        subscription.poll((buffer, offset, length, header) -> received.incrementAndGet(), 10);
                    }
                });
                reader.start();
                awaitFlow(publication, received);
                to.closeDriver();
                Await.until("the host to be given up", () -> !publication.isConnected());
                to.start();
                awaitFlow(publication, received);
                from.closeDriver();
                Await.until("the image to be given up", () ->
                    to.log().stream().anyMatch(line -> line.contains("has not come back")));
                from.start();
                awaitFlow(publication, received);
                subscription.close();
                reader.join();
            }
            from.awaitNoRings();
            to.awaitNoRings();
        }
    }

    private void awaitFlow(final Publication publication, final AtomicInteger received)
    {
        final int before = received.get();
        Await.until("messages to come through", () ->
        {
            messages.tryOffer(publication, 0);
            return received.get() > before;
        });
    }
}

package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Image;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.NumberedMessages.Checker;
import io.gannet.harness.Await;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Images of other hosts' publications that end, and what both sides see of it. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RdmaImageEndTest
{
    private static final int STREAM = 10;

    private final NumberedMessages messages = new NumberedMessages();

    /** @param alone whether no other subscriber is there when the driver comes back. */
    @ParameterizedTest
    @CsvSource({"false, true", "true, true", "false, false", "true, false"})
    void aReaderThatLeftWhileNoDriverWasThereHoldsNobodyBack(final boolean fanOut, final boolean alone)
    {
        try (RdmaHost from = new RdmaHost("left-from"); RdmaHost to = new RdmaHost("left-to");
            Gannet publisher = from.connect(); Gannet subscriber = to.connect())
        {
            final String channel = fanOut ? from.control(4310) : to.channel(4310);
            try (Publication publication = publisher.addPublication(channel + "|ring=64k", STREAM))
            {
                final Subscription leaves = subscriber.addSubscription(channel, STREAM);
                final Subscription stays = subscriber.addSubscription(channel, STREAM);
                final Checker checker = new Checker(stays, 0);
                Await.until("both to have an image", () -> leaves.isConnected() && stays.isConnected());
                messages.pass(publication, 0, 100, checker, new Checker(leaves, 0));
                if (alone)
                {
                    stays.close();
                }
                to.closeDriver();
                leaves.close();
                to.start();
                if (alone)
                {
                    Await.until("the publication to have no subscriber", () -> !publication.isConnected());
                    to.awaitNoRings();
                }
                else
                {
                    messages.pass(publication, 100, 2_000, checker);
                    stays.close();
                    Await.until("the publication to have no subscriber", () -> !publication.isConnected());
                }
                try (Subscription next = subscriber.addSubscription(channel, STREAM))
                {
                    messages.pass(publication, 2_000, 3_000, new Checker(next, 2_000));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void onlyAPublicationsEndIsTheEndOfTheStream(final boolean fanOut)
    {
        final AtomicReference<Image> gone = new AtomicReference<>();
        try (RdmaHost from = new RdmaHost("end-from"); RdmaHost to = new RdmaHost("end-to");
            Gannet publisher = from.connect(); Gannet subscriber = to.connect())
        {
            final String channel = (fanOut ? from.control(4311) : to.channel(4311)) + "|image-timeout=500ms";
            try (Subscription subscription =
                subscriber.addSubscription(channel, STREAM, image -> { }, gone::set))
            {
                final Publication publication = publisher.addPublication(channel + "|ring=64k", STREAM);
                final Checker checker = new Checker(subscription, 0);
                messages.pass(publication, 0, 100, checker);
                final long received = publication.position();
                from.closeDriver();
                messages.offer(publication, 100, List.of());
                awaitGone(checker, gone);
                assertThat(gone.get().isEndOfStream()).as("the publisher's host is lost").isFalse();
                assertThat(gone.get().endOfStreamPosition()).isEqualTo(received);

                gone.set(null);
                from.start();
                final Checker next = new Checker(subscription, 0).anyStart();
                Await.until("the next image", () ->
                {
                    next.poll();
                    return subscription.isConnected() && publication.isConnected();
                });
                publication.close();
                awaitGone(next, gone);
                assertThat(gone.get().isEndOfStream()).as("the publication is closed").isTrue();
            }
        }
    }

    private static void awaitGone(final Checker checker, final AtomicReference<Image> gone)
    {
        Await.until("the image to end", () ->
        {
            checker.poll();
            return gone.get() != null;
        });
    }
}

package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.harness.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A session's messages come in order, also to a subscriber that is cut off again and again and polls late. */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class RdmaDropOrderTest
{
    private static final int STREAM = 11;
    private static final int CUTS = 3;

    private final NumberedMessages messages = new NumberedMessages();

    @Test
    void whatCameBeforeACutIsReadBeforeWhatCameAfterIt()
    {
        try (RdmaHost from = new RdmaHost("order-from"); RdmaHost to = new RdmaHost("order-to");
            Gannet publisher = from.connect(); Gannet sleeper = to.connect())
        {
            final String channel = from.control(4410);
            final AtomicInteger gaps = new AtomicInteger();
            try (Publication publication = publisher.addPublication(channel + "|ring=256k|slow=drop", STREAM);
                Subscription slow = sleeper.addSubscription(channel, STREAM, image -> { }, image -> { },
                    (subscription, session, gapFrom, gapTo) -> gaps.incrementAndGet()))
            {
                Await.until("the image", () -> publication.isConnected() && slow.isConnected());
                final AtomicInteger number = new AtomicInteger();
                Await.until("the subscriber to be cut off " + CUTS + " times", () ->
                {
                    offer(publication, number);
                    return gaps.get() >= CUTS;
                });
                final List<Integer> seen = new ArrayList<>();
                Await.until("a message that was sent later", () ->
                {
                    offer(publication, number);
                    slow.poll((buffer, offset, length, header) -> seen.add(buffer.getInt(offset)), 64);
                    return !seen.isEmpty() && seen.getLast() >= number.get() - 10;
                });
                assertThat(seen).isSorted().doesNotHaveDuplicates();
                assertThat(seen.getFirst()).isZero();
            }
        }
    }

    private void offer(final Publication publication, final AtomicInteger number)
    {
        if (messages.tryOffer(publication, number.get()) > 0)
        {
            number.incrementAndGet();
        }
    }
}

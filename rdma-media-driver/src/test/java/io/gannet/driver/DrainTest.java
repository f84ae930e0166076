package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.harness.Await;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A driver that is asked to end waits for subscribers of other hosts, and not for ever.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DrainTest
{
    private static final int MESSAGES = 100;
    private static final long FOREVER = TimeUnit.MINUTES.toNanos(1);

    @Test
    void whatWasPublishedBeforeIsConsumedFirst()
    {
        try (RdmaHost from = new RdmaHost("drain-from"); RdmaHost to = new RdmaHost("drain-to");
            Gannet publisher = from.connect(); Gannet subscriber = to.connect();
            Subscription subscription = subscriber.addSubscription(to.channel(4100), 1);
            Publication publication = publisher.addPublication(to.channel(4100) + "|ring=64k", 1))
        {
            assertThat(from.driver().drain(FOREVER)).isZero();
            Await.until("a connection", publication::isConnected);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[48]);
            for (int i = 0; i < MESSAGES; i++)
            {
                Await.until("room", () -> publication.offer(message, 0, 48) > 0);
            }
            // Nobody polls.
            assertThat(from.driver().drain(TimeUnit.MILLISECONDS.toNanos(50))).isEqualTo(MESSAGES * 64L);

            final int[] polled = new int[1];
            final Thread reader = Thread.ofPlatform().start(() -> Await.until("all messages", () ->
                (polled[0] += subscription.poll((buffer, offset, length, header) -> { }, 1)) == MESSAGES));
            assertThat(from.driver().drain(FOREVER)).isZero();
            Await.until("the reader's end", () -> !reader.isAlive());
            assertThat(polled[0]).isEqualTo(MESSAGES);
        }
    }
}

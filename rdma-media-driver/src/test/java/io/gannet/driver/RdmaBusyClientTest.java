package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.harness.Await;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A subscriber whose client reads no events when an image starts gets that image from its first message on. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RdmaBusyClientTest
{
    private static final int STREAM = 10;
    private static final int MESSAGES = 20;

    private final NumberedMessages messages = new NumberedMessages();

    @Test
    void imagesStartWithSubscribersThatReadNoEvents()
    {
        try (RdmaHost from = new RdmaHost("busy-from"); RdmaHost to = new RdmaHost("busy-to");
            Gannet publisher = from.connect();
            RawClient subscriber = new RawClient(to.directory(), null).connect(to.directory()))
        {
            subscriber.commands.addSubscription(2, 1, STREAM, to.channel(4660));
            subscriber.await("onSubscriptionReady");
            subscriber.fillEvents();
            try (Publication publication = publisher.addPublication(to.channel(4660) + "|ring=64k", STREAM))
            {
                for (int i = 0; i < MESSAGES; i++)
                {
                    messages.offer(publication, i, List.of());
                }
                Await.until("the messages to be received", () -> new DirectoryCounters(to.directory())
                    .value("from ", "position") >= publication.position());
                final RawClient.Event image = subscriber.await("onImageAvailable");
                assertThat(image.asLong(6)).as("where it joins").isZero();
                assertThat(publication.isConnected()).isTrue();
            }
        }
    }
}

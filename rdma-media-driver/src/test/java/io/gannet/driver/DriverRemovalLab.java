package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.NumberedMessages.Checker;
import io.gannet.harness.Await;
import io.gannet.lab.LabDevice;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Test;

/**
 * Drivers whose device is removed end by themselves and let go of it, also where nobody has a stream yet; drivers that
 * are started once it is back go on with the streams.
 */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class DriverRemovalLab
{
    private static final int STREAM = 10;

    private final NumberedMessages messages = new NumberedMessages();

    @Test
    void streamsGoOnWithTheDriversThatAreStartedWhenTheDeviceIsBack() throws Exception
    {
        try (RdmaHost from = new RdmaHost("removed-from"); RdmaHost to = new RdmaHost("removed-to");
            RdmaHost idle = new RdmaHost("removed-idle");
            Gannet publisher = from.connect(); Gannet subscriber = to.connect();
            Subscription subscription = subscriber.addSubscription(to.channel(4300), STREAM);
            Publication publication = publisher.addPublication(to.channel(4300) + "|ring=1m", STREAM))
        {
            Await.until("a connection", publication::isConnected);
            final Checker checker = new Checker(subscription, 0);
            messages.pass(publication, 0, 500, checker);
            final Process removal = LabDevice.remove();
            final long start = System.nanoTime();
            for (final RdmaHost host : List.of(from, to, idle))
            {
                host.driver().awaitEnd();
                assertThat(host.driver().failure()).hasMessageContaining("verbs:rxe0 was removed");
                assertThat(host.log()).anyMatch(line -> line.contains("verbs:rxe0 was removed"));
            }
            final long ended = System.nanoTime();
            LabDevice.awaitEnd(removal);
            System.out.printf("drivers ended %d ms after the removal began, it %d ms later%n",
                TimeUnit.NANOSECONDS.toMillis(ended - start), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - ended));
            for (int i = 500; i < 600; i++)
            {
                messages.offer(publication, i, List.of());
            }
            LabDevice.add();
            for (final RdmaHost host : List.of(from, to, idle))
            {
                host.start();
            }
            checker.awaitNext(600);
            messages.pass(publication, 600, 1_000, checker);
            assertThat(subscription.images()).hasSize(1);
        }
    }
}

package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.NumberedMessages.Checker;
import io.gannet.harness.Await;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The image timeout that a subscription asked for holds in the driver after a restart, too: its own, neither the
 * default nor another's.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class RdmaAdoptedTimeoutTest
{
    private static final int SHORT = 10;
    private static final int LONG = 11;

    private final NumberedMessages messages = new NumberedMessages();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anImageThatWasTakenOverEndsAfterItsOwnTimeout(final boolean fanOut)
    {
        try (RdmaHost from = new RdmaHost("timeout-from"); RdmaHost to = new RdmaHost("timeout-to");
            Gannet publisher = from.connect(); Gannet subscriber = to.connect())
        {
            final String channel = fanOut ? from.control(4650) : to.channel(4650);
            try (Publication first = publisher.addPublication(channel + "|ring=64k|image-timeout=1h", SHORT);
                Publication second = publisher.addPublication(channel + "|ring=64k|image-timeout=1h", LONG);
                Subscription impatient = subscriber.addSubscription(channel + "|image-timeout=500ms", SHORT);
                Subscription patient = subscriber.addSubscription(channel + "|image-timeout=1h", LONG))
            {
                Await.until("both connections", () -> impatient.isConnected() && patient.isConnected());
                messages.pass(first, 0, 100, new Checker(impatient, 0));
                final Checker checker = new Checker(patient, 0);
                messages.pass(second, 0, 100, checker);
                // In this order, or the impatient image could end between the two.
                to.closeDriver();
                from.closeDriver();
                assertThat(impatient.isConnected()).isTrue();
                to.start();
                Await.until("the impatient image to end", () -> !impatient.isConnected());
                assertThat(patient.isConnected()).isTrue();
                from.start();
                messages.pass(second, 100, 500, checker);
                assertThat(patient.images()).hasSize(1);
            }
        }
    }
}

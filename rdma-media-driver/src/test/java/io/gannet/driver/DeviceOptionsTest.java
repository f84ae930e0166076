package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.RegistrationException;
import io.gannet.Subscription;
import io.gannet.control.ControlFile;
import io.gannet.control.GannetDirectory;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.rdma.roce.rc.Counter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which device a driver opens, and when, and what it says about it. */
class DeviceOptionsTest
{
    private static final int STREAM = 10;

    /** Nobody else's on this machine, most likely: other test runs may go on. */
    private final String own = "127." + ThreadLocalRandom.current().nextInt(10, 250) + "." +
        ThreadLocalRandom.current().nextInt(250) + "." + ThreadLocalRandom.current().nextInt(1, 250);

    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final List<MediaDriver> drivers = new ArrayList<>();
    private final List<Path> directories = new ArrayList<>();

    @AfterEach
    void close()
    {
        drivers.forEach(MediaDriver::close);
        directories.forEach(TestDirectory::remove);
    }

    private MediaDriver driver(final String... options)
    {
        final Path directory = TestDirectory.create("device");
        directories.add(directory);
        DriverConfiguration configuration = DriverConfiguration.defaults()
            .with(DriverOptions.DIRECTORY, directory)
            .with(DriverOptions.THREADING, ThreadingMode.SHARED);
        for (int i = 0; i < options.length; i += 2)
        {
            final String key = options[i];
            configuration = configuration.withFlag(DriverOptions.all().stream()
                .filter(option -> option.key().equals(key)).findFirst().orElseThrow(), options[i + 1]);
        }
        final MediaDriver driver = MediaDriver.launch(configuration, log::add);
        drivers.add(driver);
        return driver;
    }

    private static Gannet connect(final MediaDriver driver)
    {
        return Gannet.connect(new Gannet.Context().directory(driver.directory()).driverTimeout(60, TimeUnit.SECONDS));
    }

    @Test
    void aDriverOfLocalChannelsOpensNoDevice()
    {
        final MediaDriver driver = driver();
        try (Gannet client = connect(driver);
            Subscription subscription = client.addSubscription("gannet:ipc", STREAM);
            Publication publication = client.addPublication("gannet:ipc?ring=64k", STREAM))
        {
            Await.until("a local connection", publication::isConnected);
            Await.until("the subscription to see it", subscription::isConnected);
            assertThat(driver.device()).isEqualTo("auto");
            assertThat(driver.engine().device()).isNull();
            assertThat(log).noneMatch(line -> line.contains("device"));
        }
    }

    @Test
    void theFirstSubscriptionNamesTheAddressAndTheDriverSaysWhichDeviceAndWhy()
    {
        final MediaDriver driver = driver();
        try (Gannet client = connect(driver);
            Subscription subscription = client.addSubscription("gannet:rdma?endpoint=" + own + ":4100", STREAM))
        {
            assertThat(subscription.isConnected()).isFalse();
            assertThat(driver.device()).isEqualTo("roce:" + own);
            assertThat(log).anyMatch(
                line -> line.startsWith("device roce:" + own + " carries gannet:rdma channels, as "));
        }
    }

    @Test
    void twoDriversWithoutOptionsFindEachOtherWhoeverComesFirst()
    {
        final String channel = "gannet:rdma?endpoint=127.0.0.1:4107";
        final MediaDriver here = driver();
        final MediaDriver there = driver();
        try (Gannet publisher = connect(here); Gannet subscriber = connect(there);
            Publication publication = publisher.addPublication(channel + "|ring=64k", STREAM))
        {
            assertThat(here.device()).startsWith("roce:127.0.0.").isNotEqualTo("roce:127.0.0.1");
            try (Subscription subscription = subscriber.addSubscription(channel, STREAM))
            {
                // another process of this machine may have the address; then the driver says so instead
                if (there.device().equals("roce:127.0.0.1"))
                {
                    Await.until("a connection", publication::isConnected);
                }
                else
                {
                    assertThat(log).anyMatch(line -> line.contains("does not have that address"));
                }
                assertThat(subscription.isClosed()).isFalse();
            }
        }
    }

    @Test
    void aTakenAddressThatTheOptionsNameEndsTheDriverWithOneMessage() throws IOException
    {
        try (DatagramChannel other = DatagramChannel.open())
        {
            other.bind(new InetSocketAddress(InetAddress.ofLiteral(own), 4791));
            for (final String device : List.of("roce", "auto"))
            {
                assertThatThrownBy(() -> driver("device", device, "device-address", own))
                    .isInstanceOf(DriverException.class)
                    .hasMessageContainingAll(own, "in use", "device-address")
                    .hasMessageMatching("(?s)(?!.*EADDRINUSE.*EADDRINUSE).*EADDRINUSE.*");
            }
            assertThat(log).isEmpty();
        }
        assertThat(driver("device-address", own).device()).isEqualTo("roce:" + own);
    }

    @Test
    void aDriverWithoutADeviceRefusesWhatNeedsOne()
    {
        final MediaDriver driver = driver("device", "none");
        try (Gannet client = connect(driver))
        {
            assertThatThrownBy(() -> client.addSubscription("gannet:rdma?endpoint=127.0.0.1:4100", STREAM))
                .isInstanceOf(RegistrationException.class).hasMessageContaining("device=none");
        }
        assertThat(driver.device()).isEqualTo("none");
    }

    @Test
    void packetsOfStrangersAreDroppedAndCountedInTheControlFile()
    {
        final MediaDriver open = driver("device", "roce");
        final MediaDriver closed = driver("device", "roce", "allow", "127.3.0.0/16,127.4.5.6");
        final String channel = "gannet:rdma?endpoint=" + closed.device().substring("roce:".length()) + ":4100";
        try (Gannet publisher = connect(open); Gannet subscriber = connect(closed);
            Subscription subscription = subscriber.addSubscription(channel, STREAM);
            Publication publication = publisher.addPublication(channel + "|ring=64k", STREAM))
        {
            final String label = closed.device() + ": " + Counter.DROP_NOT_ALLOWED.label();
            final String received = closed.device() + ": " + Counter.PACKETS_RECEIVED.label();
            Await.until("drops in the control file, and what was received", () ->
                counter(closed.directory(), label) > 0 && counter(closed.directory(), received) > 0);
            assertThat(publication.isConnected()).isFalse();
            assertThat(subscription.isConnected()).isFalse();
        }
    }

    @Test
    void whatAllowDoesNotUnderstandIsNamed()
    {
        assertThatThrownBy(() -> driver("allow", "10.0.0.0/24,example.org"))
            .isInstanceOf(ConfigurationException.class).hasMessageContainingAll("allow", "example.org", "10.0.0.0/24");
        assertThatThrownBy(() -> driver("allow", " ")).isInstanceOf(ConfigurationException.class);
    }

    private static long counter(final Path directory, final String label)
    {
        try (ControlFile control = ControlFile.open(new GannetDirectory(directory), false))
        {
            final CountersReader counters = control.countersReader();
            final long[] value = {-1};
            counters.forEach((id, typeId, key, text) ->
            {
                if (text.equals(label))
                {
                    value[0] = counters.getCounterValue(id);
                }
            });
            return value[0];
        }
    }
}

package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.NumberedMessages.Checker;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.os.FileSystem;
import io.gannet.os.HugePages;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Rings of huge pages, registered with the NIC and mapped twice as others are. Few machines set such pages aside; the
 * lab's guests do.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class RdmaHugePagesLab
{
    private static final int STREAM = 10;
    private static final Path MOUNT = Path.of("/dev/hugepages");
    private static final int PAGES = 24;

    private final NumberedMessages messages = new NumberedMessages();

    private static void assumeHugePages()
    {
        assumeTrue(Files.isWritable(MOUNT) && FileSystem.of(MOUNT).isHuge() && pool().free() >= PAGES,
            "NOT TESTED: rings of huge pages; " + PAGES + " free ones on " + MOUNT + " are needed");
    }

    private static HugePages pool()
    {
        return HugePages.of(FileSystem.of(MOUNT).pageSize());
    }

    private static RdmaHost host(final String name)
    {
        return new RdmaHost(name, options -> options.with(DriverOptions.MEMORY, RingStorage.Memory.HUGETLB));
    }

    private static List<String> rings(final RdmaHost host)
    {
        return TestDirectory.list(MOUNT.resolve("gannet" + host.directory().toString().replace('/', '-')));
    }

    @Test
    void messagesPassBetweenHosts()
    {
        assumeHugePages();
        final long free = pool().free();
        try (RdmaHost from = host("huge-from"); RdmaHost to = host("huge-to");
            Gannet publisher = from.connect(); Gannet subscriber = to.connect())
        {
            try (Subscription subscription = subscriber.addSubscription(to.channel(4640), STREAM);
                Publication publication = publisher.addPublication(to.channel(4640) + "|ring=2m", STREAM))
            {
                Await.until("a connection", publication::isConnected);
                // Several times around the ring.
                messages.pass(publication, 0, 20_000, new Checker(subscription, 0));
                assertThat(rings(from)).hasSize(1);
                assertThat(rings(to)).hasSize(1);
                assertThat(pool().free()).as("a page of data and one of header each").isEqualTo(free - 4);
            }
            Await.until("the pages to come back", () -> rings(from).isEmpty() && rings(to).isEmpty());
        }
        assertThat(pool().free()).isEqualTo(free);
    }

    @Test
    void ringsOutliveTheirDriver()
    {
        assumeHugePages();
        try (RdmaHost host = host("huge-restart"); Gannet client = host.connect();
            Subscription subscription = client.addSubscription("gannet:ipc", STREAM);
            Publication publication = client.addPublication("gannet:ipc?ring=2m", STREAM))
        {
            final Checker checker = new Checker(subscription, 0);
            Await.until("a connection", publication::isConnected);
            messages.pass(publication, 0, 1000, checker);
            host.closeDriver();
            assertThat(rings(host)).hasSize(1);
            host.start();
            messages.pass(publication, 1000, 2000, checker);
            assertThat(rings(host)).hasSize(1);
        }
    }

    @Test
    void whatDoesNotFitIsRefusedWithTheNumbers()
    {
        assumeHugePages();
        assumeTrue(pool().total() * pool().pageSize() < 512L << 20, "NOT TESTED: a ring too large for the huge pages");
        try (RdmaHost host = host("huge-full"); Gannet client = host.connect())
        {
            assertThatThrownBy(() -> client.addPublication("gannet:ipc?ring=512m", STREAM))
                .hasMessageContaining("a ring of 538968064 bytes does not fit")
                .hasMessageContaining("257 huge pages of 2097152 bytes")
                .hasMessageContaining("sysctl vm.nr_hugepages=");
        }
    }

    @Test
    void aRingBelowAPageIsRefused()
    {
        assumeHugePages();
        try (RdmaHost host = host("huge-small"); Gannet client = host.connect())
        {
            assertThatThrownBy(() -> client.addPublication("gannet:ipc?ring=64k", STREAM))
                .hasMessageContaining("65536").hasMessageContaining("2097152");
        }
    }

    @Test
    void aMountOfAnotherTypeIsRefusedWithTheRemedy()
    {
        final Path directory = TestDirectory.create("huge-none");
        try
        {
            assertThatThrownBy(() -> MediaDriver.launch(DriverConfiguration.defaults()
                .with(DriverOptions.DIRECTORY, directory)
                .with(DriverOptions.MEMORY, RingStorage.Memory.HUGETLB)
                .with(DriverOptions.HUGETLB_MOUNT, directory)))
                .isInstanceOf(DriverException.class)
                .hasMessageContaining(directory + " is not on hugetlbfs")
                .hasMessageContaining("mount -t hugetlbfs").hasMessageContaining("hugetlb-mount");
        }
        finally
        {
            TestDirectory.remove(directory);
        }
    }
}

package io.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Streams and clients that come and go leave nothing: no file, descriptor, mapping, counter or id. The full run:
 * {@code -Dgannet.churn.streams=100000 -Dgannet.churn.clients=5000}.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
class ChurnTest
{
    private static final int STREAMS = Integer.getInteger("gannet.churn.streams", 400);
    private static final int CLIENTS = Integer.getInteger("gannet.churn.clients", 100);
    private static final String CHANNEL = "gannet:ipc?ring=64k";

    /**
     * What a process holds of the system's.
     *
     * @param descriptors open.
     * @param mappings    of files of the directory.
     */
    private record Holdings(long descriptors, long mappings)
    {
        static Holdings of(final Path directory)
        {
            try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"));
                Stream<String> mappings = Files.lines(Path.of("/proc/self/maps")))
            {
                return new Holdings(
                    descriptors.count(), mappings.filter(line -> line.contains(directory.toString())).count());
            }
            catch (final IOException failure)
            {
                throw new java.io.UncheckedIOException(failure);
            }
        }

        boolean isAtMost(final Holdings other)
        {
            return descriptors <= other.descriptors && mappings <= other.mappings;
        }
    }

    private static List<String> files(final EmbeddedDriver driver)
    {
        return Stream.of("clients", "rings").flatMap(
            folder -> TestDirectory.list(driver.directory().resolve(folder)).stream()).toList();
    }

    @Test
    void streamsThatComeAndGoLeaveNothing()
    {
        try (EmbeddedDriver driver = new EmbeddedDriver("churn"); Gannet client = driver.connect();
            Gannet other = driver.connect())
        {
            final List<String> files = files(driver);
            Holdings before = null;
            for (int i = 0; i < STREAMS; i++)
            {
                one(client, other, i);
                if (i == STREAMS / 4)
                {
                    before = settled(driver, files, null);
                }
            }
            settled(driver, files, before);
        }
    }

    /** Waits until nothing of the streams is left; returns what the process holds then. */
    private static Holdings settled(final EmbeddedDriver driver, final List<String> files, final Holdings limit)
    {
        Await.until("files to be as before: " + files, () -> files(driver).equals(files));
        Await.until("descriptors and mappings to be as before: " + limit + ", now " +
            Holdings.of(driver.directory()), () ->
            {
                final boolean settled = limit == null || Holdings.of(driver.directory()).isAtMost(limit);
                if (!settled)
                {
                    // Addresses of a client's files are freed when it is garbage.
                    System.gc();
                }
                return settled;
            });
        return Holdings.of(driver.directory());
    }

    private static void one(final Gannet client, final Gannet other, final int number)
    {
        try (Publication publication = number % 2 == 0 ?
            client.addPublication(CHANNEL, number) : client.addExclusivePublication(CHANNEL, number);
            Subscription subscription = other.addSubscription(CHANNEL, number))
        {
            EmbeddedDriver.awaitConnected(publication, subscription);
            assertThat(publication.offer(new UnsafeBuffer(new byte[100]), 0, 100)).isPositive();
            Await.until("the message", () -> subscription.poll((buffer, offset, length, header) -> { }, 1) == 1);
        }
    }

    @Test
    void clientsThatComeAndGoLeaveNothing()
    {
        try (EmbeddedDriver driver = new EmbeddedDriver("churn"))
        {
            Holdings before = null;
            for (int i = 0; i < CLIENTS; i++)
            {
                try (Gannet client = driver.connect(); Publication publication = client.addPublication(CHANNEL, 1))
                {
                    assertThat(publication.isClosed()).isFalse();
                }
                if (i == CLIENTS / 4)
                {
                    before = settled(driver, List.of(), null);
                }
            }
            settled(driver, List.of(), before);
        }
    }
}

package io.gannet.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.protocol.PublicationKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * However many rings a directory has, a duty cycle of the conductor looks at few of them, at none at all between two
 * samples, and at each of them in each sample.
 */
class StreamsCycleTest
{
    private static final int RINGS = 130;
    private static final int MANY = 2100;
    private static final long INTERVAL = TimeUnit.MILLISECONDS.toNanos(200);

    private final Path directory = TestDirectory.create("cycle");
    private final List<String> log = new ArrayList<>();
    private final MediaDriver driver = MediaDriver.launch(DriverConfiguration.defaults()
        .with(DriverOptions.DIRECTORY, directory)
        .with(DriverOptions.THREADING, ThreadingMode.INVOKER)
        .with(DriverOptions.LIVENESS_INTERVAL, INTERVAL), log::add);
    private final RawClient client = new RawClient(directory, driver);

    @AfterEach
    void close()
    {
        client.close();
        driver.close();
        TestDirectory.remove(directory);
    }

    @Test
    void aDutyCycleLooksAtFewRings()
    {
        client.connect(directory);
        for (int i = 0; i < RINGS; i++)
        {
            client.commands.addPublication(
                2 + i, 1 + i, PublicationKind.EXCLUSIVE, i, "gannet:ipc?ring=64k", 0);
            client.await("onPublicationReady");
        }
        final long first = driver.streams().looks();
        long most = 0;
        int idle = 0;
        int cycles = 0;
        while (driver.streams().looks() - first < 4L * RINGS)
        {
            client.heartbeat();
            final long before = driver.streams().looks();
            driver.doWork();
            final long looks = driver.streams().looks() - before;
            most = Math.max(most, looks);
            idle += looks == 0 ? 1 : 0;
            cycles++;
        }
        assertThat(most).isPositive().isLessThanOrEqualTo(Streams.MOST_AT_ONCE);
        // Whole samples, of three slices each, and nothing between them.
        assertThat(cycles - idle).isBetween(4 * RINGS / Streams.MOST_AT_ONCE, 5 * (RINGS / Streams.MOST_AT_ONCE + 1));
    }

    @Test
    void manyRingsAreLookedAtNoMoreOftenThanAThousand()
    {
        client.connect(directory);
        for (int i = 0; i < MANY; i++)
        {
            client.commands.addPublication(
                2 + i, 1 + i, PublicationKind.EXCLUSIVE, i, "gannet:ipc?ring=64k", 0);
            client.await("onPublicationReady");
        }
        final long first = driver.streams().looks();
        final long begun = System.nanoTime();
        while (driver.streams().looks() - first < 3L * MANY)
        {
            client.heartbeat();
            driver.doWork();
        }
        // The first of three samples may have been under way; between the others is the time that their pace takes.
        assertThat(System.nanoTime() - begun).isGreaterThan(MANY * Streams.SAMPLE_NANOS_EACH);
        assertThat(MANY * Streams.SAMPLE_NANOS_EACH).isGreaterThan(INTERVAL);
    }

    @Test
    void ringsThatGoMeanwhileAreNotMissedForGood()
    {
        client.connect(directory);
        for (int i = 0; i < RINGS; i++)
        {
            client.commands.addPublication(
                2 + i, 1 + i, PublicationKind.EXCLUSIVE, i, "gannet:ipc?ring=64k|slow=drop", 0);
            client.await("onPublicationReady");
        }
        for (int i = 0; i < RINGS - 1; i += 1 + i % 2)
        {
            client.commands.removePublication(1000 + i, 1 + i);
            client.await("onOperationSucceeded");
        }
        Await.until("the rings to go", () ->
        {
            driver.doWork();
            return driver.streams().rings().size() ==
                TestDirectory.list(directory.resolve("rings")).stream().filter(name -> name.endsWith(".ring")).count();
        });
        final List<StreamRing> left = List.copyOf(driver.streams().rings());
        assertThat(left).isNotEmpty().hasSizeLessThan(RINGS).doesNotHaveDuplicates();
        final DirectoryCounters counters = new DirectoryCounters(directory);
        left.forEach(ring -> assertThat(counters.value("publication position", "", ring.streamId())).isZero());
    }
}

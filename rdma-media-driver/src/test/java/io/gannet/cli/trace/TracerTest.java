package io.gannet.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.ExclusivePublication;
import io.gannet.Gannet;
import io.gannet.Subscription;
import io.gannet.control.GannetDirectory;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import io.gannet.ring.RingLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A ring that is looked at while subscribers leave it, and files that are none.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class TracerTest
{
    private static final int STREAM = 33;
    private static final String CHANNEL = "gannet:ipc?ring=64k";
    private static final long FAR = TimeUnit.SECONDS.toNanos(1);

    private final Path directory = TestDirectory.create("tracer");
    private final MediaDriver driver = MediaDriver.launch(
        DriverConfiguration.defaults().with(DriverOptions.DIRECTORY, directory), line -> { });
    private final Gannet client = Gannet.connect(new Gannet.Context().directory(directory)
        .driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));

    @AfterEach
    void close()
    {
        client.close();
        driver.close();
        TestDirectory.remove(directory);
    }

    private Path ring() throws IOException
    {
        try (Stream<Path> files = Files.list(new GannetDirectory(directory).rings()))
        {
            return files.filter(file -> file.toFile().length() > RingLayout.MIN_CAPACITY).findFirst().orElseThrow();
        }
    }

    private static long deadline()
    {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(Await.DEADLINE_SECONDS);
    }

    /** Its gate says then that it has passed everything, or is another's. */
    @Test
    @SuppressWarnings("try") // a subscription that is closed earlier
    void whoHasLeftIsNotTimed() throws Exception
    {
        final boolean[] stop = {false};
        try (ExclusivePublication publication = client.addExclusivePublication(CHANNEL, STREAM);
            Subscription stays = client.addSubscription(CHANNEL, STREAM);
            Subscription leaves = client.addSubscription(CHANNEL, STREAM))
        {
            Await.until("both", () -> stays.isConnected() && leaves.isConnected());
            final Thread flow = Thread.ofPlatform().start(() ->
            {
                final UnsafeBuffer message = new UnsafeBuffer(new byte[40]);
                while (!stop[0])
                {
                    publication.offer(message);
                    stays.poll((buffer, offset, length, header) -> { }, 10);
                    leaves.poll((buffer, offset, length, header) -> { }, 10);
                    LockSupport.parkNanos(50_000);
                }
            });
            try (WatchedRing ring = WatchedRing.open(ring()))
            {
                final List<Stage> stages = new ArrayList<>();
                for (int i = 0; i < RingLayout.MAX_ENTRIES; i++)
                {
                    if (!ring.isFree(i))
                    {
                        stages.add(Stage.ofGate("gate " + i, ring, i, null));
                    }
                }
                assertThat(stages).hasSize(2);
                final Tracer tracer = new Tracer(ring, false, stages, 0, Long.MAX_VALUE, FAR, false);
                tracer.run(20, deadline());
                assertThat(stages).allMatch(stage -> stage.fromStart().count() == 20 && !stage.isGone());
                leaves.close();
                Await.until("its gate to be free", () -> stages.stream().anyMatch(Stage::isGone));
                tracer.run(50, deadline());
                assertThat(tracer.gone()).singleElement().satisfies(
                    gone -> assertThat(gone.fromStart().count()).isEqualTo(20));
                assertThat(stages).filteredOn(stage -> !tracer.gone().contains(stage)).singleElement().satisfies(
                    stage -> assertThat(stage.fromStart().count()).isEqualTo(50));
                // Another one that gets the same gate is another stage.
                try (Subscription next = client.addSubscription(CHANNEL, STREAM))
                {
                    Await.until("the next", next::isConnected);
                    assertThat(tracer.gone()).allMatch(Stage::isGone);
                }
            }
            finally
            {
                stop[0] = true;
                flow.join();
            }
        }
    }

    @Test
    void aRingOfAnyBytesIsReadOrIsNone() throws IOException
    {
        final byte[] whole;
        try (ExclusivePublication publication = client.addExclusivePublication(CHANNEL, STREAM))
        {
            assertThat(publication.isClosed()).isFalse();
            whole = Files.readAllBytes(ring());
        }
        final Path copy = directory.resolve("copy");
        final long seed = System.nanoTime();
        final SplittableRandom random = new SplittableRandom(seed);
        int read = 0;
        for (int i = 0; i < 500; i++)
        {
            final byte[] damaged = whole.clone();
            for (int j = random.nextInt(1, 40); j > 0; j--)
            {
                // Headers mostly, where each byte counts.
                damaged[random.nextInt(random.nextInt(4) == 0 ? damaged.length : 1_500)] =
                    (byte) (random.nextBoolean() ? 0xFF : random.nextInt());
            }
            // The words that say what it is, lest few be looked at.
            System.arraycopy(whole, 0, damaged, 0, random.nextBoolean() ? 64 : 0);
            Files.deleteIfExists(copy);
            Files.write(copy, damaged);
            final WatchedRing ring = WatchedRing.open(copy);
            if (ring != null)
            {
                read++;
                assertThat(ring.end()).as("seed %d, round %d", seed, i).isGreaterThanOrEqualTo(-1);
                ring.frameLength(random.nextLong());
                new Tracer(ring, false, List.of(Stage.ofGate("gate", ring, 0, null)), 0,
                    Long.MAX_VALUE, FAR, false).run(1, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1));
                ring.close();
            }
        }
        assertThat(read).as("seed %d", seed).isPositive();
    }
}

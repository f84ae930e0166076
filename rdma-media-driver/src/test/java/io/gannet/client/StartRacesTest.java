package io.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.Gannet;
import io.gannet.GannetException;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverException;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Drivers and clients that start in any order, also at the same instant, in a directory that may not be there yet, or
 * where a driver was before. More rounds: {@code -Dgannet.start.rounds=N}.
 */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class StartRacesTest
{
    private static final int ROUNDS = Integer.getInteger("gannet.start.rounds", 100);
    private static final String CHANNEL = "gannet:ipc?ring=64k";

    private final List<String> log = new CopyOnWriteArrayList<>();
    private final List<Throwable> problems = new CopyOnWriteArrayList<>();
    private final List<Gannet> clients = new CopyOnWriteArrayList<>();
    private final List<MediaDriver> drivers = new CopyOnWriteArrayList<>();
    private final List<String> refusals = new CopyOnWriteArrayList<>();
    private Path directory = TestDirectory.create("start");

    /** Who comes first. */
    enum Order
    {
        CLIENTS_FIRST(0, 1),
        DRIVER_FIRST(1, 0),
        ALL_AT_ONCE(0, 0),
        TWO_DRIVERS_AT_ONCE(0, 0);

        private final int clientStep;
        private final int driverStep;

        Order(final int driverFirst, final int clientsFirst)
        {
            clientStep = driverFirst;
            driverStep = clientsFirst;
        }
    }

    private void connect()
    {
        clients.add(Gannet.connect(new Gannet.Context().directory(directory).errorHandler(problems::add)
            .driverTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS)));
    }

    private void launch()
    {
        try
        {
            drivers.add(MediaDriver.launch(DriverConfiguration.defaults().with(DriverOptions.DIRECTORY, directory)
                .with(DriverOptions.MAX_COUNTERS, 500), log::add));
        }
        catch (final DriverException refused)
        {
            refusals.add(refused.getMessage());
        }
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void everybodyFindsEachOther(final Order order) throws Exception
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++)
        {
            final String where = order + ", seed " + seed + ", round " + round;
            if (random.nextBoolean())
            {
                TestDirectory.remove(directory);
            }
            startAll(order, random);
            assertThat(problems).as(where).isEmpty();
            assertThat(drivers).as(where).hasSize(1);
            assertThat(clients).as(where).hasSize(2);
            assertThat(refusals).as(where).hasSize(order == Order.TWO_DRIVERS_AT_ONCE ? 1 : 0)
                .allMatch(text -> text.contains("another driver runs in " + directory));
            oneMessage();
            clients.forEach(Gannet::close);
            drivers.forEach(MediaDriver::close);
            clients.clear();
            drivers.clear();
            refusals.clear();
            assertThat(log).as(where).noneMatch(line -> line.startsWith("error:"));
        }
    }

    @AfterEach
    void removeDirectory()
    {
        if (Files.exists(directory))
        {
            TestDirectory.remove(directory);
        }
    }

    private void startAll(final Order order, final Random random) throws Exception
    {
        final List<Thread> threads = new ArrayList<>();
        final int drivingThreads = order == Order.TWO_DRIVERS_AT_ONCE ? 2 : 1;
        final CyclicBarrier[] steps = {new CyclicBarrier(2 + drivingThreads), new CyclicBarrier(2 + drivingThreads)};
        for (int i = 0; i < 2; i++)
        {
            threads.add(start(steps, order.clientStep, random.nextInt(2_000), this::connect));
        }
        for (int i = 0; i < drivingThreads; i++)
        {
            threads.add(start(steps, order.driverStep, random.nextInt(2_000), this::launch));
        }
        for (final Thread thread : threads)
        {
            thread.join(TimeUnit.SECONDS.toMillis(2 * Await.DEADLINE_SECONDS));
            assertThat(thread.isAlive()).as("%s, %s ends", order, thread.getName()).isFalse();
        }
    }

    /** All pass both steps; what belongs to the first has at least begun before what belongs to the second begins. */
    private Thread start(final CyclicBarrier[] steps, final int step, final int pause, final Runnable task)
    {
        return Thread.ofPlatform().uncaughtExceptionHandler((thread, failure) -> problems.add(failure)).start(() ->
        {
            await(steps[0]);
            if (step == 1)
            {
                for (int i = 0; i < 100 * pause; i++)
                {
                    Thread.onSpinWait();
                }
            }
            for (int i = 0; i < pause; i++)
            {
                Thread.onSpinWait();
            }
            task.run();
            await(steps[1]);
        });
    }

    private static void await(final CyclicBarrier barrier)
    {
        try
        {
            barrier.await(2 * Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
        }
        catch (final Exception failure)
        {
            throw new AssertionError("the others did not come", failure);
        }
    }

    private void oneMessage()
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
        try (Publication publication = clients.getFirst().addPublication(CHANNEL, 1);
            Subscription subscription = clients.getLast().addSubscription(CHANNEL, 1))
        {
            EmbeddedDriver.awaitConnected(publication, subscription);
            assertThat(publication.offer(message, 0, 100)).isPositive();
            Await.until("the message",
                () -> subscription.poll((buffer, offset, length, header) -> { }, 1) == 1);
        }
    }

    @Test
    void aClientWithoutAThreadIsToldSoAndLeavesNothing()
    {
        try (EmbeddedDriver driver = new EmbeddedDriver("threadless"))
        {
            assertThatThrownBy(() -> Gannet.connect(
                driver.context().threadFactory(task -> new Thread(null, task, "greedy", 1L << 50))))
                .isInstanceOfSatisfying(GannetException.class, told -> assertThat(told.code()).isEqualTo("E217"))
                .hasMessageContaining("thread greedy").hasMessageContaining("ulimit -u");
            assertThat(TestDirectory.list(driver.directory().resolve("clients"))).isEmpty();
            driver.connect().close();
        }
    }
}

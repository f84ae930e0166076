package io.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gannet.ClientClosedException;
import io.gannet.Counter;
import io.gannet.DriverListener;
import io.gannet.DriverState;
import io.gannet.DriverTimeoutException;
import io.gannet.DriverUnavailableException;
import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.VersionMismatchException;
import io.gannet.harness.Await;
import io.gannet.harness.TestDirectory;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A client before, without and after its driver.
 */
class DriverRestartTest
{
    private static final String CHANNEL = "gannet:ipc?ring=64k";
    private static final int RING_CAPACITY = 64 * 1024;
    private static final int COMMAND_RING = 4096;
    private static final int EVENT_RING = COMMAND_RING + RING_CAPACITY + RingBufferDescriptor.TRAILER_LENGTH;

    private final List<String> driverEvents = new CopyOnWriteArrayList<>();

    private Gannet.Context context(final EmbeddedDriver driver)
    {
        return driver.context().driverListener(new DriverListener()
        {
            @Override
            public void onDriverLost(final String detail)
            {
                driverEvents.add("lost");
            }

            @Override
            public void onDriverBack(final long epoch)
            {
                driverEvents.add("back");
            }
        });
    }

    @Test
    void localStreamsGoOnAndEverythingIsKnownToTheNextDriver()
    {
        try (EmbeddedDriver driver = new EmbeddedDriver("restart"))
        {
            try (Gannet gannet = Gannet.connect(context(driver)))
            {
                final Publication alone = gannet.addExclusivePublication(CHANNEL, 1);
                final Publication shared = gannet.addPublication(CHANNEL, 2);
                final Subscription toAlone = gannet.addSubscription(CHANNEL, 1);
                final Subscription toShared = gannet.addSubscription(CHANNEL, 2);
                final Counter counter = gannet.addCounter(1000, "kept");
                EmbeddedDriver.awaitConnected(alone, toAlone);
                EmbeddedDriver.awaitConnected(shared, toShared);
                final AtomicLong next = new AtomicLong();
                for (int restart = 1; restart <= 3; restart++)
                {
                    driver.stop();
                    Await.until("the loss to be told", () -> driverEvents.contains("lost"));
                    assertThat(gannet.driverState()).isEqualTo(DriverState.DEAD);
                    counter.set(restart);
                    exchange(alone, toAlone, next);
                    exchange(shared, toShared, next);
                    driver.start();
                    Await.until("the return to be told", () -> driverEvents.contains("back"));
                    assertThat(driverEvents).containsExactly("lost", "back");
                    driverEvents.clear();
                    assertThat(gannet.driverState()).isEqualTo(DriverState.RUNNING);
                    exchange(alone, toAlone, next);
                    exchange(shared, toShared, next);
                    // It has its label before its value.
                    final int value = restart;
                    Await.until("the counter", () ->
                        "kept".equals(gannet.countersReader().getCounterLabel(counter.id())) &&
                        gannet.countersReader().getCounterValue(counter.id()) == value);
                    final Subscription late = gannet.addSubscription(CHANNEL, 1);
                    Await.until("the late image", () -> late.imageCount() == 1);
                    late.close();
                    // Commands are served in order: the gate is gone when the driver has answered this one.
                    gannet.addCounter(1001, "served").close();
                }
                alone.close();
                Await.until("the end of the stream", () -> !toAlone.isConnected());
                shared.close();
                Await.until("the end of the stream", () -> !toShared.isConnected());
            }
            Await.until("all rings to go", () -> TestDirectory.list(driver.directory().resolve("rings")).isEmpty());
            assertThat(TestDirectory.list(driver.directory().resolve("clients"))).isEmpty();
        }
    }

    private static void exchange(final Publication publication, final Subscription subscription, final AtomicLong next)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8]);
        for (int i = 0; i < 3_000; i++)
        {
            final long value = next.incrementAndGet();
            buffer.putLong(0, value);
            assertThat(publication.offer(buffer, 0, 8, Await.DEADLINE_SECONDS, TimeUnit.SECONDS)).isPositive();
            final long[] got = new long[1];
            Await.until("the message", () ->
                subscription.poll((from, offset, length, header) -> got[0] = from.getLong(offset), 1) == 1);
            assertThat(got[0]).isEqualTo(value);
        }
    }

    @Test
    void whatIsClosedWithoutADriverIsGoneForTheNext()
    {
        try (EmbeddedDriver driver = new EmbeddedDriver("closed-meanwhile");
            Gannet gannet = Gannet.connect(context(driver)))
        {
            final Publication publication = gannet.addExclusivePublication(CHANNEL, 1);
            final Subscription closed = gannet.addSubscription(CHANNEL, 1);
            final Subscription kept = gannet.addSubscription(CHANNEL, 1);
            Await.until("the images", () -> closed.imageCount() == 1 && kept.imageCount() == 1);
            driver.stop();
            Await.until("the loss", () -> driverEvents.contains("lost"));
            closed.close();
            driver.start();
            Await.until("the return", () -> driverEvents.contains("back"));
            exchange(publication, kept, new AtomicLong());
            publication.close();
            Await.until("the end of the stream", () -> !kept.isConnected());
            Await.until("the ring to go", () -> TestDirectory.list(driver.directory().resolve("rings")).isEmpty());
        }
    }

    @Test
    void whatIsAddedWithoutADriverWaitsForItOrSaysSo()
    {
        try (EmbeddedDriver driver = new EmbeddedDriver("added-meanwhile");
            Gannet patient = Gannet.connect(context(driver));
            Gannet hasty = Gannet.connect(driver.context().driverTimeout(1, TimeUnit.SECONDS)))
        {
            driver.stop();
            Await.until("the loss", () -> hasty.driverState() == DriverState.DEAD);
            assertThatExceptionOfType(DriverTimeoutException.class)
                .isThrownBy(() -> hasty.addSubscription(CHANNEL, 5))
                .withMessageContaining("add subscription to gannet:ipc?ring=64k stream 5")
                .withMessageContaining("there is no driver");
            final Thread starter = new Thread(() ->
            {
                Await.until("the loss", () -> driverEvents.contains("lost"));
                driver.start();
            });
            starter.start();
            assertThat(patient.addSubscription(CHANNEL, 5).isClosed()).isFalse();
            Await.until("the start", () -> !starter.isAlive());
        }
    }

    @ParameterizedTest
    @CsvSource({"true,true", "true,false", "false,true", "false,false"})
    void whoeverLeavesWithoutADriverHoldsNobodyBack(final boolean exclusive, final boolean wholeClient)
    {
        try (EmbeddedDriver driver = new EmbeddedDriver("left");
            Gannet publisher = Gannet.connect(context(driver)); Gannet stays = driver.connect();
            Gannet leaves = driver.connect();
            Publication publication = exclusive ?
                publisher.addExclusivePublication(CHANNEL, 6) : publisher.addPublication(CHANNEL, 6);
            Subscription reading = stays.addSubscription(CHANNEL, 6))
        {
            final Subscription lazy = leaves.addSubscription(CHANNEL, 6);
            EmbeddedDriver.awaitConnected(publication, reading);
            Await.until("the lazy one's image", lazy::isConnected);
            driver.stop();
            Await.until("the loss", () -> leaves.driverState() == DriverState.DEAD);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[1000]);
            Await.until("back pressure", () ->
            {
                reading.poll((buffer, offset, length, header) -> { }, 100);
                return publication.offer(message, 0, 1000) == Publication.BACK_PRESSURED &&
                    publication.slowestSubscriber().lag() > 10_000;
            });
            if (wholeClient)
            {
                end(leaves);
            }
            else
            {
                lazy.close();
            }
            Await.until("the reader to have all", () ->
            {
                reading.poll((buffer, offset, length, header) -> { }, 100);
                return reading.images().getFirst().position() == publication.position();
            });
            exchange(publication, reading, new AtomicLong());
            end(reading);
            Await.until("nobody to be there", () -> publication.offer(message, 0, 8) == Publication.NOT_CONNECTED);
            driver.start();
            Await.until("the new driver", () -> publisher.driverState() == DriverState.RUNNING);
            try (Subscription next = stays.addSubscription(CHANNEL, 6))
            {
                EmbeddedDriver.awaitConnected(publication, next);
                exchange(publication, next, new AtomicLong());
            }
        }
    }

    private static void end(final AutoCloseable early)
    {
        try
        {
            early.close();
        }
        catch (final Exception failure)
        {
            throw new AssertionError(failure);
        }
    }

    private static void overwriteRing(final EmbeddedDriver driver, final Gannet gannet, final int offset)
        throws IOException
    {
        final Path path = driver.directory().resolve("clients").resolve("%016x".formatted(gannet.clientId()));
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw"))
        {
            final byte[] garbage = new byte[RING_CAPACITY];
            Arrays.fill(garbage, (byte) 0x7F);
            file.seek(offset);
            file.write(garbage);
        }
    }

    @Test
    void garbageInTheCommandRingIsReportedAndTheClientGoesOn() throws IOException
    {
        try (EmbeddedDriver driver = new EmbeddedDriver("garbage");
            Gannet other = driver.connect();
            Gannet gannet = Gannet.connect(context(driver)))
        {
            final Publication publication = gannet.addExclusivePublication(CHANNEL, 1);
            final Subscription subscription = other.addSubscription(CHANNEL, 1);
            EmbeddedDriver.awaitConnected(publication, subscription);
            overwriteRing(driver, gannet, COMMAND_RING);
            Await.until("the report", () -> !driver.clientErrors.isEmpty());
            assertThat(driver.clientErrors).singleElement().asString().contains("command ring");
            exchange(publication, subscription, new AtomicLong());
            assertThat(gannet.addPublication(CHANNEL, 2).isClosed()).isFalse();
            assertThat(publication.isClosed()).isFalse();
            assertThat(driver.log).anyMatch(line -> line.contains("is given up"));
            driver.clientErrors.clear();
            driver.log.clear();
        }
    }

    @Test
    void garbageInTheEventRingClosesThisClientAlone() throws IOException
    {
        try (EmbeddedDriver driver = new EmbeddedDriver("garbage");
            Gannet other = driver.connect();
            Gannet gannet = Gannet.connect(context(driver)))
        {
            final Publication publication = gannet.addExclusivePublication(CHANNEL, 1);
            overwriteRing(driver, gannet, EVENT_RING);
            Await.until("the report", () -> !driver.clientErrors.isEmpty());
            assertThat(driver.clientErrors).singleElement().asString()
                .contains("was written to by something else").endsWith("(E231)");
            Await.until("the close", publication::isClosed);
            assertThatExceptionOfType(ClientClosedException.class)
                .isThrownBy(() -> gannet.addPublication(CHANNEL, 2));
            assertThat(other.addPublication(CHANNEL, 2).isClosed()).isFalse();
            driver.clientErrors.clear();
        }
    }

    @Test
    void aClientWaitsForItsDriver() throws IOException
    {
        final Path directory = TestDirectory.create("first");
        TestDirectory.remove(directory);
        final Gannet.Context context = new Gannet.Context().directory(directory)
            .driverTimeout(20, TimeUnit.MILLISECONDS);
        assertThatExceptionOfType(DriverUnavailableException.class).isThrownBy(() -> Gannet.connect(context))
            .withMessageContaining(directory + " does not exist").withMessageContaining("gannet driver")
            .satisfies(ex -> assertThat(ex.state()).isEqualTo(DriverState.NO_DRIVER));
        Files.createDirectory(directory);
        assertThatExceptionOfType(DriverUnavailableException.class).isThrownBy(() -> Gannet.connect(context))
            .withMessageContaining("no driver was started");
        TestDirectory.remove(directory);
        try (EmbeddedDriver driver = new EmbeddedDriver("wait"))
        {
            driver.stop();
            final Gannet.Context stopped = driver.context().driverTimeout(20, TimeUnit.MILLISECONDS);
            assertThatExceptionOfType(DriverUnavailableException.class).isThrownBy(() -> Gannet.connect(stopped))
                .withMessageContaining("was stopped")
                .satisfies(ex -> assertThat(ex.state()).isEqualTo(DriverState.DEAD));
            final Thread starter = new Thread(driver::start);
            starter.start();
            driver.connect().close();
            Await.until("the start", () -> !starter.isAlive());
            try (RandomAccessFile file = new RandomAccessFile(driver.directory().resolve("driver").toFile(), "rw"))
            {
                file.seek(8);
                file.write(9);
            }
            assertThatExceptionOfType(VersionMismatchException.class).isThrownBy(driver::connect)
                .withMessageContaining("layout version 9").withMessageContaining("version 1");
        }
    }
}

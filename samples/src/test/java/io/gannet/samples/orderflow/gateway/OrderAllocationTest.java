package io.gannet.samples.orderflow.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.gannet.Gannet;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.samples.marketdata.demo.Directories;
import io.gannet.samples.orderflow.client.OrderLoad;
import io.gannet.samples.orderflow.engine.Engine;
import io.gannet.samples.orderflow.engine.EngineSettings;
import io.gannet.samples.orderflow.engine.Layout;
import io.gannet.samples.orderflow.journal.Journal;
import io.gannet.samples.orderflow.link.GannetTransport;
import io.gannet.samples.orderflow.link.Streams;
import io.gannet.samples.orderflow.link.Waiting;
import io.gannet.samples.orderflow.matching.EngineLimits;
import io.gannet.samples.orderflow.matching.Tradables;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The gateway's thread and all threads of the engine allocate not one byte while orders pass: for orders, reports and
 * market data, for what is done by time, and for the journal's next files.
 */
final class OrderAllocationTest
{
    private static final int ROUNDS = 40;
    private static final int ORDERS = 4_000;
    private static final int WINDOW = 200;
    private static final int SESSIONS = 50;
    private static final int RING = 1 << 20;
    private static final int SEGMENT = 1 << 16;
    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SILENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(800);
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Tradables tradables = Tradables.example(2);
    private Path directory;
    private OrderLoad load;

    @BeforeEach
    void begin() throws IOException
    {
        directory = Files.createTempDirectory(Path.of("/dev/shm"), "gannet-test-allocation-");
    }

    @AfterEach
    void end() throws IOException
    {
        Directories.delete(directory);
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void ordersAllocateNothingInGatewayAndEngine(final Layout layout) throws IOException
    {
        final Path clients = directory.resolve("driver");
        try (MediaDriver _ = MediaDriver.launch(
            DriverConfiguration.defaults().withFlag(DriverOptions.DIRECTORY, clients.toString()));
            Gannet client = Gannet.connect(new Gannet.Context().directory(clients)))
        {
            final GannetTransport transport = new GannetTransport(client, "gannet:ipc", "gannet:ipc?ring=" + RING);
            try (Engine engine = new Engine(new EngineSettings(directory.resolve("journal"), SEGMENT,
                Journal.Durability.PROCESS, tradables, EngineLimits.defaults(), Streams.defaults(), layout,
                Waiting.SLEEP, true, false, EngineSettings.REPORT_LOG), transport, failure::set);
                Gateway gateway = new Gateway(new GatewaySettings(0, SESSIONS, directory.resolve("store"), RING,
                    tradables, Streams.defaults(), 1_000_000_000, 1_000_000, TimeUnit.HOURS.toNanos(1), 0,
                    Waiting.SLEEP), transport, transport, failure::set))
            {
                load = new OrderLoad(transport, Streams.defaults(), 0, 1, SESSIONS, 60_000, false, tradables, 1);
                until(() -> load.isEstablished() && gateway.isLinked(), "sessions and engine are there");
                measure(engine, layout);
                load.close();
            }
        }
    }

    private void measure(final Engine engine, final Layout layout) throws IOException
    {
        final long taken = engine.counters().commands.get();
        final long files = files();
        final int rounds = untilNothing(layout, this::orders);
        assertThat(engine.counters().commands.get() - taken).isGreaterThanOrEqualTo((long) ORDERS * rounds);
        assertThat(files() - files).as("files of the journal in each round").isGreaterThan(2L * rounds);
        assertThat(load.statistics().tradesTaken.get()).isGreaterThan(ORDERS / 20);
        untilNothing(layout, this::silence);
    }

    /**
     * What is allocated for orders or by time is allocated in each round; what is done once, as classes are loaded or
     * code is compiled or a book grows, ends.
     */
    private int untilNothing(final Layout layout, final Runnable work)
    {
        final Map<String, Long> least = new LinkedHashMap<>();
        int round = 0;
        do
        {
            final Map<String, Long> before = allocated();
            work.run();
            allocated().forEach((name, after) -> least.merge(name, after - before.get(name), Math::min));
            round++;
        }
        while (round < ROUNDS && least.values().stream().anyMatch(bytes -> bytes > 0));
        assertThat(least).as("threads that are looked at").hasSize(layout == Layout.FULL ? 7 :
            layout == Layout.TWO ? 3 : 2);
        assertThat(least.values()).as("bytes in %s, least of %d rounds", least, round).allMatch(bytes -> bytes == 0);
        return round;
    }

    /** Long enough for gateway and engine to ask each other what they have. */
    private void silence()
    {
        final long end = System.nanoTime() + SILENCE_NANOS;
        until(() -> System.nanoTime() - end >= 0, "time passes");
    }

    /** At least so long that what is done by time was done as well. */
    private void orders()
    {
        final long end = System.nanoTime() + ROUND_NANOS;
        final long goal = load.statistics().answered.get() + ORDERS;
        until(() ->
        {
            final boolean done = load.statistics().answered.get() >= goal && System.nanoTime() - end >= 0;
            for (int i = 0; !done && load.inFlight() < WINDOW && i < WINDOW; i++)
            {
                load.requestNow();
            }
            return done && load.inFlight() == 0;
        }, "orders are answered");
    }

    private long files() throws IOException
    {
        try (Stream<Path> files = Files.list(directory.resolve("journal")))
        {
            return files.filter(file -> file.toString().endsWith(".log")).count();
        }
    }

    private Map<String, Long> allocated()
    {
        final Map<String, Long> bytes = new LinkedHashMap<>();
        for (final Thread thread : Thread.getAllStackTraces().keySet())
        {
            switch (thread.getName())
            {
                case "gateway", "poll", "decode", "journal", "match", "publish", "feed" ->
                    bytes.put(thread.getName(), threads.getThreadAllocatedBytes(thread.threadId()));
                default ->
                {
                    if (thread.getName().startsWith("[") && thread.getName().endsWith("feed]"))
                    {
                        bytes.put(thread.getName(), threads.getThreadAllocatedBytes(thread.threadId()));
                    }
                }
            }
        }
        return bytes;
    }

    private void until(final BooleanSupplier condition, final String what)
    {
        final long start = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            if (load.doWork() == 0)
            {
                LockSupport.parkNanos(10_000);
            }
            assertThat(failure.get()).isNull();
            assertThat(System.nanoTime() - start).as("not within 60 s: %s", what).isLessThan(DEADLINE_NANOS);
        }
    }
}

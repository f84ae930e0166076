package io.gannet.samples.orderflow.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.samples.marketdata.cli.StatusLine;
import io.gannet.samples.marketdata.demo.Child;
import io.gannet.samples.marketdata.demo.DemoDriver;
import io.gannet.samples.marketdata.demo.Directories;
import io.gannet.samples.marketdata.demo.JavaCommand;
import io.gannet.samples.orderflow.client.LoadPlan;
import io.gannet.samples.orderflow.client.OrderLoad;
import io.gannet.samples.orderflow.link.GannetTransport;
import io.gannet.samples.orderflow.link.Streams;
import io.gannet.samples.orderflow.matching.Tradables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Driver, engine and gateway as processes, in a directory of their own, and the loads that this process makes; or two
 * drivers on software NICs, with the engine on the second.
 */
final class VenueProcesses implements AutoCloseable
{
    static final String MAIN = "io.gannet.cli.Main";
    static final String CHANNEL = "gannet:ipc?ring=1m";
    static final int SESSIONS = 20;
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(180);
    private static final Pattern READY = Pattern.compile("gannet driver ready: .*device roce:(\\S+)");

    final Path directory = Files.createTempDirectory(Path.of("/dev/shm"), "gannet-orders-it-");
    Path journal = directory.resolve("journal");
    Path store = directory.resolve("store");
    /** Of the driver that clients and gateway use. */
    Path driverDirectory = directory;
    private final List<Child> children = new ArrayList<>();
    private final List<OrderLoad> loads = new ArrayList<>();
    private Path engineDirectory;
    private String toEngine = CHANNEL;
    private String fromEngine = CHANNEL;
    Child driver;
    Child engine;
    Child gateway;

    VenueProcesses() throws IOException
    {
        // All paths are fields.
    }

    private Child start(final String name, final List<String> command) throws IOException
    {
        final Child child = Child.start(name, command);
        children.add(child);
        return child;
    }

    private static List<String> orders(final Path side, final String in, final String out, final String... words)
    {
        final List<String> arguments = new ArrayList<>(List.of("orders"));
        arguments.addAll(List.of(words));
        arguments.addAll(List.of("--child", "--dir", side.toString(), "--in", in, "--out", out));
        return JavaCommand.of(MAIN, arguments);
    }

    void startDriver() throws IOException
    {
        driver = start("driver", JavaCommand.of(DemoDriver.class.getName(), List.of("--dir",
            driverDirectory.toString())));
        engineDirectory = driverDirectory;
    }

    /** Two drivers, each on a loopback address that nobody has; the engine is on the second. */
    void startDrivers() throws IOException
    {
        driverDirectory = Files.createDirectory(directory.resolve("host1"));
        engineDirectory = Files.createDirectory(directory.resolve("host2"));
        final List<Child> drivers = new ArrayList<>();
        for (final Path side : List.of(driverDirectory, engineDirectory))
        {
            drivers.add(start("driver", JavaCommand.of(DemoDriver.class.getName(), List.of("--dir", side.toString(),
                "--device", "roce"))));
        }
        driver = drivers.getFirst();
        fromEngine = "gannet:rdma?endpoint=" + address(drivers.getFirst()) + ":7002|ring=1m";
        toEngine = "gannet:rdma?endpoint=" + address(drivers.getLast()) + ":7001|ring=1m";
    }

    private static String address(final Child driver)
    {
        final long start = System.nanoTime();
        Matcher ready = null;
        while (ready == null)
        {
            assertThat(driver.isAlive() && System.nanoTime() - start < DEADLINE_NANOS)
                .as("a ready driver with a software NIC: %s", driver.ending()).isTrue();
            LockSupport.parkNanos(5_000_000);
            ready = driver.find(READY);
        }
        return ready.group(1);
    }

    void startEngine() throws IOException
    {
        engine = start("engine", orders(engineDirectory, toEngine, fromEngine, "engine", "--journal",
            journal.toString(), "--segment-size", "1"));
    }

    void startGateway() throws IOException
    {
        gateway = newGateway(0, store, 2 * SESSIONS);
    }

    Child newGateway(final int id, final Path itsStore, final int sessions) throws IOException
    {
        return start("gateway " + id, orders(driverDirectory, CHANNEL, CHANNEL, "gateway", "--id",
            Integer.toString(id), "--store", itsStore.toString(), "--sessions", Integer.toString(sessions),
            "--log-size", "4", "--grace", "100000", "--rate", "1000000", "--burst", "100000", "--engine-in",
            fromEngine, "--engine-out", toEngine));
    }

    /** More clients, as a process: sessions behind those of {@link #load}. */
    Child startClients(final int rate) throws IOException
    {
        return start("clients", orders(driverDirectory, CHANNEL, CHANNEL, "clients", "--connection", "1",
            "--first-session", Integer.toString(SESSIONS + 1), "--sessions", Integer.toString(SESSIONS), "--rate",
            Integer.toString(rate), "--burst", "20", "--keep-alive", "300", "--seed", "7"));
    }

    /** A subscriber of the market data, on the clients' side. */
    Child startFeed() throws IOException
    {
        return start("feed", JavaCommand.of(MAIN, List.of("feed", "subscribe", "--child", "--dir",
            driverDirectory.toString(), "--channel", fromEngine, "--stream",
            Integer.toString(Streams.defaults().feed()))));
    }

    Gannet connect()
    {
        return Gannet.connect(new Gannet.Context().directory(driverDirectory).driverTimeout(90, TimeUnit.SECONDS));
    }

    OrderLoad load(final Gannet client, final long seed)
    {
        return load(client, 0, 1, seed);
    }

    OrderLoad load(final Gannet client, final int connection, final int firstSession, final long seed)
    {
        final OrderLoad load = new OrderLoad(new GannetTransport(client, CHANNEL, CHANNEL), Streams.defaults(),
            connection, firstSession, SESSIONS, 300, false, Tradables.example(4), seed);
        loads.add(load);
        return load;
    }

    static void kill(final Child child)
    {
        assertThat(ProcessHandle.of(child.pid()).orElseThrow().destroyForcibly()).isTrue();
        assertThat(child.await(60, TimeUnit.SECONDS)).isTrue();
    }

    static void signal(final String signal, final Child child) throws IOException
    {
        try
        {
            assertThat(new ProcessBuilder("kill", "-" + signal, String.valueOf(child.pid())).inheritIO().start()
                .waitFor()).isZero();
        }
        catch (final InterruptedException interrupted)
        {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    /** Goes on with the loads until something is so. */
    void until(final String what, final BooleanSupplier condition)
    {
        final long start = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            int work = 0;
            for (final OrderLoad load : loads)
            {
                work += load.doWork();
            }
            if (work == 0)
            {
                LockSupport.parkNanos(100_000);
            }
            if (System.nanoTime() - start > DEADLINE_NANOS)
            {
                final StringBuilder text = new StringBuilder("not within 180 s: " + what);
                children.forEach(child -> text.append('\n').append(child.ending()).append('\n')
                    .append(child.status()));
                throw new AssertionError(text.toString());
            }
        }
    }

    /** Goes on with the loads for so long. */
    void goOn(final long millis)
    {
        final long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        until("time passes", () -> System.nanoTime() - end >= 0);
    }

    void untilLinked()
    {
        final Child now = gateway;
        until("the gateway has the engine", () -> now.status().number("linked") == 1);
    }

    /** So many more requests of a load are answered, and some trade. */
    void untilAnswered(final OrderLoad load, final int more)
    {
        final long goal = load.statistics().answered.get() + more;
        final long trades = load.statistics().tradesTaken.get() + Math.min(more / 10, 10);
        until("orders are answered and trade", () ->
            load.statistics().answered.get() > goal && load.statistics().tradesTaken.get() > trades);
    }

    /** Sessions, gateway and engine are there and orders go. */
    OrderLoad begin(final Gannet client, final long seed, final double rate)
    {
        final OrderLoad load = load(client, seed);
        until("sessions are established", load::isEstablished);
        // Before that all orders are refused, and the engine would have nothing to recover.
        untilLinked();
        load.begin(new LoadPlan(rate, 20), Long.MAX_VALUE);
        return load;
    }

    /** No more requests; all have their answers, and all trades by them are told. */
    void endOfLoads()
    {
        for (final OrderLoad load : loads)
        {
            load.begin(new LoadPlan(1, 0), 0);
        }
        until("every request is answered", () -> loads.stream().allMatch(load -> load.inFlight() == 0));
        loads.forEach(OrderLoad::flush);
        until("every report is there", () -> loads.stream().allMatch(OrderLoad::isFlushed));
    }

    /**
     * Ends it all and compares: each request has its answer, no trade's report is missing or came twice, and engine and
     * clients count the same.
     *
     * @param others final words of clients in processes of their own.
     */
    StatusLine endAndCheck(final StatusLine... others)
    {
        endOfLoads();
        gateway.stop();
        assertThat(gateway.await(60, TimeUnit.SECONDS)).as(gateway.ending()).isTrue();
        engine.stop();
        assertThat(engine.await(60, TimeUnit.SECONDS)).as(engine.ending()).isTrue();
        long taken = 0;
        long made = 0;
        long bought = 0;
        long sold = 0;
        for (final OrderLoad load : loads)
        {
            assertThat(load.statistics().lost.get()).isZero();
            taken += load.statistics().tradesTaken.get();
            made += load.statistics().tradesMade.get();
            bought += load.statistics().bought.get();
            sold += load.statistics().sold.get();
            load.close();
        }
        for (final StatusLine other : others)
        {
            assertThat(other.number("answered")).isEqualTo(other.number("sent"));
            assertThat(other.number("lost")).isZero();
            taken += other.number("taken");
            made += other.number("made");
            bought += other.number("bought");
            sold += other.number("sold");
        }
        assertThat(bought).isEqualTo(sold);
        assertThat(taken).isEqualTo(made).isEqualTo(engine.status().number("trades")).isPositive();
        return engine.status();
    }

    @Override
    public void close() throws IOException
    {
        children.reversed().forEach(Child::close);
        Directories.delete(directory);
    }
}

package io.gannet.samples.orderflow.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.samples.marketdata.demo.Child;
import io.gannet.samples.marketdata.demo.DemoDriver;
import io.gannet.samples.marketdata.demo.Directories;
import io.gannet.samples.marketdata.demo.JavaCommand;
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

/** Driver, engine and gateway as processes, in a directory of their own, and the load that this process makes. */
final class VenueProcesses implements AutoCloseable
{
    static final String MAIN = "io.gannet.cli.Main";
    static final String CHANNEL = "gannet:ipc?ring=1m";
    static final int SESSIONS = 20;
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(180);

    final Path directory;
    private final List<Child> children = new ArrayList<>();
    Child driver;
    Child engine;
    Child gateway;

    VenueProcesses() throws IOException
    {
        directory = Files.createTempDirectory(Path.of("/dev/shm"), "gannet-orders-it-");
    }

    private Child start(final String name, final List<String> command) throws IOException
    {
        final Child child = Child.start(name, command);
        children.add(child);
        return child;
    }

    private List<String> orders(final String... words)
    {
        final List<String> arguments = new ArrayList<>(List.of("orders"));
        arguments.addAll(List.of(words));
        arguments.addAll(List.of("--child", "--dir", directory.toString(), "--in", CHANNEL, "--out", CHANNEL));
        return JavaCommand.of(MAIN, arguments);
    }

    void startDriver() throws IOException
    {
        driver = start("driver", JavaCommand.of(DemoDriver.class.getName(), List.of("--dir", directory.toString())));
    }

    void startEngine() throws IOException
    {
        engine = start("engine", orders("engine", "--journal", directory.resolve("journal").toString(),
            "--segment-size", "1"));
    }

    void startGateway() throws IOException
    {
        gateway = start("gateway", orders("gateway", "--store", directory.resolve("store").toString(), "--sessions",
            Integer.toString(SESSIONS), "--log-size", "4", "--grace", "100000", "--rate", "1000000", "--burst",
            "100000"));
    }

    Gannet connect()
    {
        return Gannet.connect(new Gannet.Context().directory(directory).driverTimeout(90, TimeUnit.SECONDS));
    }

    OrderLoad load(final Gannet client, final long seed)
    {
        return new OrderLoad(new GannetTransport(client, CHANNEL, CHANNEL), Streams.defaults(), 0, 1, SESSIONS, 300,
            false, Tradables.example(4), seed);
    }

    static void kill(final Child child)
    {
        assertThat(ProcessHandle.of(child.pid()).orElseThrow().destroyForcibly()).isTrue();
        assertThat(child.await(60, TimeUnit.SECONDS)).isTrue();
    }

    /** Goes on with the load until something is so. */
    void until(final OrderLoad load, final String what, final BooleanSupplier condition)
    {
        final long start = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            if (load.doWork() == 0)
            {
                LockSupport.parkNanos(100_000);
            }
            if (System.nanoTime() - start > DEADLINE_NANOS)
            {
                throw new AssertionError("not within 180 s: " + what + "\ndriver: " + driver.ending() + "\nengine: " +
                    engine.ending() + "\ngateway: " + gateway.ending() + "\n" + gateway.status());
            }
        }
    }

    void untilLinked(final OrderLoad load)
    {
        final Child now = gateway;
        until(load, "the gateway has the engine", () -> now.status().number("linked") == 1);
    }

    @Override
    public void close() throws IOException
    {
        children.reversed().forEach(Child::close);
        Directories.delete(directory);
    }
}

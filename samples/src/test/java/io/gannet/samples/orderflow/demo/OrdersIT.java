package io.gannet.samples.orderflow.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.samples.marketdata.cli.StatusLine;
import io.gannet.samples.marketdata.demo.Child;
import io.gannet.samples.marketdata.demo.DemoDriver;
import io.gannet.samples.marketdata.demo.Directories;
import io.gannet.samples.marketdata.demo.JavaCommand;
import io.gannet.samples.orderflow.client.LoadPlan;
import io.gannet.samples.orderflow.client.LoadStatistics;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The venue as processes: the demo from end to end, and kill -9 of gateway and engine under load. */
final class OrdersIT
{
    private static final String MAIN = "io.gannet.cli.Main";
    private static final String CHANNEL = "gannet:ipc?ring=1m";
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(180);
    private static final int SESSIONS = 20;

    private final List<Child> children = new ArrayList<>();
    private Path directory;

    @BeforeEach
    void makeDirectory() throws IOException
    {
        directory = Files.createTempDirectory(Path.of("/dev/shm"), "gannet-orders-it-");
    }

    @AfterEach
    void end() throws IOException
    {
        children.reversed().forEach(Child::close);
        Directories.delete(directory);
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

    private Child engine() throws IOException
    {
        return start("engine", orders("engine", "--journal", directory.resolve("journal").toString(),
            "--segment-size", "1"));
    }

    private Child gateway() throws IOException
    {
        return start("gateway", orders("gateway", "--store", directory.resolve("store").toString(), "--sessions",
            Integer.toString(SESSIONS), "--log-size", "4", "--grace", "100000", "--rate", "1000000", "--burst",
            "100000"));
    }

    private static void kill(final Child child)
    {
        assertThat(ProcessHandle.of(child.pid()).orElseThrow().destroyForcibly()).isTrue();
        assertThat(child.await(60, TimeUnit.SECONDS)).isTrue();
    }

    private static void until(final OrderLoad load, final String what, final BooleanSupplier condition)
    {
        final long start = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            if (load == null || load.doWork() == 0)
            {
                LockSupport.parkNanos(100_000);
            }
            assertThat(System.nanoTime() - start).as("time to wait until %s", what).isLessThan(DEADLINE_NANOS);
        }
    }

    @Test
    void nothingAcknowledgedIsLostAndAllIsAnsweredWhenGatewayAndEngineAreKilled() throws IOException
    {
        start("driver", JavaCommand.of(DemoDriver.class.getName(), List.of("--dir", directory.toString())));
        Child engine = engine();
        Child gateway = gateway();
        try (Gannet client = Gannet.connect(new Gannet.Context().directory(directory)
            .driverTimeout(90, TimeUnit.SECONDS)))
        {
            final OrderLoad load = new OrderLoad(new GannetTransport(client, CHANNEL, CHANNEL), Streams.defaults(), 0,
                1, SESSIONS, 300, false, Tradables.example(4), 7);
            final LoadStatistics counted = load.statistics();
            until(load, "sessions are established", load::isEstablished);
            final Child firstGateway = gateway;
            // Before that all orders are refused, and the engine would have nothing to recover.
            until(load, "the gateway has the engine", () -> firstGateway.status().number("linked") == 1);
            load.begin(new LoadPlan(500, 20), Long.MAX_VALUE);
            until(load, "trades are made", () -> counted.answered.get() > 300 && counted.tradesTaken.get() > 20);

            kill(engine);
            engine = engine();
            final Child secondEngine = engine;
            until(load, "the new engine has recovered", () -> secondEngine.status().number("recovered") > 0);
            final Child oldGateway = gateway;
            until(load, "the gateway has the new engine", () -> oldGateway.status().number("links") >= 2);
            final long afterEngine = counted.tradesTaken.get();
            until(load, "trades go on", () -> counted.tradesTaken.get() > afterEngine + 20);

            kill(gateway);
            gateway = gateway();
            until(load, "the client noticed", () -> !load.isEstablished());
            until(load, "sessions are established again", load::isEstablished);
            final Child secondGateway = gateway;
            until(load, "the new gateway has the engine", () -> secondGateway.status().number("linked") == 1);
            final long afterGateway = counted.tradesTaken.get();
            until(load, "trades go on", () -> counted.tradesTaken.get() > afterGateway + 20);

            load.begin(new LoadPlan(1, 0), 0);
            until(load, "every request is answered", () -> load.inFlight() == 0);
            gateway.stop();
            gateway.await(60, TimeUnit.SECONDS);
            engine.stop();
            assertThat(engine.await(60, TimeUnit.SECONDS)).as(engine.ending()).isTrue();
            final StatusLine last = engine.status();
            // Quantities agree only if no trade's report was lost or came twice, over both deaths.
            assertThat(counted.lost.get()).isZero();
            assertThat(counted.bought.get()).isEqualTo(counted.sold.get());
            assertThat(counted.tradesTaken.get()).isEqualTo(counted.tradesMade.get())
                .isEqualTo(last.number("trades"));
            load.close();
        }
    }

    @Test
    void theDemoAnswersEveryRequestAndItsBooksAgree() throws IOException
    {
        final Path json = directory.resolve("result.json");
        final Child demo = start("demo", JavaCommand.of(MAIN, List.of("demo", "orders", "--seconds", "2", "--clients",
            "20", "--rate", "300", "--channel", CHANNEL, "--json", json.toString())));
        assertThat(demo.await(300, TimeUnit.SECONDS)).as("the demo ends by itself").isTrue();
        assertThat(demo.ending()).contains("exit code 0");
        assertThat(Files.readString(json)).contains("\"booksEqual\": true").contains("\"sent\": 600,")
            .contains("\"answered\": 600,");
    }
}

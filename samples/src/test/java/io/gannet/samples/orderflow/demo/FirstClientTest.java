package io.gannet.samples.orderflow.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.driver.DriverConfiguration;
import io.gannet.driver.DriverOptions;
import io.gannet.driver.MediaDriver;
import io.gannet.orderflow.BusinessMessageRejectDecoder;
import io.gannet.orderflow.EstablishRejectReason;
import io.gannet.orderflow.ExecutionReportDecoder;
import io.gannet.orderflow.ExecutionReportTradeDecoder;
import io.gannet.orderflow.Side;
import io.gannet.samples.UtcClock;
import io.gannet.samples.marketdata.demo.Directories;
import io.gannet.samples.orderflow.client.OrderConnection;
import io.gannet.samples.orderflow.client.OrderFields;
import io.gannet.samples.orderflow.client.OrderSession;
import io.gannet.samples.orderflow.client.ReportListener;
import io.gannet.samples.orderflow.engine.Engine;
import io.gannet.samples.orderflow.engine.EngineSettings;
import io.gannet.samples.orderflow.engine.Layout;
import io.gannet.samples.orderflow.gateway.Gateway;
import io.gannet.samples.orderflow.gateway.GatewaySettings;
import io.gannet.samples.orderflow.journal.Journal;
import io.gannet.samples.orderflow.link.GannetTransport;
import io.gannet.samples.orderflow.link.Streams;
import io.gannet.samples.orderflow.link.Transport;
import io.gannet.samples.orderflow.link.Waiting;
import io.gannet.samples.orderflow.matching.EngineLimits;
import io.gannet.samples.orderflow.matching.Tradables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The client that the tutorial shows is what is compiled here, and trades. */
final class FirstClientTest
{
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private Path directory;
    private int trades;

    @BeforeEach
    void begin() throws IOException
    {
        directory = Files.createTempDirectory(Path.of("/dev/shm"), "gannet-test-first-client-");
    }

    @AfterEach
    void end() throws IOException
    {
        Directories.delete(directory);
    }

    @Test
    void theFirstClientOfTheTutorialTrades() throws IOException
    {
        final Path shared = directory.resolve("driver");
        final Tradables tradables = Tradables.example(4);
        try (MediaDriver _ = MediaDriver.launch(
            DriverConfiguration.defaults().withFlag(DriverOptions.DIRECTORY, shared.toString()));
            Gannet venue = Gannet.connect(new Gannet.Context().directory(shared));
            Gannet client = Gannet.connect(new Gannet.Context().directory(shared)))
        {
            final Transport transport = new GannetTransport(venue, "gannet:ipc?ring=1m", "gannet:ipc?ring=1m");
            try (Engine _ = new Engine(new EngineSettings(directory.resolve("journal"), 1 << 20,
                Journal.Durability.PROCESS, tradables, EngineLimits.defaults(), Streams.defaults(), Layout.ONE,
                Waiting.SLEEP, true, false, EngineSettings.REPORT_LOG), transport, failure::set);
                Gateway gateway = new Gateway(new GatewaySettings(0, 2_048, directory.resolve("store"), 1 << 20,
                    tradables, Streams.defaults(), 1_000, 200, DEADLINE_NANOS, 0, Waiting.SLEEP), transport,
                    transport, failure::set);
                OrderConnection other = new OrderConnection(transport, Streams.defaults(), 8, 1 << 16, 10_000, true,
                    new ReportListener()
                    {
                    }))
            {
                final OrderSession seller = other.session(43);
                final long start = System.nanoTime();
                while (!seller.isEstablished() || !gateway.isLinked())
                {
                    other.poll(16);
                    check(start);
                }
                seller.send(new OrderFields().limit(1, 1001, Side.Sell, 100_000_000_000L, 10), new UtcClock().nanos());
                trade(client, start);
            }
        }
    }

    private void check(final long start)
    {
        assertThat(failure.get()).isNull();
        assertThat(System.nanoTime() - start).as("not within 60 s").isLessThan(DEADLINE_NANOS);
    }

    private void trade(final Gannet client, final long start)
    {
        Transport transport = new GannetTransport(client, "gannet:ipc", "gannet:ipc");
        OrderConnection connection = new OrderConnection(
            transport, Streams.defaults(), 7, 1 << 20, 1_000, true, new ReportListener()
            {
                @Override
                public void onReport(final OrderSession session, final ExecutionReportDecoder report)
                {
                    System.out.println("order " + report.clOrdID() + ": " + report.execType());
                }

                @Override
                public void onTrade(final OrderSession session, final ExecutionReportTradeDecoder trade)
                {
                    System.out.println(trade.lastQty() + " at " + trade.lastPx().mantissa());
                    trades += trade.lastQty() == 10 ? 1 : 0;
                }

                @Override
                public void onBusinessReject(final OrderSession session, final BusinessMessageRejectDecoder reject)
                {
                    System.out.println("not processed: " + reject.businessRejectReason());
                }

                @Override
                public void onEstablishmentReject(final OrderSession session, final EstablishRejectReason reason)
                {
                    System.out.println("no session: " + reason);
                }
            });
        OrderSession session = connection.session(1042);
        while (!session.isEstablished())
        {
            connection.poll(16);
            check(start);
        }
        session.send(new OrderFields().limit(1, 1001, Side.Buy, 110_000_000_000L, 10), new UtcClock().nanos());
        while (trades == 0)
        {
            connection.poll(16);
            check(start);
        }
        connection.close();
    }

    @Test
    void theTutorialShowsThisClient() throws IOException
    {
        final String tutorial = Files.readString(Path.of("..", "docs", "order-flow.md"));
        final int start = tutorial.indexOf("```java\n") + "```java\n".length();
        final List<String> shown = tutorial.substring(start, tutorial.indexOf("```\n", start)).lines()
            .map(String::strip).filter(line -> !line.equals("Gannet client = Gannet.connect();") &&
            !line.equals("void main()") && !line.equals("while (true)")).toList();
        assertThat(shown).hasSizeGreaterThan(50);
        assertThat(Files.readString(Path.of("src/test/java/io/gannet/samples/orderflow/demo/FirstClientTest.java"))
            .lines().map(String::strip).toList()).containsAll(shown);
    }
}

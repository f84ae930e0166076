package io.gannet.samples.orderflow.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.samples.marketdata.demo.Child;
import io.gannet.samples.marketdata.demo.JavaCommand;
import io.gannet.samples.orderflow.client.OrderLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The venue as processes: the demo from end to end, and kill -9 of each process under load, at any moment. */
final class OrdersIT
{
    /** More of both: -Dgannet.orders.seed=N -Dgannet.orders.kills=N. */
    private static final long SEED = Long.getLong("gannet.orders.seed", 1);
    private static final int KILLS = Integer.getInteger("gannet.orders.kills", 5);

    private VenueProcesses venue;

    @BeforeEach
    void begin() throws IOException
    {
        venue = new VenueProcesses();
    }

    @AfterEach
    void end() throws IOException
    {
        venue.close();
    }

    @Test
    void nothingAcknowledgedIsLostAndAllIsAnsweredWhenAnyProcessIsKilledAtAnyMoment() throws IOException
    {
        final Random random = new Random(SEED);
        venue.startDriver();
        venue.startEngine();
        venue.startGateway();
        try (Gannet client = venue.connect())
        {
            final OrderLoad load = venue.begin(client, SEED, 500);
            for (int kill = 0; kill <= KILLS; kill++)
            {
                venue.untilAnswered(load, 50 + random.nextInt(300));
                if (kill < KILLS)
                {
                    // The first five have every kind among them, whatever the seed.
                    killAndRestart(kill % 5, load, random);
                }
            }
            // Quantities agree only if no trade's report was lost or came twice, over all deaths.
            venue.endAndCheck();
        }
    }

    private void killAndRestart(final int which, final OrderLoad load, final Random random) throws IOException
    {
        final boolean engine = which == 0 || which == 3;
        final boolean gateway = which == 1 || which == 3 || which == 4;
        final boolean driver = which == 2 || which == 4;
        System.err.println("kill -9:" + (engine ? " engine" : "") + (gateway ? " gateway" : "") +
            (driver ? " driver" : ""));
        for (final Child child : new Child[]{engine ? venue.engine : null, gateway ? venue.gateway : null,
            driver ? venue.driver : null})
        {
            if (child != null)
            {
                VenueProcesses.kill(child);
            }
        }
        // They are away for a while.
        venue.goOn(random.nextInt(500));
        if (driver)
        {
            venue.startDriver();
        }
        if (engine)
        {
            venue.startEngine();
        }
        if (gateway)
        {
            venue.startGateway();
            venue.until("the client noticed", () -> !load.isEstablished());
        }
        venue.until("sessions are established again", load::isEstablished);
        if (engine)
        {
            final Child started = venue.engine;
            venue.until("the new engine has recovered", () -> started.status().number("recovered") > 0);
        }
        if (engine && !gateway)
        {
            final Child old = venue.gateway;
            final long links = old.status().number("links");
            venue.until("the gateway has the new engine", () -> old.status().number("links") > links ||
                old.status().number("linked") == 1);
        }
        venue.untilLinked();
    }

    @Test
    void theDemoAnswersEveryRequestAndItsBooksAgree() throws IOException
    {
        final Path json = venue.directory.resolve("result.json");
        try (Child demo = Child.start("demo", JavaCommand.of(VenueProcesses.MAIN, List.of("demo", "orders",
            "--seconds", "2", "--clients", "20", "--rate", "300", "--channel", VenueProcesses.CHANNEL, "--json",
            json.toString()))))
        {
            assertThat(demo.await(300, TimeUnit.SECONDS)).as("the demo ends by itself").isTrue();
            // Empty books would always agree.
            assertThat(demo.ending()).contains("exit code 0").containsPattern("in engine and feed: [1-9][0-9]* orders");
            assertThat(Files.readString(json)).contains("\"booksEqual\": true").contains("\"sent\": 600,")
                .contains("\"answered\": 600,");
        }
    }
}

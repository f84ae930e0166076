package io.gannet.samples.orderflow.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.samples.marketdata.cli.StatusLine;
import io.gannet.samples.marketdata.demo.Child;
import io.gannet.samples.orderflow.client.OrderLoad;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Processes that stand still for seconds and go on, and a client that dies: nothing is lost, and nobody hangs. */
final class OrdersStopIT
{
    private static final long STOP_MILLIS = 3_000;

    private VenueProcesses venue;

    @BeforeEach
    void begin() throws IOException
    {
        venue = new VenueProcesses();
        venue.startDriver();
        venue.startEngine();
        venue.startGateway();
    }

    @AfterEach
    void end() throws IOException
    {
        venue.close();
    }

    private long ofGateway(final String key)
    {
        return venue.gateway.status().number(key);
    }

    private void untilAnswered(final Child clients, final int more)
    {
        final long goal = clients.status().number("answered") + more;
        venue.until("the clients' process goes on", () -> clients.status().number("answered") > goal);
    }

    private StatusLine stop(final Child clients)
    {
        clients.stop();
        venue.until("the clients' process ends", () -> !clients.isAlive());
        clients.await(60, TimeUnit.SECONDS);
        assertThat(clients.ending()).contains("exit code 0");
        return clients.status();
    }

    @Test
    void nothingIsLostWhenClientsGatewayAndEngineStandStillForSeconds() throws IOException
    {
        try (Gannet client = venue.connect())
        {
            final OrderLoad load = venue.begin(client, 3, 300);
            final Child clients = venue.startClients(300);
            untilAnswered(clients, 50);

            VenueProcesses.signal("STOP", clients);
            venue.until("its sessions are over", () -> ofGateway("established") == VenueProcesses.SESSIONS);
            venue.until("its orders are canceled", () -> ofGateway("disconnects") == VenueProcesses.SESSIONS);
            venue.untilAnswered(load, 100);
            VenueProcesses.signal("CONT", clients);
            venue.until("its sessions are back", () -> ofGateway("established") == 2 * VenueProcesses.SESSIONS);
            untilAnswered(clients, 50);

            VenueProcesses.signal("STOP", venue.gateway);
            venue.goOn(STOP_MILLIS);
            assertThat(load.isEstablished()).as("the client has noticed").isFalse();
            VenueProcesses.signal("CONT", venue.gateway);
            venue.until("sessions are established again", load::isEstablished);
            venue.untilAnswered(load, 100);
            untilAnswered(clients, 50);

            VenueProcesses.signal("STOP", venue.engine);
            venue.goOn(STOP_MILLIS);
            VenueProcesses.signal("CONT", venue.engine);
            venue.untilLinked();
            venue.untilAnswered(load, 100);
            untilAnswered(clients, 50);
            // First, so that nothing trades any more with a process that has ended.
            venue.endOfLoads();
            venue.endAndCheck(stop(clients));
        }
    }

    /** More than its ring holds, so that whoever waited for it would stand still. */
    @Test
    void aSubscriberOfMarketDataThatStandsStillHoldsNobodyUpAndRecovers() throws IOException
    {
        try (Gannet client = venue.connect())
        {
            final Child feed = venue.startFeed();
            final OrderLoad load = venue.begin(client, 9, 3_000);
            venue.until("the subscriber is in sync", () -> feed.status().number("messages") > 100);
            VenueProcesses.signal("STOP", feed);
            venue.untilAnswered(load, 25_000);
            VenueProcesses.signal("CONT", feed);
            venue.until("the subscriber has the books again", () -> feed.status().number("gaps") > 0 &&
                feed.status().number("recoveries") > 0 && feed.status().text("state").equals("in sync"));
            venue.untilAnswered(load, 500);
            final StatusLine last = venue.endAndCheck();
            assertThat(feed.await(60, TimeUnit.SECONDS)).as(feed.ending()).isTrue();
            assertThat(feed.status().number("faulty")).isZero();
            assertThat(feed.status().text("digest")).isEqualTo(last.text("digest"));
        }
    }

    @Test
    void ordersOfAClientThatIsKilledAreCanceledAndItsSessionsAreTakenOverByTheNextRun() throws IOException
    {
        try (Gannet client = venue.connect())
        {
            final OrderLoad load = venue.begin(client, 4, 300);
            final Child killed = venue.startClients(300);
            untilAnswered(killed, 100);
            VenueProcesses.kill(killed);
            venue.until("its sessions are over", () -> ofGateway("established") == VenueProcesses.SESSIONS);
            venue.until("its orders are canceled", () -> ofGateway("disconnects") == VenueProcesses.SESSIONS);
            venue.untilAnswered(load, 100);
            final Child next = venue.startClients(300);
            untilAnswered(next, 100);
            final StatusLine last = stop(next);
            assertThat(last.number("answered")).isEqualTo(last.number("sent")).isGreaterThan(100);
            assertThat(last.number("lost")).isZero();
            venue.until("its sessions are over", () -> ofGateway("disconnects") == 2 * VenueProcesses.SESSIONS);
            venue.untilAnswered(load, 100);
            venue.endOfLoads();
            assertThat(load.statistics().lost.get()).isZero();
        }
    }
}

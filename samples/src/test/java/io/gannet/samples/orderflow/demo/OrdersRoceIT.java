package io.gannet.samples.orderflow.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Gannet;
import io.gannet.samples.marketdata.cli.StatusLine;
import io.gannet.samples.marketdata.demo.Child;
import io.gannet.samples.orderflow.client.OrderLoad;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Order flow between two hosts: two drivers on software NICs, RoCE packets between gateway and engine. */
final class OrdersRoceIT
{
    @Test
    void nothingIsLostBetweenHostsWhenEngineAndGatewayAreKilledAndTheBooksAgree() throws IOException
    {
        try (VenueProcesses venue = new VenueProcesses())
        {
            venue.startDrivers();
            venue.startEngine();
            venue.startGateway();
            try (Gannet client = venue.connect())
            {
                final OrderLoad load = venue.begin(client, 5, 300);
                venue.untilAnswered(load, 200);

                VenueProcesses.kill(venue.engine);
                final long links = venue.gateway.status().number("links");
                venue.startEngine();
                final Child engine = venue.engine;
                venue.until("the new engine has recovered", () -> engine.status().number("recovered") > 0);
                venue.until("the gateway has the new engine", () ->
                    venue.gateway.status().number("links") > links && venue.gateway.status().number("linked") == 1);
                final Child feed = venue.startFeed();
                venue.untilAnswered(load, 200);

                VenueProcesses.kill(venue.gateway);
                venue.startGateway();
                venue.until("the client noticed", () -> !load.isEstablished());
                venue.until("sessions are established again", load::isEstablished);
                venue.untilLinked();
                venue.until("the subscriber has the books", () -> feed.status().number("messages") > 0);
                venue.untilAnswered(load, 200);

                final StatusLine last = venue.endAndCheck();
                assertThat(feed.await(60, TimeUnit.SECONDS)).as(feed.ending()).isTrue();
                assertThat(feed.status().number("final")).as(feed.ending()).isEqualTo(1);
                assertThat(feed.status().number("orders")).isEqualTo(last.number("orders")).isPositive();
                assertThat(feed.status().text("digest")).isEqualTo(last.text("digest"));
            }
        }
    }
}

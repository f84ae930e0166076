package io.gannet.samples.orderflow.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.orderflow.Side;
import io.gannet.samples.orderflow.client.OrderFields;
import io.gannet.samples.orderflow.engine.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Engine, gateway and client find out that another has not the state that it had, and do nothing twice. */
final class WrongPartnerTest
{
    @TempDir
    private Path directory;

    private final OrderFields order = new OrderFields();

    private OrderFields buy(final long id)
    {
        return order.limit(id, Venue.SECURITY, Side.Buy, 100 * Venue.UNIT, 1);
    }

    @Test
    void anEngineWithoutItsJournalIsNotLinkedUntilItHasItBack() throws IOException
    {
        final Path aside = directory.resolve("aside");
        try (Venue venue = new Venue(directory, Layout.ONE).startEngine().startGateway())
        {
            final Venue.Client client = venue.new Client(0, false, 2).establish();
            client.session().send(buy(1), 1);
            client.await(1);
            venue.engine.close();
            Files.move(venue.journal(), aside);
            venue.startEngine();
            venue.until(() -> venue.gateway.counters().refusedLinks.get() > 0, "the gateway refuses the engine");
            client.session().send(buy(2), 1);
            client.await(2);
            assertThat(venue.gateway.isLinked()).isFalse();
            assertThat(venue.engine.matching().orders()).as("orders done again").isZero();
            venue.engine.close();
            Files.move(venue.journal(), directory.resolve("wrong"));
            Files.move(aside, venue.journal());
            venue.startEngine();
            venue.until(venue.gateway::isLinked, "the gateway takes the engine with its journal");
            client.session().send(buy(3), 1);
            client.await(3);
            assertThat(client.told).containsExactly("New 1 leaves 1 cum 0 None",
                "BusinessReject 2 ApplicationNotAvailable", "New 3 leaves 1 cum 0 None");
        }
    }

    @Test
    void aGatewayWhoseNumberANewerStoreHasIsRefusedAndItsCommandsAreNotDoneAgain() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE).startEngine().startGateway())
        {
            final Venue.Client client = venue.new Client(0, false, 2).establish();
            for (int i = 1; i <= 3; i++)
            {
                client.session().send(buy(i), 1);
            }
            client.await(3);
            try (Gateway newer = venue.newGateway(0, directory.resolve("newer")))
            {
                venue.until(newer::isLinked, "the newer one is linked");
                venue.until(() -> venue.gateway.counters().refusedLinks.get() > 1, "the older one is refused");
                assertThat(newer.counters().refusedLinks.get()).isZero();
                venue.engine.close();
                assertThat(venue.engine.matching().orders()).isEqualTo(3);
            }
        }
    }

    @Test
    void aClientOfAGatewayThatLostItsStoreIsToldAndDoesNothingTwice() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE).startEngine().startGateway())
        {
            final Venue.Client client = venue.new Client(0, false, 2).establish();
            for (int i = 1; i <= 3; i++)
            {
                client.session().send(buy(i), 1);
            }
            client.await(3);
            venue.gateway.close();
            Files.delete(venue.store());
            venue.startGateway();
            venue.until(() -> client.forgotten == 1, "the client is told");
            assertThat(client.session().isEstablished()).isFalse();
            client.connection.restart(client.session());
            client.establish();
            venue.until(venue.gateway::isLinked, "the gateway is linked");
            client.session().cancelAll(7, 0, 1);
            client.await(7);
            assertThat(client.told.subList(3, 7)).containsExactly("Canceled 1 leaves 0 cum 0 MassCancel",
                "Canceled 2 leaves 0 cum 0 MassCancel", "Canceled 3 leaves 0 cum 0 MassCancel",
                "MassAction 3 Request");
        }
    }
}

package io.gannet.samples.orderflow.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.orderflow.EstablishRejectReason;
import io.gannet.orderflow.Side;
import io.gannet.samples.orderflow.client.OrderFields;
import io.gannet.samples.orderflow.engine.Engine;
import io.gannet.samples.orderflow.engine.Layout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
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
            final Venue.Client client = venue.new Client(0, false, 2).establishAndLink();
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
    void aSecondEngineOnTheSameStreamsDisturbsNobody() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE).startEngine().startGateway())
        {
            final Venue.Client client = venue.new Client(0, false, 2).establish();
            venue.until(venue.gateway::isLinked, "the gateway is linked");
            client.session().send(buy(1), 1);
            client.await(1);
            final long links = venue.gateway.counters().links.get();
            final Engine second = venue.newEngine(directory.resolve("second"));
            try (second)
            {
                venue.until(() -> venue.gateway.counters().refusedLinks.get() > 1, "the second one is not linked");
                for (int i = 2; i <= 50; i++)
                {
                    client.session().send(buy(i), 1);
                    client.await(i);
                }
                assertThat(client.told).allMatch(line -> line.startsWith("New"));
                assertThat(venue.gateway.counters().links.get()).isEqualTo(links);
            }
            assertThat(second.matching().orders()).isZero();
        }
    }

    @Test
    void aStoreOfAnotherGatewayOrSizeAndFilesThatAreNoneAreRefusedUntouched() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE).startEngine().startGateway())
        {
            final Venue.Client client = venue.new Client(0, false, 2).establish();
            venue.until(venue.gateway::isLinked, "the gateway is linked");
            client.session().send(buy(1), 1);
            client.await(1);
            venue.gateway.close();
            final byte[] store = Files.readAllBytes(venue.store());
            assertThatThrownBy(() -> venue.newGateway(3, venue.store())).isInstanceOf(IOException.class)
                .hasMessageContaining("is the store of gateway 0, not of 3; start with that --id");
            venue.logSize = 1 << 21;
            assertThatThrownBy(venue::startGateway).isInstanceOf(IOException.class)
                .hasMessageContaining("was made for 64 sessions and logs of 1 MiB; start with these");
            venue.logSize = 1 << 20;
            assertThat(Files.readAllBytes(venue.store())).isEqualTo(store);

            final Path other = directory.resolve("other");
            for (final byte[] content : List.of("notes of somebody".getBytes(StandardCharsets.US_ASCII),
                new byte[]{1}, Arrays.copyOf(store, store.length - 4096), Arrays.copyOf(store, 64)))
            {
                Files.write(other, content);
                assertThatThrownBy(() -> venue.newGateway(0, other)).isInstanceOf(IOException.class)
                    .hasMessageContaining(other.toString());
                assertThat(Files.readAllBytes(other)).isEqualTo(content);
            }
            // Its log of commands is behind a page for the header and the sessions: positions that can't be.
            final byte[] damaged = store.clone();
            damaged[4096 + 16] ^= 0x55;
            Files.write(other, damaged);
            assertThatThrownBy(() -> venue.newGateway(0, other)).isInstanceOf(IOException.class)
                .hasMessageContaining("is damaged at position").hasMessageContaining("Remove it to begin anew");

            // A start that was killed before it had begun.
            Files.write(other, new byte[10_000]);
            venue.newGateway(0, other).close();
            venue.startGateway();
            client.establish();
        }
    }

    @Test
    void aGatewayWhoseNumberANewerStoreHasIsRefusedAndItsCommandsAreNotDoneAgain() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE).startEngine().startGateway())
        {
            final Venue.Client client = venue.new Client(0, false, 2).establishAndLink();
            for (int i = 1; i <= 3; i++)
            {
                client.session().send(buy(i), 1);
            }
            client.await(3);
            venue.gateway.close();
            try (Gateway newer = venue.newGateway(0, directory.resolve("newer")))
            {
                venue.until(newer::isLinked, "the newer one is linked");
                final long refused = newer.counters().refusedLinks.get();
                venue.startGateway();
                venue.until(() -> venue.gateway.counters().refusedLinks.get() > 1, "the older one is refused");
                assertThat(newer.counters().refusedLinks.get()).isEqualTo(refused);
                venue.engine.close();
                assertThat(venue.engine.matching().orders()).isEqualTo(3);
            }
        }
    }

    @Test
    void aSecondGatewayWithANumberThatIsTakenIsRefusedAndTheFirstGoesOn() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.FULL).startEngine().startGateway())
        {
            final Venue.Client client = venue.new Client(0, false, 2).establish();
            venue.until(venue.gateway::isLinked, "the gateway is linked");
            client.session().send(buy(1), 1);
            client.await(1);
            try (Gateway second = venue.newGateway(0, directory.resolve("second")))
            {
                venue.until(() -> second.counters().refusedLinks.get() > 1, "the second one is refused");
                for (int i = 2; i <= 50; i++)
                {
                    client.session().send(buy(i), 1);
                    client.await(i);
                }
                assertThat(second.isLinked()).isFalse();
                assertThat(venue.gateway.isLinked()).isTrue();
                assertThat(venue.gateway.counters().refusedLinks.get()).isZero();
                venue.gateway.close();
                venue.gateway = null;
                venue.until(second::isLinked, "the number is free");
            }
            assertThat(client.told).hasSize(50).allMatch(line -> line.startsWith("New"));
            venue.engine.close();
            assertThat(venue.engine.matching().orders()).isEqualTo(50);
        }
    }

    @Test
    void aSecondGatewayOnACopyOfTheStoreIsRefusedAndItsClientsToo() throws IOException
    {
        final Path copy = directory.resolve("copy");
        try (Venue venue = new Venue(directory, Layout.ONE).startEngine().startGateway())
        {
            final Venue.Client client = venue.new Client(0, false, 2).establish();
            venue.until(venue.gateway::isLinked, "the gateway is linked");
            client.session().send(buy(1), 1);
            client.await(1);
            Files.copy(venue.store(), copy);
            try (Gateway second = venue.newGateway(0, copy))
            {
                venue.until(() -> second.counters().refusedLinks.get() > 1, "the second one is refused");
                for (int i = 2; i <= 50; i++)
                {
                    client.session().send(buy(i), 1);
                    client.await(i);
                }
                assertThat(second.isLinked()).isFalse();
                assertThat(venue.gateway.counters().refusedLinks.get()).isZero();
                assertThat(venue.gateway.counters().links.get()).isEqualTo(1);
                assertThat(second.counters().established.get()).isZero();
            }
            assertThat(client.told).hasSize(50).allMatch(line -> line.startsWith("New"));
            venue.engine.close();
            assertThat(venue.engine.matching().orders()).isEqualTo(50);
        }
    }

    @Test
    void aGatewayWhoseLinkIsRefusedTakesNoSessions() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE).startEngine().startGateway())
        {
            venue.until(venue.gateway::isLinked, "the gateway is linked");
            try (Gateway second = venue.newGateway(0, directory.resolve("second")))
            {
                for (int i = 2; i <= 40; i++)
                {
                    final Venue.Client client = venue.new Client(i, false, i).establish();
                    client.session().send(buy(i), 1);
                    client.await(1);
                    assertThat(client.told).containsExactly("New " + i + " leaves 1 cum 0 None");
                }
                venue.until(() -> second.counters().refusedLinks.get() > 1, "the second one is refused");
                assertThat(second.counters().established.get()).isZero();
                venue.gateway.close();
                venue.gateway = null;
                venue.until(second::isLinked, "the number is free");
                venue.new Client(50, false, 50).establish();
            }
        }
    }

    @Test
    void aClientOfAGatewayWhoseLinkIsRefusedIsToldAndThoseOfBeforeGoToTheOneThatHasTheNumber() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE).startGateway())
        {
            final Venue.Client early = venue.new Client(0, false, 2).establish();
            venue.startEngine();
            venue.until(venue.gateway::isLinked, "the gateway is linked");
            venue.gateway.close();
            try (Gateway newer = venue.newGateway(0, directory.resolve("newer")))
            {
                venue.until(newer::isLinked, "the newer one is linked");
                early.establish();
            }
            venue.startGateway();
            venue.until(() -> early.refusals.contains(EstablishRejectReason.NotLinked), "the client is told");
            assertThat(early.session().isEstablished()).isFalse();
            assertThat(venue.gateway.counters().established.get()).isZero();
            // With the engine away nobody knows that another has the number, until the engine is back.
            venue.engine.close();
            early.establish();
            venue.startEngine();
            venue.until(() -> early.established == 0, "its session ends");
        }
    }

    @Test
    void aClientOfAGatewayThatLostItsStoreIsToldAndDoesNothingTwice() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE).startEngine().startGateway())
        {
            final Venue.Client client = venue.new Client(0, false, 2).establishAndLink();
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

package io.gannet.samples.orderflow.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.orderflow.NewOrderSingleDecoder;
import io.gannet.orderflow.OrderMassActionReportDecoder;
import io.gannet.orderflow.SecurityTradingStatus;
import io.gannet.orderflow.Side;
import io.gannet.orderflow.TimeInForce;
import io.gannet.samples.marketdata.book.OrderBook;
import io.gannet.samples.orderflow.client.OrderFields;
import io.gannet.samples.orderflow.client.OrderSession;
import io.gannet.samples.orderflow.engine.Engine;
import io.gannet.samples.orderflow.engine.Layout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class VenueTest
{
    private static final long UNIT = Venue.UNIT;
    private static final int SECURITY = Venue.SECURITY;

    @TempDir
    private Path directory;

    private final OrderFields order = new OrderFields();

    private OrderFields buy(final long id, final long price, final int quantity)
    {
        return order.limit(id, SECURITY, Side.Buy, price * UNIT, quantity);
    }

    private OrderFields sell(final long id, final long price, final int quantity)
    {
        return order.limit(id, SECURITY, Side.Sell, price * UNIT, quantity);
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void ordersAreAcceptedTradedReplacedAndCanceled(final Layout layout) throws IOException
    {
        try (Venue venue = new Venue(directory, layout).startEngine().startGateway())
        {
            final Venue.Client maker = venue.new Client(0, true, 1).establishAndLink();
            final Venue.Client taker = venue.new Client(1, true, 2).establish();
            maker.session().send(sell(1, 101, 10), 1);
            maker.session().send(sell(2, 100, 5), 2);
            maker.await(2);
            taker.session().send(buy(1, 101, 8), 3);
            taker.await(3);
            maker.await(4);
            maker.session().replace(3, 1, SECURITY, Side.Sell, 102 * UNIT, 12, 4);
            maker.session().cancel(4, 3, SECURITY, Side.Sell, 5);
            maker.session().cancel(5, 3, SECURITY, Side.Sell, 5);
            maker.await(7);
            taker.session().send(order.market(2, SECURITY, Side.Buy, 3), 6);
            taker.session().send(buy(3, 100, 1).with(TimeInForce.FillOrKill), 7);
            taker.await(7);
            assertThat(taker.told).containsExactly("New 1 leaves 8 cum 0 None", "Trade 1 5 at 100 leaves 3",
                "Trade 1 3 at 101 leaves 0", "New 2 leaves 3 cum 0 None", "Expired 2 leaves 0 cum 0 NoLiquidity",
                "New 3 leaves 1 cum 0 None", "Expired 3 leaves 0 cum 0 FillOrKillNotPossible");
            assertThat(maker.told).containsExactly("New 1 leaves 10 cum 0 None", "New 2 leaves 5 cum 0 None",
                "Trade 2 5 at 100 leaves 0", "Trade 1 3 at 101 leaves 7", "Replaced 3 leaves 9 cum 3 None",
                "Canceled 4 leaves 0 cum 3 None", "CancelReject 3 UnknownOrder");
        }
    }

    @Test
    void ordersThatCannotBeAreRefusedWithTheReason() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE).startEngine().startGateway())
        {
            final Venue.Client client = venue.new Client(0, true, 2).establishAndLink();
            final OrderSession session = client.session();
            session.send(order.limit(1, 77, Side.Buy, UNIT, 1), 1);
            session.send(buy(2, 100, 0), 1);
            session.send(buy(3, 100, 1_000_001), 1);
            session.send(buy(4, 2_000, 1), 1);
            session.send(order.limit(5, SECURITY, Side.Buy, UNIT + 1, 1), 1);
            session.send(order.limit(6, SECURITY, Side.Buy, OrderFields.NO_PRICE, 1), 1);
            session.send(order.market(7, SECURITY, Side.Buy, 1).with(TimeInForce.GoodTillCancel), 1);
            session.status(SECURITY, SecurityTradingStatus.TradingHalt, 1);
            session.send(buy(8, 100, 1), 1);
            session.send(buy(8, 100, 1), 1);
            client.await(10);
            assertThat(client.told.stream().map(line -> line.replaceAll(":.*", ""))).containsExactly(
                "Reject 1 UnknownSymbol", "Reject 2 IncorrectQuantity", "Reject 3 OrderExceedsLimit",
                "Reject 4 PriceExceedsBand", "Reject 5 InvalidPriceIncrement", "Reject 6 IncorrectPrice",
                "Reject 7 UnsupportedOrderCharacteristic", "BusinessReject 0 UnsupportedMessageType",
                "New 8 leaves 1 cum 0 None", "Reject 8 DuplicateOrder");
            assertThat(client.told.get(4)).endsWith("Price is not a multiple of the instrument's tick");
        }
    }

    @Test
    void theOperatorHaltsResumesAndClosesAnInstrument() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE).startEngine().startGateway())
        {
            final Venue.Client operator = venue.new Client(0, false, 1).establishAndLink();
            final Venue.Client client = venue.new Client(1, false, 2).establish();
            client.session().send(buy(1, 100, 1), 1);
            client.session().send(buy(2, 99, 1).with(TimeInForce.GoodTillCancel), 1);
            client.await(2);
            operator.session().status(SECURITY, SecurityTradingStatus.TradingHalt, 1);
            // The halt is in force when the operator's own order behind it is refused.
            operator.session().send(buy(1, 1, 1), 1);
            operator.await(1);
            client.session().replace(3, 1, SECURITY, Side.Buy, 101 * UNIT, 1, 1);
            client.await(3);
            operator.session().status(SECURITY, SecurityTradingStatus.ReadyToTrade, 1);
            operator.session().status(SECURITY, SecurityTradingStatus.PostClose, 1);
            client.await(4);
            assertThat(operator.told.getFirst()).startsWith("Reject 1 ExchangeClosed");
            assertThat(client.told.subList(2, 4)).containsExactly("CancelReject 1 ExchangeClosed",
                "Expired 1 leaves 0 cum 0 EndOfDay");
        }
    }

    @Test
    void aSessionThatSendsTooMuchIsToldSoAndItsCancelsPass() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE))
        {
            venue.ordersPerSecond = 1;
            venue.burst = 3;
            venue.startEngine().startGateway();
            final Venue.Client client = venue.new Client(0, false, 2).establishAndLink();
            for (int i = 1; i <= 5; i++)
            {
                client.session().send(buy(i, 100, 1), 1);
            }
            client.session().cancel(9, 1, SECURITY, Side.Buy, 1);
            client.await(6);
            // On a slow machine a second may pass between the orders; the burst is never refused, the cancel neither.
            assertThat(client.told).contains("New 1 leaves 1 cum 0 None", "New 2 leaves 1 cum 0 None",
                "New 3 leaves 1 cum 0 None", "Canceled 9 leaves 0 cum 0 None");
            assertThat(client.told.stream().filter(line -> line.endsWith("ThrottleLimitExceeded"))).isNotEmpty();
        }
    }

    @Test
    void requestsThatAreLostAreSentAgainInOrder() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE).startEngine().startGateway())
        {
            final Venue.Client client = venue.new Client(0, false, 2, 3).establishAndLink();
            final Random random = new Random(1);
            venue.transport.lose(Venue.STREAMS.toGateway(), template ->
                template == NewOrderSingleDecoder.TEMPLATE_ID && random.nextInt(20) == 0);
            final List<String> expected = new ArrayList<>();
            for (int i = 1; i <= 200; i++)
            {
                client.sessions.get(0).send(buy(i, 100, i), 1);
                expected.add("New " + i + " leaves " + i + " cum 0 None");
            }
            client.await(200);
            assertThat(client.told).isEqualTo(expected);
            assertThat(venue.gateway.counters().gaps.get()).isPositive();
        }
    }

    @Test
    void commandsThatAreLostOnTheLinkAreSentAgainOnce() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.TWO).startEngine().startGateway())
        {
            final Venue.Client client = venue.new Client(0, false, 2).establishAndLink();
            final Random random = new Random(1);
            venue.transport.lose(Venue.STREAMS.toEngine(), template ->
                template == NewOrderSingleDecoder.TEMPLATE_ID && random.nextInt(20) == 0);
            for (int i = 1; i <= 100; i++)
            {
                client.session().send(buy(i, 100, i), 1);
            }
            client.await(100);
            assertThat(client.told).hasSize(100).doesNotHaveDuplicates();
            assertThat(venue.engine.counters().gaps.get()).isPositive();
        }
    }

    @Test
    void ordersOfAClientThatGoesAreCanceledIfItWantedThat() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE).startEngine().startGateway())
        {
            final Venue.Client goes = venue.new Client(0, true, 2, 3).establishAndLink();
            final Venue.Client stays = venue.new Client(1, false, 4).establish();
            goes.sessions.get(0).send(buy(1, 100, 1), 1);
            goes.sessions.get(1).send(buy(1, 99, 1), 1);
            stays.session().send(buy(1, 98, 1), 1);
            goes.await(2);
            stays.await(1);
            goes.connection.close();
            stays.connection.close();
            venue.connections.clear();
            venue.until(() -> venue.gateway.counters().disconnects.get() == 2, "two sessions were canceled");
            venue.until(() -> venue.gateway.counters().established.get() == 0, "the third is gone, too");
            venue.until(() -> venue.engine.counters().commands.get() == 6, "the engine has link, orders, mass cancels");
            venue.engine.close();
            assertThat(venue.engine.matching().orders()).as("only the order of who stays by choice").isEqualTo(1);

            final Venue.Client back = venue.new Client(2, true, 2);
            back.establish();
            assertThat(back.told).isEmpty();
        }
    }

    @Test
    void whatHappenedToASessionWhileItWasAwayCanBeHadLater() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE).startEngine().startGateway())
        {
            final Venue.Client client = venue.new Client(0, true, 2).establishAndLink();
            client.session().send(buy(1, 100, 7), 1);
            client.await(1);
            // The gateway hears nothing of the client any more, and gives up on it.
            venue.transport.lose(Venue.STREAMS.toGateway(), template -> true);
            venue.until(() -> venue.gateway.counters().disconnects.get() == 1, "the session was canceled");
            venue.transport.loseNothing();
            client.await(3);
            assertThat(client.told).containsExactly("New 1 leaves 7 cum 0 None",
                "Canceled 1 leaves 0 cum 0 CancelOnDisconnect", "MassAction 1 Disconnect");
        }
    }

    @Test
    void anEngineThatStartsAgainGoesOnWhereItsJournalEnds() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE).startEngine().startGateway())
        {
            final Venue.Client client = venue.new Client(0, false, 2).establishAndLink();
            client.session().send(buy(1, 100, 1), 1);
            client.await(1);
            venue.engine.close();
            venue.until(() -> !venue.gateway.isLinked(), "the gateway noticed");
            client.establish();
            client.session().send(buy(2, 100, 2), 1);
            client.await(2);
            venue.startEngine();
            venue.until(() -> venue.gateway.isLinked(), "the link is there again");
            client.establish();
            client.session().send(buy(3, 100, 3), 1);
            client.session().cancel(4, 1, SECURITY, Side.Buy, 1);
            client.await(4);
            assertThat(client.told).containsExactly("New 1 leaves 1 cum 0 None",
                "BusinessReject 2 ApplicationNotAvailable", "New 3 leaves 3 cum 0 None",
                "Canceled 4 leaves 0 cum 0 None");
            assertThat(venue.engine.recovered().commands()).isEqualTo(2);
        }
    }

    @Test
    void aGatewayThatStartsAgainKnowsItsSessionsAndCancelsThoseThatStayAway() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE))
        {
            venue.grace = 2 * UNIT;
            venue.startEngine().startGateway();
            final Venue.Client client = venue.new Client(0, true, 2).establishAndLink();
            final Venue.Client other = venue.new Client(1, true, 3).establish();
            client.session().send(buy(1, 100, 1), 1);
            other.session().send(buy(1, 99, 1), 1);
            client.await(1);
            other.await(1);
            venue.gateway.close();
            other.connection.close();
            venue.connections.remove(other.connection);
            venue.until(() -> client.established == 0, "the client noticed");
            venue.startGateway();
            client.establish();
            venue.until(() -> venue.gateway.isLinked(), "the link is there again");
            client.session().send(buy(2, 100, 2), 1);
            client.await(2);
            venue.until(() -> venue.gateway.counters().disconnects.get() >= 1, "who stayed away was canceled");
            venue.until(() -> venue.engine.counters().commands.get() >= 5, "the engine has the mass cancel");
            venue.engine.close();
            // On a slow machine the client may have come back too late for its first order, never for its second.
            assertThat(client.told).contains("New 1 leaves 1 cum 0 None", "New 2 leaves 2 cum 0 None");
            assertThat(other.told).containsExactly("New 1 leaves 1 cum 0 None");
            assertThat(venue.engine.matching().book(0).levelIndex(true, 99 * UNIT)).as("the order of who stayed away")
                .isEqualTo(OrderBook.NONE);
            assertThat(venue.engine.matching().book(0).levelIndex(true, 100 * UNIT)).isZero();
        }
    }

    @Test
    void aSecondGatewayOrEngineOnTheSameFilesIsRefused() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE).startEngine().startGateway())
        {
            final Gateway gateway = venue.gateway;
            final Engine engine = venue.engine;
            assertThatThrownBy(venue::startGateway).isInstanceOf(IOException.class)
                .hasMessageContaining("another gateway uses").hasMessageContaining("--store");
            assertThatThrownBy(venue::startEngine).isInstanceOf(IOException.class)
                .hasMessageContaining("another engine uses").hasMessageContaining("--journal");
            assertThat(venue.gateway).isSameAs(gateway);
            assertThat(venue.engine).isSameAs(engine);
        }
    }

    @Test
    void aReportsNumbersAndTimesTellWhatCausedIt() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE).startEngine().startGateway())
        {
            final List<Long> seen = new ArrayList<>();
            final Venue.Client client = venue.new Client(0, true, 2)
            {
                @Override
                public void onMassAction(final OrderSession session, final OrderMassActionReportDecoder report)
                {
                    seen.addAll(List.of(report.header().refSeqNum(), report.header().refSendingTime(),
                        report.header().receivedTime(), report.header().transactTime(),
                        report.header().applSendingTime(), report.header().sendingTime()));
                    super.onMassAction(session, report);
                }
            };
            client.establishAndLink();
            final long number = client.session().cancelAll(1, 0, 1234);
            client.await(1);
            assertThat(seen.subList(0, 2)).containsExactly(number, 1234L);
            assertThat(seen.subList(2, 6)).isSorted();
            assertThat(seen.get(2)).isGreaterThan(1_700_000_000L * UNIT);
        }
    }
}

package io.gannet.samples.orderflow.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.orderflow.BusinessRejectReason;
import io.gannet.orderflow.CxlRejReason;
import io.gannet.orderflow.EstablishRejectReason;
import io.gannet.orderflow.MassCancelRequestDecoder;
import io.gannet.orderflow.NewOrderSingleDecoder;
import io.gannet.orderflow.OrdRejReason;
import io.gannet.orderflow.SecurityTradingStatus;
import io.gannet.orderflow.Side;
import io.gannet.orderflow.TimeInForce;
import io.gannet.samples.orderflow.client.OrderFields;
import io.gannet.samples.orderflow.client.OrderSession;
import io.gannet.samples.orderflow.engine.Layout;
import io.gannet.samples.orderflow.matching.EngineLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every reason to refuse something that the schema knows is said, for what it is for, with a text. */
final class RefusalTest
{
    private static final long UNIT = Venue.UNIT;
    private static final int SECURITY = Venue.SECURITY;
    private static final int HEADER = 8;
    /** Offsets in the messages, as the schema has them. */
    private static final int SIDE = HEADER + 72;
    private static final int ORD_TYPE = HEADER + 73;
    private static final int TIME_IN_FORCE = HEADER + 74;
    private static final int EXEC_INST = HEADER + 75;
    private static final int SMP_INSTRUCTION = HEADER + 88;
    private static final int SCOPE = HEADER + 48;
    private static final int CAUSE = HEADER + 49;
    private static final int STATUS = HEADER + 40;

    @TempDir
    private Path directory;

    private final OrderFields order = new OrderFields();
    private final EnumSet<OrdRejReason> orders = EnumSet.of(OrdRejReason.NULL_VAL, OrdRejReason.SBE_UNKNOWN);
    private final EnumSet<CxlRejReason> cancels = EnumSet.of(CxlRejReason.NULL_VAL, CxlRejReason.SBE_UNKNOWN);
    private Venue venue;
    private Venue.Client client;

    private OrderFields limit(final long id, final Side side, final long price, final int quantity)
    {
        return order.limit(id, SECURITY, side, price * UNIT, quantity);
    }

    private OrderFields buy(final long id)
    {
        return limit(id, Side.Buy, 100, 1);
    }

    /** The next answer of a client. */
    private String answer(final Venue.Client to)
    {
        final int before = to.told.size();
        venue.until(() -> to.told.size() > before, "an answer");
        return to.told.getLast();
    }

    private void refused(final OrdRejReason reason)
    {
        assertThat(answer(client)).matches("Reject [0-9]+ " + reason + ": \\S.*");
        orders.add(reason);
    }

    private void refused(final CxlRejReason reason)
    {
        assertThat(answer(client)).matches("CancelReject [0-9]+ " + reason);
        assertThat(client.texts.getLast()).isNotBlank();
        cancels.add(reason);
    }

    /** The byte of a message on its way to the gateway. */
    private static UnaryOperator<UnsafeBuffer> with(final int template, final int at, final int value)
    {
        return message ->
        {
            if (message.getShort(2) == template)
            {
                message.putByte(at, (byte) value);
            }
            return message;
        };
    }

    private void refusedWith(final int at, final int value, final OrderFields fields, final OrdRejReason reason)
    {
        venue.transport.rewrite(Venue.STREAMS.toGateway(), with(NewOrderSingleDecoder.TEMPLATE_ID, at, value));
        client.session().send(fields, 1);
        refused(reason);
        venue.transport.rewrite(Venue.STREAMS.toGateway(), null);
    }

    private void begin() throws IOException
    {
        venue.startEngine().startGateway();
        client = venue.new Client(0, false, 2).establish();
        venue.until(venue.gateway::isLinked, "the gateway is linked");
    }

    @Test
    void everyReasonAgainstAnOrderIsSaid() throws IOException
    {
        try (Venue made = new Venue(directory, Layout.ONE))
        {
            venue = made;
            venue.limits = new EngineLimits(4, 3);
            begin();
            final OrderSession session = client.session();
            session.send(order.limit(1, 77, Side.Buy, UNIT, 1), 1);
            refused(OrdRejReason.UnknownSymbol);
            session.send(limit(1, Side.Buy, 100, 0), 1);
            refused(OrdRejReason.IncorrectQuantity);
            session.send(limit(1, Side.Buy, 100, 1_000_001), 1);
            refused(OrdRejReason.OrderExceedsLimit);
            session.send(limit(1, Side.Buy, 2_000, 1), 1);
            refused(OrdRejReason.PriceExceedsBand);
            session.send(order.limit(1, SECURITY, Side.Buy, UNIT + 1, 1), 1);
            refused(OrdRejReason.InvalidPriceIncrement);
            session.send(order.limit(1, SECURITY, Side.Buy, OrderFields.NO_PRICE, 1), 1);
            refused(OrdRejReason.IncorrectPrice);
            session.send(order.market(1, SECURITY, Side.Buy, 1).with(TimeInForce.GoodTillCancel), 1);
            refused(OrdRejReason.UnsupportedOrderCharacteristic);
            refusedWith(SIDE, '3', buy(1), OrdRejReason.InvalidSide);
            refusedWith(ORD_TYPE, '3', buy(1), OrdRejReason.InvalidOrdType);
            refusedWith(TIME_IN_FORCE, '2', buy(1), OrdRejReason.InvalidTimeInForce);
            // Instructions of a later version are not passed over.
            refusedWith(EXEC_INST, 2, buy(1), OrdRejReason.UnsupportedOrderCharacteristic);
            order.selfMatchId = 5;
            refusedWith(SMP_INSTRUCTION, 3, buy(1), OrdRejReason.UnsupportedOrderCharacteristic);
            order.selfMatchId = 0;

            session.send(limit(1, Side.Sell, 101, 1), 1);
            assertThat(answer(client)).startsWith("New 1");
            session.send(buy(1), 1);
            refused(OrdRejReason.DuplicateOrder);
            limit(2, Side.Buy, 101, 1).postOnly = true;
            session.send(order, 1);
            refused(OrdRejReason.WouldTakeLiquidity);
            session.send(buy(2), 1);
            assertThat(answer(client)).startsWith("New 2");
            session.send(buy(3), 1);
            assertThat(answer(client)).startsWith("New 3");
            session.send(buy(4), 1);
            refused(OrdRejReason.TooManyOpenOrders);

            final Venue.Client operator = venue.new Client(1, false, 1).establish();
            operator.session().send(buy(1), 1);
            assertThat(answer(operator)).startsWith("New 1");
            operator.session().send(buy(2), 1);
            assertThat(answer(operator)).startsWith("Reject 2 BookFull: the engine has no room");
            orders.add(OrdRejReason.BookFull);
            operator.session().status(1002, SecurityTradingStatus.TradingHalt, 1);
            operator.session().cancel(9, 9, SECURITY, Side.Buy, 1);
            answer(operator);
            session.send(order.limit(5, 1002, Side.Buy, UNIT, 1), 1);
            refused(OrdRejReason.ExchangeClosed);
            assertThat(orders).isEqualTo(EnumSet.allOf(OrdRejReason.class));
        }
    }

    @Test
    void everyReasonAgainstACancelOrReplacementIsSaidAndTheOrderStays() throws IOException
    {
        try (Venue made = new Venue(directory, Layout.ONE))
        {
            venue = made;
            begin();
            final OrderSession session = client.session();
            session.send(limit(1, Side.Sell, 101, 1), 1);
            answer(client);
            limit(2, Side.Buy, 99, 5).postOnly = true;
            session.send(order, 1);
            answer(client);
            session.cancel(3, 9, SECURITY, Side.Buy, 1);
            refused(CxlRejReason.UnknownOrder);
            session.cancel(3, 2, SECURITY, Side.Sell, 1);
            refused(CxlRejReason.WrongSide);
            session.replace(1, 2, SECURITY, Side.Buy, 98 * UNIT, 5, 1);
            refused(CxlRejReason.DuplicateClOrdID);
            session.replace(3, 2, SECURITY, Side.Buy, 98 * UNIT + 1, 5, 1);
            refused(CxlRejReason.InvalidPriceIncrement);
            session.replace(3, 2, SECURITY, Side.Buy, 98 * UNIT, 0, 1);
            refused(CxlRejReason.IncorrectQuantity);
            session.replace(3, 2, SECURITY, Side.Buy, 2_000 * UNIT, 5, 1);
            refused(CxlRejReason.PriceExceedsBand);
            session.replace(3, 2, SECURITY, Side.Buy, 101 * UNIT, 5, 1);
            refused(CxlRejReason.WouldTakeLiquidity);
            final Venue.Client operator = venue.new Client(1, false, 1).establish();
            operator.session().status(SECURITY, SecurityTradingStatus.TradingHalt, 1);
            operator.session().cancel(9, 9, SECURITY, Side.Buy, 1);
            answer(operator);
            session.replace(3, 2, SECURITY, Side.Buy, 98 * UNIT, 5, 1);
            refused(CxlRejReason.ExchangeClosed);
            assertThat(cancels).isEqualTo(EnumSet.allOf(CxlRejReason.class));
            session.cancel(3, 2, SECURITY, Side.Buy, 1);
            assertThat(answer(client)).isEqualTo("Canceled 3 leaves 0 cum 0 None");
        }
    }

    @Test
    void everyReasonAgainstAMessageIsSaid() throws IOException
    {
        try (Venue made = new Venue(directory, Layout.ONE))
        {
            venue = made;
            venue.ordersPerSecond = 1;
            venue.burst = 1;
            begin();
            final Venue.Client operator = venue.new Client(1, false, 1).establish();
            client.session().status(SECURITY, SecurityTradingStatus.TradingHalt, 1);
            assertThat(answer(client)).isEqualTo("BusinessReject 0 UnsupportedMessageType");
            operator.session().status(77, SecurityTradingStatus.TradingHalt, 1);
            assertThat(answer(operator)).isEqualTo("BusinessReject 0 Malformed");
            malformed(operator, 5, STATUS, 99, () -> operator.session().status(SECURITY,
                SecurityTradingStatus.TradingHalt, 1));
            malformed(client, MassCancelRequestDecoder.TEMPLATE_ID, SCOPE, 7, () ->
                client.session().cancelAll(1, 0, 1));
            malformed(client, MassCancelRequestDecoder.TEMPLATE_ID, CAUSE, 1, () ->
                client.session().cancelAll(1, 0, 1));
            client.session().cancelAll(1, 77, 1);
            assertThat(answer(client)).isEqualTo("BusinessReject 1 Malformed");
            // A second may pass between any two of them.
            long id = 0;
            do
            {
                client.session().send(buy(++id), 1);
            }
            while (!answer(client).equals("BusinessReject " + id + " ThrottleLimitExceeded"));
            venue.engine.close();
            venue.until(() -> !venue.gateway.isLinked(), "the gateway noticed");
            client.session().cancelAll(1, 0, 1);
            assertThat(answer(client)).isEqualTo("BusinessReject 1 ApplicationNotAvailable");
            assertThat(client.texts).noneMatch(String::isBlank);
            // One is for reasons that a later version has.
            assertThat(BusinessRejectReason.values()).hasSize(4 + 1 + 2);
        }
    }

    private void malformed(
        final Venue.Client from, final int template, final int at, final int value, final Runnable send)
    {
        venue.transport.rewrite(Venue.STREAMS.toGateway(), with(template, at, value));
        send.run();
        assertThat(answer(from)).matches("BusinessReject [01] Malformed");
        venue.transport.rewrite(Venue.STREAMS.toGateway(), null);
    }

    @Test
    void aClientIsToldWhyItsSessionIsNotEstablishedAndHarmsNobodyWhoHasIt() throws IOException
    {
        try (Venue made = new Venue(directory, Layout.ONE))
        {
            venue = made;
            begin();
            final EnumSet<EstablishRejectReason> seen = EnumSet.noneOf(EstablishRejectReason.class);
            refusal(venue.new Client(1, false, Venue.SESSIONS + 1), seen, EstablishRejectReason.UnknownSession);
            refusal(venue.new Client(2, false, 1 << 16 | 3), seen, EstablishRejectReason.UnknownSession);
            refusal(venue.new Client(3, false, 2), seen, EstablishRejectReason.AlreadyEstablished);
            // The number of a connection, and so the stream of its reports, is another's.
            refusal(venue.new Client(0, false, 3), seen, EstablishRejectReason.NoReportStream);
            refusal(venue.new Client(0, false, 2), seen, EstablishRejectReason.NoReportStream);
            venue.keepAliveMillis = 9;
            refusal(venue.new Client(4, false, 4), seen, EstablishRejectReason.InvalidKeepAlive);
            venue.keepAliveMillis = 2_000;
            // NotLinked is in WrongPartnerTest.
            assertThat(seen).isEqualTo(EnumSet.complementOf(EnumSet.of(EstablishRejectReason.SequenceTooHigh,
                EstablishRejectReason.NotLinked, EstablishRejectReason.NULL_VAL, EstablishRejectReason.SBE_UNKNOWN)));
            client.session().send(buy(1), 1);
            assertThat(answer(client)).isEqualTo("New 1 leaves 1 cum 0 None");
            assertThat(client.refusals).isEmpty();
            assertThat(venue.gateway.counters().established.get()).isEqualTo(1);

            // It is free when who had it has gone.
            final Venue.Client next = venue.new Client(0, false, 2);
            client.connection.close();
            venue.connections.remove(client.connection);
            next.establish();
            next.session().cancel(2, 1, SECURITY, Side.Buy, 1);
            assertThat(answer(next)).isEqualTo("Canceled 2 leaves 0 cum 0 None");
        }
    }

    private void refusal(
        final Venue.Client who, final Set<EstablishRejectReason> seen, final EstablishRejectReason reason)
    {
        venue.until(() -> who.refusals.contains(reason), "the client is told " + reason);
        assertThat(who.session().isEstablished()).isFalse();
        who.connection.end(who.session());
        who.connection.close();
        venue.connections.remove(who.connection);
        seen.addAll(who.refusals);
    }

    /** What a client of another version sends: a shorter block, or a longer one. */
    private static UnaryOperator<UnsafeBuffer> inVersion(final int version, final int block)
    {
        return message ->
        {
            if (message.getShort(2) != NewOrderSingleDecoder.TEMPLATE_ID)
            {
                return message;
            }
            final UnsafeBuffer other = new UnsafeBuffer(new byte[HEADER + block]);
            other.putBytes(0, message, 0, Math.min(message.capacity(), other.capacity()));
            other.putShort(0, (short) block);
            other.putShort(6, (short) version);
            return other;
        };
    }

    @Test
    void ordersOfTheVersionBeforeAndOfOneToComeAreTakenJournaledAndReplayed() throws IOException
    {
        try (Venue made = new Venue(directory, Layout.ONE))
        {
            venue = made;
            begin();
            client.session().send(limit(1, Side.Buy, 98, 1), 1);
            answer(client);
            venue.transport.rewrite(Venue.STREAMS.toGateway(), inVersion(0, 80));
            client.session().send(limit(2, Side.Buy, 99, 2), 1);
            assertThat(answer(client)).isEqualTo("New 2 leaves 2 cum 0 None");
            venue.transport.rewrite(Venue.STREAMS.toGateway(), inVersion(2, 112));
            client.session().send(limit(3, Side.Buy, 100, 3), 1);
            assertThat(answer(client)).isEqualTo("New 3 leaves 3 cum 0 None");
            venue.transport.rewrite(Venue.STREAMS.toGateway(), null);
            final long checksum = restart();
            assertThat(venue.engine.recovered().commands()).isEqualTo(4);
            venue.engine.close();
            assertThat(venue.engine.matching().book(0).checksum()).isEqualTo(checksum);
            assertThat(venue.engine.matching().orders()).isEqualTo(3);
        }
    }

    private long restart() throws IOException
    {
        venue.engine.close();
        final long checksum = venue.engine.matching().book(0).checksum();
        venue.startEngine();
        return checksum;
    }
}

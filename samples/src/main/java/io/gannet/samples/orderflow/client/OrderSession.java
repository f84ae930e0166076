package io.gannet.samples.orderflow.client;

import io.gannet.orderflow.InboundHeaderEncoder;
import io.gannet.orderflow.MassCancelCause;
import io.gannet.orderflow.MassCancelRequestEncoder;
import io.gannet.orderflow.MassCancelScope;
import io.gannet.orderflow.MessageHeaderEncoder;
import io.gannet.orderflow.NewOrderSingleEncoder;
import io.gannet.orderflow.OrderCancelReplaceRequestEncoder;
import io.gannet.orderflow.OrderCancelRequestEncoder;
import io.gannet.orderflow.SecurityStatusRequestEncoder;
import io.gannet.orderflow.SecurityTradingStatus;
import io.gannet.orderflow.Side;
import io.gannet.samples.marketdata.publisher.Outlet;
import io.gannet.samples.orderflow.link.SequenceIndex;

/**
 * One session of a client. Requests are numbered, kept for repetition, and sent at once or as soon as there is room.
 * For the thread that polls the connection.
 */
public final class OrderSession
{
    /** Result of a request: there is no room for it, and nothing was sent. Poll the connection, then try again. */
    public static final long BACK_PRESSURED = Outlet.BACK_PRESSURED;

    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int DEPTH = 1024;
    /** Requests that may wait to be sent: those that may have to be sent again need their place, too. */
    private static final int MOST_WAITING = DEPTH / 2;
    private static final long NO_ORDER_ID = OrderCancelRequestEncoder.orderIDNullValue();

    final int id;
    final SequenceIndex sent = new SequenceIndex(DEPTH);
    long next = 1;
    long nextToSend = 1;
    long nextReport = 1;
    boolean established;
    boolean closed;
    boolean waiting;
    boolean known;
    boolean recovering;
    long highest;
    /** Number of the last report that came too early. */
    long outOfOrder;
    /** It sends again what the gateway lacks. */
    boolean rewound;
    /** The gateway that established it; others are not listened to. */
    long source;
    /** Number of the last request that a report answered. */
    long answered;
    long asked;
    long lastSent;
    long lastReceived;
    private final OrderConnection connection;

    OrderSession(final OrderConnection connection, final int id)
    {
        this.connection = connection;
        this.id = id;
    }

    /** SessionID. */
    public int id()
    {
        return id;
    }

    /** Whether requests are taken. */
    public boolean isEstablished()
    {
        return established;
    }

    /** Whether the next request finds room, and is not {@link #BACK_PRESSURED}. */
    public boolean hasRoom()
    {
        return next - nextToSend < MOST_WAITING && connection.hasRoom();
    }

    /** Number of the next request. */
    public long nextRequest()
    {
        return next;
    }

    /** Number of the next report. */
    public long nextReport()
    {
        return nextReport;
    }

    /**
     * Sends an order that {@code order} was set up with; its header and all fixed fields are filled in here.
     *
     * @param sendingTime when it was meant to be sent, nanoseconds since the epoch.
     * @return MsgSeqNum, or {@link #BACK_PRESSURED}.
     * @throws IllegalStateException if the session is not established.
     */
    public long send(final OrderFields order, final long sendingTime)
    {
        final int at = connection.claim(this, HEADER + NewOrderSingleEncoder.BLOCK_LENGTH);
        if (at < 0)
        {
            return BACK_PRESSURED;
        }
        final NewOrderSingleEncoder encoder = connection.newOrder;
        encoder.wrapAndApplyHeader(connection.log().buffer(), at, connection.header);
        fill(encoder.header(), order.securityId, sendingTime);
        encoder.clOrdID(order.clOrdId).price().mantissa(order.price);
        encoder.account(order.account).orderQty(order.quantity)
            .minQty(order.minQuantity == 0 ? NewOrderSingleEncoder.minQtyNullValue() : order.minQuantity)
            .side(order.side).ordType(order.type).timeInForce(order.timeInForce)
            .execInst().clear().participateDontInitiate(order.postOnly);
        encoder.selfMatchPreventionID(order.selfMatchId == 0 ? NewOrderSingleEncoder.selfMatchPreventionIDNullValue() :
            order.selfMatchId).selfMatchPreventionInstruction(order.selfMatchInstruction);
        zero(at, 89, NewOrderSingleEncoder.BLOCK_LENGTH);
        return connection.commit(this);
    }

    /**
     * Asks for another price or total quantity of an order.
     *
     * @return MsgSeqNum, or {@link #BACK_PRESSURED}.
     * @throws IllegalStateException if the session is not established.
     */
    public long replace(
        final long clOrdId, final long origClOrdId, final int securityId, final Side side, final long price,
        final int quantity, final long sendingTime)
    {
        final int at = connection.claim(this, HEADER + OrderCancelReplaceRequestEncoder.BLOCK_LENGTH);
        if (at < 0)
        {
            return BACK_PRESSURED;
        }
        final OrderCancelReplaceRequestEncoder encoder = connection.replace;
        encoder.wrapAndApplyHeader(connection.log().buffer(), at, connection.header);
        fill(encoder.header(), securityId, sendingTime);
        encoder.clOrdID(clOrdId).origClOrdID(origClOrdId).orderID(NO_ORDER_ID).price().mantissa(price);
        encoder.orderQty(quantity).side(side);
        zero(at, 77, OrderCancelReplaceRequestEncoder.BLOCK_LENGTH);
        return connection.commit(this);
    }

    /**
     * Asks for the end of an order.
     *
     * @return MsgSeqNum, or {@link #BACK_PRESSURED}.
     * @throws IllegalStateException if the session is not established.
     */
    public long cancel(
        final long clOrdId, final long origClOrdId, final int securityId, final Side side, final long sendingTime)
    {
        final int at = connection.claim(this, HEADER + OrderCancelRequestEncoder.BLOCK_LENGTH);
        if (at < 0)
        {
            return BACK_PRESSURED;
        }
        final OrderCancelRequestEncoder encoder = connection.cancel;
        encoder.wrapAndApplyHeader(connection.log().buffer(), at, connection.header);
        fill(encoder.header(), securityId, sendingTime);
        encoder.clOrdID(clOrdId).origClOrdID(origClOrdId).orderID(NO_ORDER_ID).side(side);
        zero(at, 65, OrderCancelRequestEncoder.BLOCK_LENGTH);
        return connection.commit(this);
    }

    /**
     * Asks for the end of all orders of the session, or of those in one instrument.
     *
     * @param securityId 0: all.
     * @return MsgSeqNum, or {@link #BACK_PRESSURED}.
     * @throws IllegalStateException if the session is not established.
     */
    public long cancelAll(final long clOrdId, final int securityId, final long sendingTime)
    {
        final int at = connection.claim(this, HEADER + MassCancelRequestEncoder.BLOCK_LENGTH);
        if (at < 0)
        {
            return BACK_PRESSURED;
        }
        final MassCancelRequestEncoder encoder = connection.massCancel;
        encoder.wrapAndApplyHeader(connection.log().buffer(), at, connection.header);
        fill(encoder.header(), securityId, sendingTime);
        encoder.clOrdID(clOrdId).massCancelScope(securityId == 0 ? MassCancelScope.Session : MassCancelScope.Security)
            .massCancelCause(MassCancelCause.Request);
        zero(at, 50, MassCancelRequestEncoder.BLOCK_LENGTH);
        return connection.commit(this);
    }

    /**
     * Asks for another trading status of an instrument; only the operator's session may.
     *
     * @return MsgSeqNum, or {@link #BACK_PRESSURED}.
     * @throws IllegalStateException if the session is not established.
     */
    public long status(final int securityId, final SecurityTradingStatus status, final long sendingTime)
    {
        final int at = connection.claim(this, HEADER + SecurityStatusRequestEncoder.BLOCK_LENGTH);
        if (at < 0)
        {
            return BACK_PRESSURED;
        }
        final SecurityStatusRequestEncoder encoder = connection.status;
        encoder.wrapAndApplyHeader(connection.log().buffer(), at, connection.header);
        fill(encoder.header(), securityId, sendingTime);
        encoder.securityTradingStatus(status);
        zero(at, 41, SecurityStatusRequestEncoder.BLOCK_LENGTH);
        return connection.commit(this);
    }

    private void zero(final int at, final int from, final int to)
    {
        connection.log().buffer().setMemory(at + HEADER + from, to - from, (byte) 0);
    }

    private void fill(final InboundHeaderEncoder header, final int securityId, final long sendingTime)
    {
        header.msgSeqNum(next).sendingTime(sendingTime).applSeqNum(0).receivedTime(0)
            .sessionID(Integer.toUnsignedLong(id)).securityID(Integer.toUnsignedLong(securityId));
    }
}

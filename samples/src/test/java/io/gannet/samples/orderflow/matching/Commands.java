package io.gannet.samples.orderflow.matching;

import io.gannet.orderflow.InboundHeaderEncoder;
import io.gannet.orderflow.LinkEstablishEncoder;
import io.gannet.orderflow.MassCancelCause;
import io.gannet.orderflow.MassCancelRequestEncoder;
import io.gannet.orderflow.MassCancelScope;
import io.gannet.orderflow.MessageHeaderEncoder;
import io.gannet.orderflow.NewOrderSingleEncoder;
import io.gannet.orderflow.OrdType;
import io.gannet.orderflow.OrderCancelReplaceRequestEncoder;
import io.gannet.orderflow.OrderCancelRequestEncoder;
import io.gannet.orderflow.SecurityStatusRequestEncoder;
import io.gannet.orderflow.SecurityTradingStatus;
import io.gannet.orderflow.SelfMatchPreventionInstruction;
import io.gannet.orderflow.Side;
import io.gannet.orderflow.TimeInForce;
import org.agrona.concurrent.UnsafeBuffer;

/** Encodes commands as a gateway forwards them. */
public final class Commands
{
    /** Holds the command that was encoded last. */
    public final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final NewOrderSingleEncoder newOrder = new NewOrderSingleEncoder();
    private final OrderCancelReplaceRequestEncoder replace = new OrderCancelReplaceRequestEncoder();
    private final OrderCancelRequestEncoder cancel = new OrderCancelRequestEncoder();
    private final MassCancelRequestEncoder massCancel = new MassCancelRequestEncoder();
    private final SecurityStatusRequestEncoder status = new SecurityStatusRequestEncoder();
    private final LinkEstablishEncoder link = new LinkEstablishEncoder();
    private long number;

    private void fill(final InboundHeaderEncoder to, final int session, final int security)
    {
        to.msgSeqNum(++number).sendingTime(number * 10).applSeqNum(number).receivedTime(number * 10 + 1)
            .sessionID(session).securityID(security);
    }

    /** Numbers begin again. */
    public int link(final int gateway, final long epoch)
    {
        number = 0;
        link.wrapAndApplyHeader(buffer, 0, header).epoch(epoch).fromSeqNo(0).nonce(1).gatewayID(gateway);
        return 8 + link.encodedLength();
    }

    /** An order with all its fields. */
    public int order(
        final int session, final long clOrdId, final int security, final boolean buy, final OrdType type,
        final TimeInForce time, final long price, final int quantity, final int minimum, final boolean postOnly,
        final long smp, final int smpInstruction)
    {
        newOrder.wrapAndApplyHeader(buffer, 0, header);
        fill(newOrder.header(), session, security);
        newOrder.clOrdID(clOrdId).price().mantissa(type == OrdType.Market ? Long.MIN_VALUE : price);
        newOrder.account(7).orderQty(quantity)
            .minQty(minimum == 0 ? NewOrderSingleEncoder.minQtyNullValue() : minimum)
            .side(buy ? Side.Buy : Side.Sell).ordType(type).timeInForce(time)
            .execInst().clear().participateDontInitiate(postOnly);
        newOrder.selfMatchPreventionID(smp == 0 ? NewOrderSingleEncoder.selfMatchPreventionIDNullValue() : smp)
            .selfMatchPreventionInstruction(SelfMatchPreventionInstruction.get((short) smpInstruction));
        return 8 + newOrder.encodedLength();
    }

    /** A limit order for the day. */
    public int limit(
        final int session, final long clOrdId, final int security, final boolean buy, final long price,
        final int quantity)
    {
        return order(session, clOrdId, security, buy, OrdType.Limit, TimeInForce.Day, price, quantity, 0, false, 0, 0);
    }

    /** A replacement. */
    public int replace(
        final int session, final long clOrdId, final long origClOrdId, final int security, final boolean buy,
        final long price, final int quantity)
    {
        replace.wrapAndApplyHeader(buffer, 0, header);
        fill(replace.header(), session, security);
        replace.clOrdID(clOrdId).origClOrdID(origClOrdId).orderID(OrderCancelReplaceRequestEncoder.orderIDNullValue())
            .price().mantissa(price);
        replace.orderQty(quantity).side(buy ? Side.Buy : Side.Sell);
        return 8 + replace.encodedLength();
    }

    /** A cancel. */
    public int cancel(
        final int session, final long clOrdId, final long origClOrdId, final int security, final boolean buy)
    {
        cancel.wrapAndApplyHeader(buffer, 0, header);
        fill(cancel.header(), session, security);
        cancel.clOrdID(clOrdId).origClOrdID(origClOrdId).orderID(OrderCancelRequestEncoder.orderIDNullValue())
            .side(buy ? Side.Buy : Side.Sell);
        return 8 + cancel.encodedLength();
    }

    /** A mass cancel; security 0: of all. */
    public int massCancel(final int session, final int security)
    {
        massCancel.wrapAndApplyHeader(buffer, 0, header);
        fill(massCancel.header(), session, security);
        massCancel.clOrdID(1).massCancelScope(security == 0 ? MassCancelScope.Session : MassCancelScope.Security)
            .massCancelCause(MassCancelCause.Request);
        return 8 + massCancel.encodedLength();
    }

    /** A change of status. */
    public int status(final int security, final SecurityTradingStatus value)
    {
        status.wrapAndApplyHeader(buffer, 0, header);
        fill(status.header(), 1, security);
        status.securityTradingStatus(value);
        return 8 + status.encodedLength();
    }
}

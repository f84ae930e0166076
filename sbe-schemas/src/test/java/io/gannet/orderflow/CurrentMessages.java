package io.gannet.orderflow;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntSupplier;
import org.agrona.concurrent.UnsafeBuffer;

/** One example of each message, by the current codecs. */
final class CurrentMessages
{
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final Map<String, byte[]> examples = new LinkedHashMap<>();
    private UnsafeBuffer buffer;

    static Map<String, byte[]> all()
    {
        final CurrentMessages messages = new CurrentMessages();
        messages.requests();
        messages.reports();
        messages.rejects();
        messages.sessions();
        messages.links();
        return messages.examples;
    }

    private UnsafeBuffer zeros()
    {
        buffer = new UnsafeBuffer(new byte[512]);
        return buffer;
    }

    private void keep(final String name, final IntSupplier bodyLength)
    {
        final byte[] bytes = new byte[MessageHeaderEncoder.ENCODED_LENGTH + bodyLength.getAsInt()];
        buffer.getBytes(0, bytes);
        examples.put(name, bytes);
    }

    private static void fill(final InboundHeaderEncoder in)
    {
        in.msgSeqNum(1).sendingTime(2).applSeqNum(3).receivedTime(4).sessionID(0xFFFF_FFF0L).securityID(6);
    }

    private static void fill(final OutboundHeaderEncoder out)
    {
        out.msgSeqNum(1).sendingTime(2).applSeqNum(3).applSendingTime(4).transactTime(5).receivedTime(6)
            .refSendingTime(7).refSeqNum(8).sessionID(9).securityID(10);
    }

    private void requests()
    {
        final NewOrderSingleEncoder order = new NewOrderSingleEncoder().wrapAndApplyHeader(zeros(), 0, header);
        fill(order.header());
        order.clOrdID(11).price().mantissa(100_250_000_000L);
        order.account(12).orderQty(13).minQty(14).side(Side.Buy).ordType(OrdType.Limit)
            .timeInForce(TimeInForce.ImmediateOrCancel).execInst().clear().participateDontInitiate(true);
        order.selfMatchPreventionID(15).selfMatchPreventionInstruction(SelfMatchPreventionInstruction.CancelBoth);
        keep("NewOrderSingle", order::encodedLength);

        final OrderCancelReplaceRequestEncoder replace =
            new OrderCancelReplaceRequestEncoder().wrapAndApplyHeader(zeros(), 0, header);
        fill(replace.header());
        replace.clOrdID(11).origClOrdID(12).orderID(13).price().mantissa(-5);
        replace.orderQty(14).side(Side.Sell);
        keep("OrderCancelReplaceRequest", replace::encodedLength);

        final OrderCancelRequestEncoder cancel =
            new OrderCancelRequestEncoder().wrapAndApplyHeader(zeros(), 0, header);
        fill(cancel.header());
        cancel.clOrdID(11).origClOrdID(12).orderID(OrderCancelRequestEncoder.orderIDNullValue()).side(Side.Buy);
        keep("OrderCancelRequest", cancel::encodedLength);

        final MassCancelRequestEncoder mass = new MassCancelRequestEncoder().wrapAndApplyHeader(zeros(), 0, header);
        fill(mass.header());
        mass.clOrdID(11).massCancelScope(MassCancelScope.Security).massCancelCause(MassCancelCause.Disconnect);
        keep("MassCancelRequest", mass::encodedLength);

        final SecurityStatusRequestEncoder status =
            new SecurityStatusRequestEncoder().wrapAndApplyHeader(zeros(), 0, header);
        fill(status.header());
        status.securityTradingStatus(SecurityTradingStatus.TradingHalt);
        keep("SecurityStatusRequest", status::encodedLength);
    }

    private void reports()
    {
        final ExecutionReportEncoder report = new ExecutionReportEncoder().wrapAndApplyHeader(zeros(), 0, header);
        fill(report.header());
        report.orderID(11).execID(12).clOrdID(13).origClOrdID(14).price().mantissa(15);
        report.orderQty(16).leavesQty(17).cumQty(18).side(Side.Sell).ordType(OrdType.Limit)
            .timeInForce(TimeInForce.Day).ordStatus(OrdStatus.PartiallyFilled).execType(ExecType.Replaced)
            .execRestatementReason(ExecRestatementReason.SelfMatchPrevention);
        keep("ExecutionReport", report::encodedLength);

        final ExecutionReportTradeEncoder trade =
            new ExecutionReportTradeEncoder().wrapAndApplyHeader(zeros(), 0, header);
        fill(trade.header());
        trade.orderID(11).execID(12).clOrdID(13).tradeID(14).lastPx().mantissa(15);
        trade.lastQty(16).leavesQty(17).cumQty(18).side(Side.Buy).ordStatus(OrdStatus.Filled)
            .aggressorIndicator((short) 1);
        keep("ExecutionReportTrade", trade::encodedLength);

        final OrderMassActionReportEncoder mass =
            new OrderMassActionReportEncoder().wrapAndApplyHeader(zeros(), 0, header);
        fill(mass.header());
        mass.execID(11).clOrdID(12).totalAffectedOrders(13).massCancelCause(MassCancelCause.Request);
        keep("OrderMassActionReport", mass::encodedLength);
    }

    private void rejects()
    {
        final ExecutionReportRejectEncoder order =
            new ExecutionReportRejectEncoder().wrapAndApplyHeader(zeros(), 0, header);
        fill(order.header());
        order.execID(11).clOrdID(12).ordRejReason(OrdRejReason.PriceExceedsBand).text("too far away");
        keep("ExecutionReportReject", order::encodedLength);

        final OrderCancelRejectEncoder cancel =
            new OrderCancelRejectEncoder().wrapAndApplyHeader(zeros(), 0, header);
        fill(cancel.header());
        cancel.orderID(11).execID(12).clOrdID(13).origClOrdID(14).cxlRejResponseTo(CxlRejResponseTo.Replace)
            .cxlRejReason(CxlRejReason.UnknownOrder).text("not there");
        keep("OrderCancelReject", cancel::encodedLength);

        final BusinessMessageRejectEncoder business =
            new BusinessMessageRejectEncoder().wrapAndApplyHeader(zeros(), 0, header);
        fill(business.header());
        business.businessRejectRefID(11).refMsgType(1)
            .businessRejectReason(BusinessRejectReason.ThrottleLimitExceeded).text("slower");
        keep("BusinessMessageReject", business::encodedLength);
    }

    private void sessions()
    {
        final EstablishEncoder establish = new EstablishEncoder().wrapAndApplyHeader(zeros(), 0, header);
        establish.sessionID(1).reportStream(-2).nextSeqNo(3).sendingTime(4).keepAliveInterval(5).sessionFlags().clear()
            .cancelOnDisconnect(true);
        keep("Establish", establish::encodedLength);

        final EstablishmentAckEncoder ack = new EstablishmentAckEncoder().wrapAndApplyHeader(zeros(), 0, header);
        ack.sessionID(1).keepAliveInterval(2).nextSeqNo(3).nextOutSeqNo(4).sendingTime(5);
        keep("EstablishmentAck", ack::encodedLength);

        final EstablishmentRejectEncoder reject =
            new EstablishmentRejectEncoder().wrapAndApplyHeader(zeros(), 0, header);
        reject.nextSeqNo(1).sessionID(2).establishRejectReason(EstablishRejectReason.AlreadyEstablished);
        keep("EstablishmentReject", reject::encodedLength);

        final SequenceEncoder sequence = new SequenceEncoder().wrapAndApplyHeader(zeros(), 0, header);
        sequence.nextSeqNo(1).sessionID(2);
        keep("Sequence", sequence::encodedLength);

        final NotAppliedEncoder notApplied = new NotAppliedEncoder().wrapAndApplyHeader(zeros(), 0, header);
        notApplied.fromSeqNo(1).msgCount(2).sessionID(3);
        keep("NotApplied", notApplied::encodedLength);

        final RetransmitRequestEncoder request = new RetransmitRequestEncoder().wrapAndApplyHeader(zeros(), 0, header);
        request.fromSeqNo(1).msgCount(2).sessionID(3);
        keep("RetransmitRequest", request::encodedLength);

        final RetransmissionEncoder again = new RetransmissionEncoder().wrapAndApplyHeader(zeros(), 0, header);
        again.fromSeqNo(1).msgCount(2).sessionID(3);
        keep("Retransmission", again::encodedLength);

        final TerminateEncoder terminate = new TerminateEncoder().wrapAndApplyHeader(zeros(), 0, header);
        terminate.sessionID(1).terminationCode(TerminationCode.TooFarBehind);
        keep("Terminate", terminate::encodedLength);
    }

    private void links()
    {
        final LinkEstablishEncoder establish = new LinkEstablishEncoder().wrapAndApplyHeader(zeros(), 0, header);
        establish.epoch(1).fromSeqNo(2).nonce(3).gatewayID(4);
        keep("LinkEstablish", establish::encodedLength);

        final LinkEstablishedEncoder established = new LinkEstablishedEncoder().wrapAndApplyHeader(zeros(), 0, header);
        established.nextSeqNo(1).nextOutSeqNo(2).firstSeqNo(3).nonce(4).gatewayID(5);
        keep("LinkEstablished", established::encodedLength);
    }
}

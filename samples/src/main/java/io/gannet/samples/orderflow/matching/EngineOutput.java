package io.gannet.samples.orderflow.matching;

import io.gannet.orderflow.CxlRejReason;
import io.gannet.orderflow.CxlRejResponseTo;
import io.gannet.orderflow.ExecRestatementReason;
import io.gannet.orderflow.ExecType;
import io.gannet.orderflow.ExecutionReportEncoder;
import io.gannet.orderflow.ExecutionReportRejectEncoder;
import io.gannet.orderflow.ExecutionReportTradeEncoder;
import io.gannet.orderflow.MassCancelCause;
import io.gannet.orderflow.MessageHeaderEncoder;
import io.gannet.orderflow.OrdRejReason;
import io.gannet.orderflow.OrdStatus;
import io.gannet.orderflow.OrdType;
import io.gannet.orderflow.OrderCancelRejectEncoder;
import io.gannet.orderflow.OrderMassActionReportEncoder;
import io.gannet.orderflow.OutboundHeaderEncoder;
import io.gannet.orderflow.Side;
import io.gannet.orderflow.TimeInForce;
import io.gannet.samples.orderflow.link.MessageLog;
import io.gannet.samples.orderflow.link.ReportIndex;

/**
 * What an engine says, encoded: reports in one log, changes of the market in another. The bytes are a function of the
 * commands alone; the stamps of sending are put into the copies that are sent. Not thread-safe.
 */
public final class EngineOutput
{
    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int TEXT_HEADER = 2;

    private final MessageLog reports;
    private final MessageLog market;
    private final ReportIndex index;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ExecutionReportEncoder report = new ExecutionReportEncoder();
    private final ExecutionReportTradeEncoder trade = new ExecutionReportTradeEncoder();
    private final ExecutionReportRejectEncoder reject = new ExecutionReportRejectEncoder();
    private final OrderCancelRejectEncoder cancelReject = new OrderCancelRejectEncoder();
    private final OrderMassActionReportEncoder massAction = new OrderMassActionReportEncoder();
    private final Texts texts = new Texts();
    private long sequence;
    private long lastExecId;
    private int lastMarketOffset = -1;

    /** The command that is being answered. */
    private long time;
    private long sendingTime;
    private long receivedTime;
    private long msgSeqNum;
    private int session;

    /**
     * @param reports for the gateways.
     * @param market  for the market-data feed.
     */
    public EngineOutput(final MessageLog reports, final MessageLog market)
    {
        this.reports = reports;
        this.market = market;
        index = new ReportIndex(reports.capacity());
    }

    /** Reports in the order of their numbers. */
    public MessageLog reports()
    {
        return reports;
    }

    /** Where they are. */
    public ReportIndex index()
    {
        return index;
    }

    /** Changes of the market, see {@link MarketRecord}. */
    public MessageLog market()
    {
        return market;
    }

    /** Number of the last report. */
    public long sequence()
    {
        return sequence;
    }

    long lastExecId()
    {
        return lastExecId;
    }

    void restore(final long lastSequence, final long execId)
    {
        sequence = lastSequence;
        index.begin(lastSequence + 1);
        lastExecId = execId;
    }

    void begin(final long commandTime, final long sent, final long received, final long seqNum, final int sessionId)
    {
        time = commandTime;
        sendingTime = sent;
        receivedTime = received;
        msgSeqNum = seqNum;
        session = sessionId;
    }

    void end()
    {
        if (lastMarketOffset >= 0)
        {
            MarketRecord.markEnd(market.buffer(), lastMarketOffset);
            lastMarketOffset = -1;
        }
    }

    /** Only who caused a report learns his own stamps from it. */
    private void fill(final OutboundHeaderEncoder out, final int sessionId, final int securityId, final boolean own)
    {
        index.put(++sequence, reports.end());
        out.msgSeqNum(0).sendingTime(0).applSeqNum(sequence).applSendingTime(0).transactTime(time)
            .receivedTime(own ? receivedTime : 0).refSendingTime(own ? sendingTime : 0)
            .refSeqNum(own ? msgSeqNum : 0).sessionID(Integer.toUnsignedLong(sessionId))
            .securityID(Integer.toUnsignedLong(securityId));
    }

    void report(
        final ExecType type, final OrdStatus status, final ExecRestatementReason reason, final boolean own,
        final int sessionId, final int securityId, final long orderId, final long clOrdId, final long origClOrdId,
        final long price, final int quantity, final int leaves, final int cumulated, final boolean buy,
        final OrdType ordType, final TimeInForce timeInForce)
    {
        final int offset = reports.claim(HEADER + ExecutionReportEncoder.BLOCK_LENGTH);
        report.wrapAndApplyHeader(reports.buffer(), offset, header);
        fill(report.header(), sessionId, securityId, own);
        report.orderID(orderId).execID(++lastExecId).clOrdID(clOrdId).origClOrdID(origClOrdId).price().mantissa(price);
        report.orderQty(quantity).leavesQty(leaves).cumQty(cumulated).side(buy ? Side.Buy : Side.Sell)
            .ordType(ordType).timeInForce(timeInForce).ordStatus(status).execType(type).execRestatementReason(reason);
        pad(offset + HEADER + 130, offset + HEADER + ExecutionReportEncoder.BLOCK_LENGTH);
        reports.commit();
    }

    void trade(
        final boolean own, final int sessionId, final int securityId, final long orderId, final long clOrdId,
        final long tradeId, final long price, final int quantity, final int leaves, final int cumulated,
        final boolean buy)
    {
        final int offset = reports.claim(HEADER + ExecutionReportTradeEncoder.BLOCK_LENGTH);
        trade.wrapAndApplyHeader(reports.buffer(), offset, header);
        fill(trade.header(), sessionId, securityId, own);
        trade.orderID(orderId).execID(++lastExecId).clOrdID(clOrdId).tradeID(tradeId).lastPx().mantissa(price);
        trade.lastQty(quantity).leavesQty(leaves).cumQty(cumulated).side(buy ? Side.Buy : Side.Sell)
            .ordStatus(leaves == 0 ? OrdStatus.Filled : OrdStatus.PartiallyFilled)
            .aggressorIndicator((short) (own ? 1 : 0));
        pad(offset + HEADER + 127, offset + HEADER + ExecutionReportTradeEncoder.BLOCK_LENGTH);
        reports.commit();
    }

    void reject(final int securityId, final long clOrdId, final OrdRejReason reason)
    {
        final byte[] text = texts.of(reason);
        final int block = ExecutionReportRejectEncoder.BLOCK_LENGTH;
        final int offset = reports.claim(HEADER + block + TEXT_HEADER + text.length);
        reject.wrapAndApplyHeader(reports.buffer(), offset, header);
        fill(reject.header(), session, securityId, true);
        reject.execID(++lastExecId).clOrdID(clOrdId).ordRejReason(reason);
        pad(offset + HEADER + 90, offset + HEADER + block);
        reject.putText(text, 0, text.length);
        reports.commit();
    }

    void cancelReject(
        final int securityId, final long orderId, final long clOrdId, final long origClOrdId,
        final CxlRejResponseTo response, final CxlRejReason reason)
    {
        final byte[] text = texts.of(reason);
        final int block = OrderCancelRejectEncoder.BLOCK_LENGTH;
        final int offset = reports.claim(HEADER + block + TEXT_HEADER + text.length);
        cancelReject.wrapAndApplyHeader(reports.buffer(), offset, header);
        fill(cancelReject.header(), session, securityId, true);
        cancelReject.orderID(orderId).execID(++lastExecId).clOrdID(clOrdId).origClOrdID(origClOrdId)
            .cxlRejResponseTo(response).cxlRejReason(reason);
        pad(offset + HEADER + 106, offset + HEADER + block);
        cancelReject.putText(text, 0, text.length);
        reports.commit();
    }

    void massAction(final int securityId, final long clOrdId, final int orders, final MassCancelCause cause)
    {
        final int offset = reports.claim(HEADER + OrderMassActionReportEncoder.BLOCK_LENGTH);
        massAction.wrapAndApplyHeader(reports.buffer(), offset, header);
        fill(massAction.header(), session, securityId, true);
        massAction.execID(++lastExecId).clOrdID(clOrdId).totalAffectedOrders(orders).massCancelCause(cause);
        pad(offset + HEADER + 93, offset + HEADER + OrderMassActionReportEncoder.BLOCK_LENGTH);
        reports.commit();
    }

    void market(
        final byte type, final int instrument, final long orderId, final boolean buy, final long price,
        final long quantity)
    {
        final int offset = market.claim(MarketRecord.LENGTH);
        MarketRecord.write(market.buffer(), offset, type, instrument, orderId, buy, price, quantity, time);
        lastMarketOffset = offset;
        market.commit();
    }

    /** What no field covers would else be a leftover of older messages. */
    private void pad(final int from, final int to)
    {
        reports.buffer().setMemory(from, to - from, (byte) 0);
    }
}

package io.gannet.marketdata;

import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** One example of each message, by the current codecs. */
final class CurrentMessages
{
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final Map<String, byte[]> examples = new LinkedHashMap<>();

    static Map<String, byte[]> all()
    {
        final CurrentMessages messages = new CurrentMessages();
        messages.definition();
        messages.status();
        messages.levels();
        messages.orders();
        messages.trades();
        messages.snapshot();
        messages.others();
        return messages.examples;
    }

    private void keep(final MutableDirectBuffer buffer, final int bodyLength)
    {
        final byte[] bytes = new byte[MessageHeaderEncoder.ENCODED_LENGTH + bodyLength];
        buffer.getBytes(0, bytes);
        examples.put(switch (bytes[2])
        {
            case SecurityDefinitionEncoder.TEMPLATE_ID -> "SecurityDefinition";
            case SecurityStatusEncoder.TEMPLATE_ID -> "SecurityStatus";
            case MDIncrementalRefreshBookEncoder.TEMPLATE_ID -> "MDIncrementalRefreshBook";
            case MDIncrementalRefreshOrderBookEncoder.TEMPLATE_ID -> "MDIncrementalRefreshOrderBook";
            case MDIncrementalRefreshTradeSummaryEncoder.TEMPLATE_ID -> "MDIncrementalRefreshTradeSummary";
            case SnapshotFullRefreshEncoder.TEMPLATE_ID -> "SnapshotFullRefresh";
            case ChannelResetEncoder.TEMPLATE_ID -> "ChannelReset";
            case HeartbeatEncoder.TEMPLATE_ID -> "Heartbeat";
            default -> "TopOfBook";
        }, bytes);
    }

    private static MutableDirectBuffer zeros()
    {
        return new UnsafeBuffer(new byte[1024]);
    }

    private void definition()
    {
        final MutableDirectBuffer buffer = zeros();
        final SecurityDefinitionEncoder encoder = new SecurityDefinitionEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header).msgSeqNum(1).transactTime(2).sendingTime(3);
        encoder.minPriceIncrement().mantissa(10_000_000);
        encoder.displayFactor().mantissa(1_000_000_000);
        encoder.minLotSize(1).securityID(0xFFFF_FFF0L).symbol("GANNET").securityExchange("XGNT").totNumReports(4)
            .securityTradingStatus(SecurityTradingStatus.ReadyToTrade).matchEventIndicator().clear().endOfEvent(true);
        encoder.lowLimitPrice().mantissa(-5);
        encoder.highLimitPrice().mantissa(5);
        encoder.maxTradeVol(1_000_000).noMDFeedTypesCount(1).next().marketDepth(10).mDBookType(MDBookType.OrderDepth);
        keep(buffer, encoder.encodedLength());
    }

    private void status()
    {
        final MutableDirectBuffer buffer = zeros();
        final SecurityStatusEncoder encoder = new SecurityStatusEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header).msgSeqNum(1).transactTime(2).sendingTime(3).securityID(7)
            .securityTradingStatus(SecurityTradingStatus.TradingHalt).haltReason(HaltReason.Regulatory)
            .matchEventIndicator().clear();
        keep(buffer, encoder.encodedLength());
    }

    private void levels()
    {
        final MutableDirectBuffer buffer = zeros();
        final MDIncrementalRefreshBookEncoder encoder = new MDIncrementalRefreshBookEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header).msgSeqNum(1).transactTime(2).sendingTime(3)
            .matchEventIndicator().clear().lastBookMsg(true);
        final MDIncrementalRefreshBookEncoder.NoMDEntriesEncoder entry = encoder.noMDEntriesCount(1).next();
        entry.mDEntryPx().mantissa(4_800_250_000_000L);
        entry.mDEntrySize(12).rptSeq(9).securityID(7).numberOfOrders(3).mDPriceLevel(1)
            .mDUpdateAction(MDUpdateAction.Change).mDEntryType(MDEntryType.Bid);
        keep(buffer, encoder.encodedLength());
    }

    private void orders()
    {
        final MutableDirectBuffer buffer = zeros();
        final MDIncrementalRefreshOrderBookEncoder encoder = new MDIncrementalRefreshOrderBookEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header).msgSeqNum(1).transactTime(2).sendingTime(3)
            .matchEventIndicator().clear().endOfEvent(true);
        final MDIncrementalRefreshOrderBookEncoder.NoMDEntriesEncoder entry = encoder.noMDEntriesCount(2).next();
        entry.orderID(6_412_776_682_116L).mDOrderPriority(11).mDEntryPx().mantissa(4_800_250_000_000L);
        entry.rptSeq(10).mDDisplayQty(40).securityID(7).mDUpdateAction(MDUpdateAction.New)
            .mDEntryType(MDEntryType.Offer);
        entry.next().orderID(-1).mDOrderPriority(12).mDEntryPx().mantissa(-1);
        entry.rptSeq(11).mDDisplayQty(0).securityID(7).mDUpdateAction(MDUpdateAction.Delete)
            .mDEntryType(MDEntryType.Bid);
        keep(buffer, encoder.encodedLength());
    }

    private void trades()
    {
        final MutableDirectBuffer buffer = zeros();
        final MDIncrementalRefreshTradeSummaryEncoder encoder = new MDIncrementalRefreshTradeSummaryEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header).msgSeqNum(1).transactTime(2).sendingTime(3)
            .matchEventIndicator().clear().lastTradeMsg(true);
        final MDIncrementalRefreshTradeSummaryEncoder.NoMDEntriesEncoder trade = encoder.noMDEntriesCount(2);
        for (int i = 0; i < 2; i++)
        {
            trade.next().mDEntryPx().mantissa(100 + i);
            trade.rptSeq(20 + i).mDTradeEntryID(30 + i).mDEntrySize(5).securityID(7).numberOfOrders(2)
                .aggressorSide(Side.Buy).aggressorOrderID(900 + i);
        }
        final MDIncrementalRefreshTradeSummaryEncoder.NoOrderIDEntriesEncoder fill =
            encoder.noOrderIDEntriesCount(1).next();
        fill.orderID(77).lastPx().mantissa(100);
        fill.rptSeq(22).lastQty(5).securityID(7).side(Side.Sell);
        keep(buffer, encoder.encodedLength());
    }

    private void snapshot()
    {
        final MutableDirectBuffer buffer = zeros();
        final SnapshotFullRefreshEncoder encoder = new SnapshotFullRefreshEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header).lastMsgSeqNumProcessed(1).transactTime(2).sendingTime(3)
            .rptSeq(4).lastPx().mantissa(5);
        final SnapshotFullRefreshEncoder.NoMDEntriesEncoder entry = encoder.securityID(7).totNumReports(1).noChunks(1)
            .currentChunk(1).lastQty(6).securityTradingStatus(SecurityTradingStatus.PreOpen).cycle(8)
            .noMDEntriesCount(1).next();
        entry.orderID(1).mDOrderPriority(2).mDEntryPx().mantissa(3);
        entry.mDDisplayQty(4).mDEntryType(MDEntryType.Bid);
        keep(buffer, encoder.encodedLength());
    }

    private void others()
    {
        final MutableDirectBuffer buffer = zeros();
        final ChannelResetEncoder reset = new ChannelResetEncoder();
        reset.wrapAndApplyHeader(buffer, 0, header).msgSeqNum(1).transactTime(2).sendingTime(3)
            .securityID(ChannelResetEncoder.securityIDNullValue()).resetReason(ResetReason.BookCleared);
        keep(buffer, reset.encodedLength());

        final MutableDirectBuffer second = zeros();
        final HeartbeatEncoder heartbeat = new HeartbeatEncoder();
        heartbeat.wrapAndApplyHeader(second, 0, header).msgSeqNum(1).transactTime(2).sendingTime(3);
        keep(second, heartbeat.encodedLength());

        final MutableDirectBuffer third = zeros();
        final TopOfBookEncoder top = new TopOfBookEncoder();
        top.wrapAndApplyHeader(third, 0, header).msgSeqNum(1).transactTime(2).sendingTime(3).bidPx().mantissa(4);
        top.offerPx().mantissa(5);
        top.rptSeq(6).bidSize(7).offerSize(8).securityID(9).matchEventIndicator().clear();
        keep(third, top.encodedLength());
    }
}

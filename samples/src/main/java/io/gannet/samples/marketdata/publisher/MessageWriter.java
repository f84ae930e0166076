package io.gannet.samples.marketdata.publisher;

import io.gannet.marketdata.ChannelResetEncoder;
import io.gannet.marketdata.HeartbeatEncoder;
import io.gannet.marketdata.MDBookType;
import io.gannet.marketdata.MDEntryType;
import io.gannet.marketdata.MDIncrementalRefreshBookEncoder;
import io.gannet.marketdata.MDIncrementalRefreshOrderBookEncoder;
import io.gannet.marketdata.MDIncrementalRefreshTradeSummaryEncoder;
import io.gannet.marketdata.MDUpdateAction;
import io.gannet.marketdata.MatchEventIndicatorEncoder;
import io.gannet.marketdata.MessageHeaderEncoder;
import io.gannet.marketdata.ResetReason;
import io.gannet.marketdata.SecurityDefinitionEncoder;
import io.gannet.marketdata.SecurityStatusEncoder;
import io.gannet.marketdata.SecurityTradingStatus;
import io.gannet.marketdata.Side;
import io.gannet.samples.marketdata.source.Instrument;
import io.gannet.samples.marketdata.source.TradingStatus;
import org.agrona.MutableDirectBuffer;

/**
 * Encodes messages in place. For each there is a length, to claim it by, and a write.
 */
final class MessageWriter
{
    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final long TAG_ALL_INSTRUMENTS = ChannelResetEncoder.securityIDNullValue();

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MDIncrementalRefreshOrderBookEncoder orders = new MDIncrementalRefreshOrderBookEncoder();
    private final MDIncrementalRefreshTradeSummaryEncoder trades = new MDIncrementalRefreshTradeSummaryEncoder();
    private final MDIncrementalRefreshBookEncoder levels = new MDIncrementalRefreshBookEncoder();
    private final SecurityDefinitionEncoder definition = new SecurityDefinitionEncoder();
    private final SecurityStatusEncoder status = new SecurityStatusEncoder();
    private final ChannelResetEncoder reset = new ChannelResetEncoder();
    private final HeartbeatEncoder heartbeat = new HeartbeatEncoder();
    private long lastTradeId;

    static int length(final EntryBatch batch)
    {
        return batch.kind == EntryBatch.Kind.ORDERS ?
            HEADER + MDIncrementalRefreshOrderBookEncoder.BLOCK_LENGTH +
                MDIncrementalRefreshOrderBookEncoder.NoMDEntriesEncoder.HEADER_SIZE +
                batch.size * MDIncrementalRefreshOrderBookEncoder.NoMDEntriesEncoder.sbeBlockLength() :
            HEADER + MDIncrementalRefreshTradeSummaryEncoder.BLOCK_LENGTH +
                MDIncrementalRefreshTradeSummaryEncoder.NoMDEntriesEncoder.HEADER_SIZE +
                batch.trades * MDIncrementalRefreshTradeSummaryEncoder.NoMDEntriesEncoder.sbeBlockLength() +
                MDIncrementalRefreshTradeSummaryEncoder.NoOrderIDEntriesEncoder.HEADER_SIZE +
                (batch.size - batch.trades) *
                    MDIncrementalRefreshTradeSummaryEncoder.NoOrderIDEntriesEncoder.sbeBlockLength();
    }

    void write(
        final MutableDirectBuffer buffer,
        final int offset,
        final EntryBatch batch,
        final boolean endOfEvent,
        final long sequence,
        final long sendingTime)
    {
        if (batch.kind == EntryBatch.Kind.ORDERS)
        {
            writeOrders(buffer, offset, batch, endOfEvent, sequence, sendingTime);
        }
        else
        {
            writeTrades(buffer, offset, batch, endOfEvent, sequence, sendingTime);
        }
    }

    private void writeOrders(
        final MutableDirectBuffer buffer,
        final int offset,
        final EntryBatch batch,
        final boolean endOfEvent,
        final long sequence,
        final long sendingTime)
    {
        orders.wrapAndApplyHeader(buffer, offset, header)
            .msgSeqNum(sequence).transactTime(batch.transactTime).sendingTime(sendingTime);
        indicate(orders.matchEventIndicator(), batch, endOfEvent);
        final MDIncrementalRefreshOrderBookEncoder.NoMDEntriesEncoder entry = orders.noMDEntriesCount(batch.size);
        for (int i = 0; i < batch.size; i++)
        {
            entry.next().orderID(batch.orderId[i]).mDOrderPriority(batch.priority[i]);
            entry.mDEntryPx().mantissa(batch.price[i]);
            entry.rptSeq(batch.rptSeq[i])
                .mDDisplayQty(batch.quantity[i])
                .securityID(Integer.toUnsignedLong(batch.securityId[i]))
                .mDUpdateAction(switch (batch.action[i])
                {
                    case NEW -> MDUpdateAction.New;
                    case CHANGE -> MDUpdateAction.Change;
                    default -> MDUpdateAction.Delete;
                })
                .mDEntryType(batch.side[i] == EventApplier.BUY ? MDEntryType.Bid : MDEntryType.Offer);
        }
    }

    private void writeTrades(
        final MutableDirectBuffer buffer,
        final int offset,
        final EntryBatch batch,
        final boolean endOfEvent,
        final long sequence,
        final long sendingTime)
    {
        trades.wrapAndApplyHeader(buffer, offset, header)
            .msgSeqNum(sequence).transactTime(batch.transactTime).sendingTime(sendingTime);
        indicate(trades.matchEventIndicator(), batch, endOfEvent);
        final MDIncrementalRefreshTradeSummaryEncoder.NoMDEntriesEncoder trade =
            trades.noMDEntriesCount(batch.trades);
        for (int i = 0; i < batch.trades; i++)
        {
            trade.next().mDEntryPx().mantissa(batch.price[i]);
            trade.rptSeq(batch.rptSeq[i])
                .mDTradeEntryID(++lastTradeId)
                .mDEntrySize(batch.quantity[i])
                .securityID(Integer.toUnsignedLong(batch.securityId[i]))
                .numberOfOrders(MDIncrementalRefreshTradeSummaryEncoder.NoMDEntriesEncoder.numberOfOrdersNullValue())
                .aggressorSide(side(batch.side[i]))
                .aggressorOrderID(
                    MDIncrementalRefreshTradeSummaryEncoder.NoMDEntriesEncoder.aggressorOrderIDNullValue());
        }
        final MDIncrementalRefreshTradeSummaryEncoder.NoOrderIDEntriesEncoder fill =
            trades.noOrderIDEntriesCount(batch.size - batch.trades);
        for (int i = batch.trades; i < batch.size; i++)
        {
            fill.next().orderID(batch.orderId[i]).lastPx().mantissa(batch.price[i]);
            fill.rptSeq(batch.rptSeq[i])
                .lastQty(batch.quantity[i])
                .securityID(Integer.toUnsignedLong(batch.securityId[i]))
                .side(side(batch.side[i]));
        }
    }

    private static void indicate(
        final MatchEventIndicatorEncoder indicator, final EntryBatch batch, final boolean endOfEvent)
    {
        indicator.clear().recoveryMsg(batch.opening).endOfEvent(endOfEvent);
    }

    static int lengthOfLevels(final LevelBatch batch)
    {
        return HEADER + MDIncrementalRefreshBookEncoder.BLOCK_LENGTH +
            MDIncrementalRefreshBookEncoder.NoMDEntriesEncoder.HEADER_SIZE +
            batch.size * MDIncrementalRefreshBookEncoder.NoMDEntriesEncoder.sbeBlockLength();
    }

    void writeLevels(
        final MutableDirectBuffer buffer,
        final int offset,
        final LevelBatch batch,
        final EntryBatch cause,
        final long sequence,
        final long sendingTime)
    {
        levels.wrapAndApplyHeader(buffer, offset, header)
            .msgSeqNum(sequence).transactTime(cause.transactTime).sendingTime(sendingTime);
        indicate(levels.matchEventIndicator(), cause, cause.endOfEvent);
        final MDIncrementalRefreshBookEncoder.NoMDEntriesEncoder entry = levels.noMDEntriesCount(batch.size);
        for (int i = 0; i < batch.size; i++)
        {
            entry.next().mDEntryPx().mantissa(batch.price[i]);
            entry.mDEntrySize(batch.quantity[i])
                .rptSeq(batch.rptSeq[i])
                .securityID(Integer.toUnsignedLong(batch.securityId[i]))
                .numberOfOrders(batch.orders[i])
                .mDPriceLevel(MDIncrementalRefreshBookEncoder.NoMDEntriesEncoder.mDPriceLevelNullValue())
                .mDUpdateAction(batch.orders[i] == 0 ? MDUpdateAction.Delete :
                    batch.existed[i] ? MDUpdateAction.Change : MDUpdateAction.New)
                .mDEntryType(batch.bid[i] ? MDEntryType.Bid : MDEntryType.Offer);
        }
    }

    static int lengthOfDefinition()
    {
        return HEADER + SecurityDefinitionEncoder.BLOCK_LENGTH +
            SecurityDefinitionEncoder.NoMDFeedTypesEncoder.HEADER_SIZE +
            SecurityDefinitionEncoder.NoMDFeedTypesEncoder.sbeBlockLength();
    }

    int writeDefinition(
        final MutableDirectBuffer buffer,
        final int offset,
        final Instrument instrument,
        final TradingStatus tradingStatus,
        final int totalInstruments,
        final long sequence,
        final long transactTime,
        final long sendingTime)
    {
        definition.wrapAndApplyHeader(buffer, offset, header)
            .msgSeqNum(sequence).transactTime(transactTime).sendingTime(sendingTime);
        definition.minPriceIncrement().mantissa(
            instrument.tick() == 0 ? InstrumentState.NO_PRICE : instrument.tick());
        definition.displayFactor().mantissa(1_000_000_000L);
        definition.minLotSize(1)
            .securityID(Integer.toUnsignedLong(instrument.id()))
            .symbol(instrument.symbol())
            .securityExchange(instrument.exchange())
            .totNumReports(totalInstruments)
            .securityTradingStatus(status(tradingStatus))
            .matchEventIndicator().clear();
        definition.lowLimitPrice().mantissa(InstrumentState.NO_PRICE);
        definition.highLimitPrice().mantissa(InstrumentState.NO_PRICE);
        definition.maxTradeVol(SecurityDefinitionEncoder.maxTradeVolNullValue());
        definition.noMDFeedTypesCount(1).next().marketDepth(0).mDBookType(MDBookType.OrderDepth);
        return lengthOfDefinition();
    }

    static int lengthOfStatus()
    {
        return HEADER + SecurityStatusEncoder.BLOCK_LENGTH;
    }

    void writeStatus(
        final MutableDirectBuffer buffer,
        final int offset,
        final int securityId,
        final TradingStatus tradingStatus,
        final long sequence,
        final long transactTime,
        final long sendingTime)
    {
        status.wrapAndApplyHeader(buffer, offset, header)
            .msgSeqNum(sequence).transactTime(transactTime).sendingTime(sendingTime)
            .securityID(Integer.toUnsignedLong(securityId))
            .securityTradingStatus(status(tradingStatus))
            .haltReason(io.gannet.marketdata.HaltReason.None)
            .matchEventIndicator().clear().endOfEvent(true);
    }

    static int lengthOfReset()
    {
        return HEADER + ChannelResetEncoder.BLOCK_LENGTH;
    }

    /** Resets one instrument, or all if {@code instrument} is null. */
    void writeReset(
        final MutableDirectBuffer buffer,
        final int offset,
        final Instrument instrument,
        final ResetReason reason,
        final long sequence,
        final long transactTime,
        final long sendingTime)
    {
        reset.wrapAndApplyHeader(buffer, offset, header)
            .msgSeqNum(sequence).transactTime(transactTime).sendingTime(sendingTime)
            .securityID(instrument == null ? TAG_ALL_INSTRUMENTS : Integer.toUnsignedLong(instrument.id()))
            .resetReason(reason);
    }

    static int lengthOfHeartbeat()
    {
        return HEADER + HeartbeatEncoder.BLOCK_LENGTH;
    }

    void writeHeartbeat(
        final MutableDirectBuffer buffer, final int offset, final long lastSequence, final long now)
    {
        heartbeat.wrapAndApplyHeader(buffer, offset, header)
            .msgSeqNum(lastSequence).transactTime(now).sendingTime(now);
    }

    static SecurityTradingStatus status(final TradingStatus tradingStatus)
    {
        return switch (tradingStatus)
        {
            case TRADING -> SecurityTradingStatus.ReadyToTrade;
            case PRE_OPEN -> SecurityTradingStatus.PreOpen;
            case HALTED -> SecurityTradingStatus.TradingHalt;
            case CLOSED -> SecurityTradingStatus.NotAvailableForTrading;
        };
    }

    private static Side side(final byte side)
    {
        return switch (side)
        {
            case EventApplier.BUY -> Side.Buy;
            case EventApplier.SELL -> Side.Sell;
            default -> Side.Undisclosed;
        };
    }
}

package io.gannet.samples.marketdata.subscriber;

import io.gannet.marketdata.ChannelResetDecoder;
import io.gannet.marketdata.MDEntryType;
import io.gannet.marketdata.MDIncrementalRefreshBookDecoder;
import io.gannet.marketdata.MDIncrementalRefreshOrderBookDecoder;
import io.gannet.marketdata.MDIncrementalRefreshTradeSummaryDecoder;
import io.gannet.marketdata.MessageHeaderDecoder;
import io.gannet.marketdata.ResetReason;
import io.gannet.marketdata.SecurityDefinitionDecoder;
import io.gannet.marketdata.SecurityStatusDecoder;
import org.agrona.DirectBuffer;

/**
 * Applies checked messages of the incremental stream, in sequence, to the books. Entries that an instrument's snapshot
 * already includes are passed over.
 */
final class MessageApplier
{
    private final Instruments instruments;
    private final SubscriberCounters counters;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final MDIncrementalRefreshOrderBookDecoder orders = new MDIncrementalRefreshOrderBookDecoder();
    private final MDIncrementalRefreshTradeSummaryDecoder trades = new MDIncrementalRefreshTradeSummaryDecoder();
    private final MDIncrementalRefreshBookDecoder levels = new MDIncrementalRefreshBookDecoder();
    private final SecurityDefinitionDecoder definition = new SecurityDefinitionDecoder();
    private final SecurityStatusDecoder status = new SecurityStatusDecoder();
    private final ChannelResetDecoder reset = new ChannelResetDecoder();
    private boolean ended;

    MessageApplier(final Instruments instruments, final SubscriberCounters counters)
    {
        this.instruments = instruments;
        this.counters = counters;
    }

    /** Whether the publisher said that nothing follows. */
    boolean hasEnded()
    {
        return ended;
    }

    /** Another publisher begins. */
    void restart()
    {
        ended = false;
        instruments.reset();
    }

    /** Whether this message makes all books void, so that a subscriber can begin with it. */
    boolean isRestart(final DirectBuffer buffer, final int offset, final int template)
    {
        if (template != ChannelResetDecoder.TEMPLATE_ID)
        {
            return false;
        }
        reset.wrapAndApplyHeader(buffer, offset, header);
        return reset.resetReason() == ResetReason.Restart && reset.securityID() ==
            ChannelResetDecoder.securityIDNullValue();
    }

    /** Whether this message says that the feed has ended, which is said again and again for those who join late. */
    boolean isEnd(final DirectBuffer buffer, final int offset, final int template)
    {
        if (template != ChannelResetDecoder.TEMPLATE_ID)
        {
            return false;
        }
        reset.wrapAndApplyHeader(buffer, offset, header);
        return reset.resetReason() == ResetReason.EndOfFeed;
    }

    void apply(final DirectBuffer buffer, final int offset, final int template)
    {
        switch (template)
        {
            case MDIncrementalRefreshOrderBookDecoder.TEMPLATE_ID -> applyOrders(buffer, offset);
            case MDIncrementalRefreshTradeSummaryDecoder.TEMPLATE_ID -> applyTrades(buffer, offset);
            case MDIncrementalRefreshBookDecoder.TEMPLATE_ID -> applyLevels(buffer, offset);
            case SecurityDefinitionDecoder.TEMPLATE_ID -> applyDefinition(buffer, offset);
            case SecurityStatusDecoder.TEMPLATE_ID -> applyStatus(buffer, offset);
            case ChannelResetDecoder.TEMPLATE_ID -> applyReset(buffer, offset);
            default ->
            {
                // Others, such as TopOfBook, change no book.
            }
        }
    }

    private void applyOrders(final DirectBuffer buffer, final int offset)
    {
        orders.wrapAndApplyHeader(buffer, offset, header);
        final long sequence = orders.msgSeqNum();
        for (final MDIncrementalRefreshOrderBookDecoder.NoMDEntriesDecoder entry : orders.noMDEntries())
        {
            final long orderId = entry.orderID();
            final long priority = entry.mDOrderPriority();
            final long price = entry.mDEntryPx().mantissa();
            final long rptSeq = entry.rptSeq();
            final long quantity = entry.mDDisplayQty();
            final InstrumentView instrument = instrument(entry.securityID(), sequence, rptSeq);
            if (instrument == null)
            {
                continue;
            }
            final MDEntryType type;
            final boolean fits;
            switch (entry.mDUpdateAction())
            {
                case New ->
                {
                    type = entry.mDEntryType();
                    fits = isSide(type) &&
                        instrument.book().add(orderId, type == MDEntryType.Bid, price, quantity, priority);
                    counters.adds++;
                }
                case Change ->
                {
                    type = entry.mDEntryType();
                    fits = isSide(type) &&
                        instrument.book().change(orderId, type == MDEntryType.Bid, price, quantity, priority);
                    counters.changes++;
                }
                case Delete ->
                {
                    fits = instrument.book().delete(orderId);
                    counters.deletes++;
                }
                default -> fits = false;
            }
            if (!fits)
            {
                counters.mismatches++;
            }
        }
    }

    private void applyTrades(final DirectBuffer buffer, final int offset)
    {
        trades.wrapAndApplyHeader(buffer, offset, header);
        final long sequence = trades.msgSeqNum();
        for (final MDIncrementalRefreshTradeSummaryDecoder.NoMDEntriesDecoder entry : trades.noMDEntries())
        {
            final long price = entry.mDEntryPx().mantissa();
            final long rptSeq = entry.rptSeq();
            final long quantity = entry.mDEntrySize();
            final InstrumentView instrument = instrument(entry.securityID(), sequence, rptSeq);
            if (instrument != null)
            {
                instrument.lastPrice = price;
                instrument.lastQuantity = quantity;
                instrument.trades++;
                counters.trades++;
            }
        }
        for (final MDIncrementalRefreshTradeSummaryDecoder.NoOrderIDEntriesDecoder fill : trades.noOrderIDEntries())
        {
            final long rptSeq = fill.rptSeq();
            if (instrument(fill.securityID(), sequence, rptSeq) != null)
            {
                counters.fills++;
            }
        }
    }

    private void applyLevels(final DirectBuffer buffer, final int offset)
    {
        levels.wrapAndApplyHeader(buffer, offset, header);
        final long sequence = levels.msgSeqNum();
        for (final MDIncrementalRefreshBookDecoder.NoMDEntriesDecoder entry : levels.noMDEntries())
        {
            final long price = entry.mDEntryPx().mantissa();
            final long quantity = entry.mDEntrySize();
            final long rptSeq = entry.rptSeq();
            final InstrumentView instrument = instrument(entry.securityID(), sequence, rptSeq);
            if (instrument == null)
            {
                continue;
            }
            final long count = entry.numberOfOrders();
            final io.gannet.marketdata.MDUpdateAction action = entry.mDUpdateAction();
            final MDEntryType type = entry.mDEntryType();
            final boolean bid = type == MDEntryType.Bid;
            final boolean fits = isSide(type) && switch (action)
            {
                case New -> !instrument.levels().has(bid, price) &&
                    instrument.levels().set(bid, price, quantity, (int) count);
                case Change -> instrument.levels().has(bid, price) &&
                    instrument.levels().set(bid, price, quantity, (int) count);
                case Delete -> instrument.levels().delete(bid, price);
                default -> false;
            };
            instrument.hasLevels = true;
            counters.levels++;
            if (!fits)
            {
                counters.mismatches++;
            }
        }
    }

    private void applyDefinition(final DirectBuffer buffer, final int offset)
    {
        definition.wrapAndApplyHeader(buffer, offset, header);
        if (!instruments.define(definition))
        {
            counters.unknownInstruments++;
        }
    }

    private void applyStatus(final DirectBuffer buffer, final int offset)
    {
        status.wrapAndApplyHeader(buffer, offset, header);
        final long sequence = status.msgSeqNum();
        final InstrumentView instrument = instruments.get(status.securityID());
        if (instrument == null)
        {
            counters.unknownInstruments++;
        }
        else if (sequence > instrument.snapshotSequence)
        {
            instrument.status = status.securityTradingStatus();
        }
    }

    private void applyReset(final DirectBuffer buffer, final int offset)
    {
        reset.wrapAndApplyHeader(buffer, offset, header);
        counters.resets++;
        final long sequence = reset.msgSeqNum();
        final long securityId = reset.securityID();
        final ResetReason reason = reset.resetReason();
        if (reason == ResetReason.EndOfFeed)
        {
            ended = true;
        }
        else if (securityId == ChannelResetDecoder.securityIDNullValue())
        {
            instruments.reset();
        }
        else
        {
            final InstrumentView instrument = instruments.get(securityId);
            if (instrument == null)
            {
                counters.unknownInstruments++;
            }
            else if (sequence > instrument.snapshotSequence)
            {
                instrument.clearBook();
            }
        }
    }

    private static boolean isSide(final MDEntryType type)
    {
        return type == MDEntryType.Bid || type == MDEntryType.Offer;
    }

    /** The instrument of an entry, or null if the entry is not to be applied. */
    private InstrumentView instrument(final long securityId, final long sequence, final long rptSeq)
    {
        final InstrumentView instrument = instruments.get(securityId);
        if (instrument == null)
        {
            counters.unknownInstruments++;
            return null;
        }
        if (sequence <= instrument.snapshotSequence)
        {
            return null;
        }
        if (rptSeq != instrument.rptSeq + 1)
        {
            counters.rptSeqErrors++;
        }
        instrument.rptSeq = rptSeq;
        return instrument;
    }
}

package io.gannet.samples.marketdata.subscriber;

import io.gannet.marketdata.MDEntryType;
import io.gannet.marketdata.MessageHeaderDecoder;
import io.gannet.marketdata.SecurityDefinitionDecoder;
import io.gannet.marketdata.SnapshotFullRefreshDecoder;
import org.agrona.DirectBuffer;

/**
 * Puts the books together from the snapshot stream: one whole cycle, every chunk of every instrument. A cycle that was
 * joined in its middle, or that is older than the kept messages, is passed over.
 */
final class SnapshotAssembler
{
    private final Instruments instruments;
    private final SubscriberCounters counters;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final SnapshotFullRefreshDecoder snapshot = new SnapshotFullRefreshDecoder();
    private final SecurityDefinitionDecoder definition = new SecurityDefinitionDecoder();
    private long cycle = -1;
    private int complete;
    private boolean usable;

    SnapshotAssembler(final Instruments instruments, final SubscriberCounters counters)
    {
        this.instruments = instruments;
        this.counters = counters;
    }

    /** Forgets what was put together: a new recovery begins. */
    void restart()
    {
        cycle = -1;
    }

    /**
     * Takes a checked message of the snapshot stream.
     *
     * @param neededFrom first incremental message that is kept: a snapshot must include all before it.
     * @return whether all books are now complete.
     */
    boolean onMessage(final DirectBuffer buffer, final int offset, final int template, final long neededFrom)
    {
        if (template == SecurityDefinitionDecoder.TEMPLATE_ID)
        {
            definition.wrapAndApplyHeader(buffer, offset, header);
            instruments.define(definition);
            return false;
        }
        if (template != SnapshotFullRefreshDecoder.TEMPLATE_ID)
        {
            counters.malformed++;
            return false;
        }
        snapshot.wrapAndApplyHeader(buffer, offset, header);
        final long lastSequence = snapshot.lastMsgSeqNumProcessed();
        final long rptSeq = snapshot.rptSeq();
        final long lastPrice = snapshot.lastPx().mantissa();
        final InstrumentView instrument = instruments.get(snapshot.securityID());
        final long total = snapshot.totNumReports();
        final long chunks = snapshot.noChunks();
        final long chunk = snapshot.currentChunk();
        final long lastQuantity = snapshot.lastQty();
        final io.gannet.marketdata.SecurityTradingStatus status = snapshot.securityTradingStatus();
        final long messageCycle = snapshot.cycle();
        counters.snapshotMessages++;
        if (messageCycle != cycle)
        {
            cycle = messageCycle;
            complete = 0;
            usable = true;
            instruments.reset();
        }
        if (lastSequence + 1 < neededFrom)
        {
            usable = false;
        }
        if (!usable || instrument == null || !isNext(instrument, chunk, chunks))
        {
            usable = false;
            return false;
        }
        addOrders(instrument);
        if (chunk < chunks)
        {
            return false;
        }
        instrument.rptSeq = rptSeq;
        instrument.snapshotSequence = lastSequence;
        instrument.lastPrice = lastPrice;
        instrument.lastQuantity = lastPrice == InstrumentView.NO_PRICE ? 0 : lastQuantity;
        instrument.status = status;
        instrument.rebuildLevels();
        complete++;
        return complete == total;
    }

    private boolean isNext(final InstrumentView instrument, final long chunk, final long chunks)
    {
        if (instrument.snapshotCycle != cycle)
        {
            instrument.snapshotCycle = cycle;
            instrument.snapshotChunk = 0;
            instrument.snapshotChunks = (int) chunks;
        }
        if (chunks != instrument.snapshotChunks || chunk != instrument.snapshotChunk + 1 || chunk > chunks)
        {
            return false;
        }
        instrument.snapshotChunk = (int) chunk;
        return true;
    }

    private void addOrders(final InstrumentView instrument)
    {
        for (final SnapshotFullRefreshDecoder.NoMDEntriesDecoder entry : snapshot.noMDEntries())
        {
            final long orderId = entry.orderID();
            final long priority = entry.mDOrderPriority();
            final long price = entry.mDEntryPx().mantissa();
            final long quantity = entry.mDDisplayQty();
            final MDEntryType type = entry.mDEntryType();
            if ((type != MDEntryType.Bid && type != MDEntryType.Offer) ||
                !instrument.book().add(orderId, type == MDEntryType.Bid, price, quantity, priority))
            {
                counters.mismatches++;
            }
        }
    }
}

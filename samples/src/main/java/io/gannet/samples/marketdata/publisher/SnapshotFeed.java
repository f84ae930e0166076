package io.gannet.samples.marketdata.publisher;

import io.gannet.marketdata.MDEntryType;
import io.gannet.marketdata.MessageHeaderEncoder;
import io.gannet.marketdata.SnapshotFullRefreshEncoder;
import io.gannet.samples.marketdata.book.OrderBook;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.IntArrayList;

/**
 * Publishes snapshots of all instruments, cycle after cycle, while somebody listens: connecting to the snapshot stream
 * is the request. An instrument's orders are written down at once, between two messages of the incremental stream, and
 * sent chunk by chunk in the publisher's spare time.
 */
final class SnapshotFeed
{
    private static final int CHUNK_ENTRIES = 100;
    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH +
        SnapshotFullRefreshEncoder.BLOCK_LENGTH + SnapshotFullRefreshEncoder.NoMDEntriesEncoder.HEADER_SIZE;

    private final Outlet outlet;
    private final List<InstrumentState> instruments;
    private final long intervalNanos;
    private final PublisherCounters counters;
    private final MessageWriter writer = new MessageWriter();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final SnapshotFullRefreshEncoder snapshot = new SnapshotFullRefreshEncoder();
    private final ExpandableArrayBuffer written = new ExpandableArrayBuffer(64 * 1024);
    private final IntArrayList lengths = new IntArrayList();
    private int nextMessage;
    private int nextOffset;
    private boolean inCycle;
    private int nextInstrument;
    private int total;
    private long cycle;
    private long lastCycle = Long.MIN_VALUE / 2;

    SnapshotFeed(
        final Outlet outlet,
        final List<InstrumentState> instruments,
        final long intervalNanos,
        final PublisherCounters counters)
    {
        this.outlet = outlet;
        this.instruments = instruments;
        this.intervalNanos = intervalNanos;
        this.counters = counters;
    }

    /**
     * Does one step; not while a message of the incremental stream is half made.
     *
     * @param lastSequence last message of the incremental stream.
     * @return whether there was something to do.
     */
    boolean doWork(final long lastSequence, final long now)
    {
        if (!outlet.isConnected())
        {
            abandon();
            return false;
        }
        if (nextMessage == lengths.size())
        {
            if (!inCycle)
            {
                final long time = System.nanoTime();
                if (time - lastCycle < intervalNanos || instruments.isEmpty())
                {
                    return false;
                }
                inCycle = true;
                lastCycle = time;
                cycle++;
                nextInstrument = 0;
                total = instruments.size();
            }
            capture(instruments.get(nextInstrument++), lastSequence, now);
        }
        return send();
    }

    /** The books begin anew: what was written down of them is void. */
    void abandon()
    {
        if (inCycle)
        {
            counters.snapshotsAbandoned++;
        }
        inCycle = false;
        lengths.clear();
        nextMessage = 0;
        nextOffset = 0;
    }

    private boolean send()
    {
        final int length = lengths.getInt(nextMessage);
        if (outlet.claim(length) <= 0)
        {
            return false;
        }
        outlet.buffer().putBytes(outlet.offset(), written, nextOffset, length);
        outlet.commit();
        counters.snapshotMessages++;
        nextOffset += length;
        if (++nextMessage == lengths.size())
        {
            lengths.clear();
            nextMessage = 0;
            nextOffset = 0;
            if (nextInstrument == total)
            {
                inCycle = false;
                counters.snapshotCycles++;
            }
        }
        return true;
    }

    private void capture(final InstrumentState instrument, final long lastSequence, final long now)
    {
        final OrderBook book = instrument.book;
        int offset = writer.writeDefinition(written, 0, instrument.info, instrument.status, total, 0, now, now);
        lengths.addInt(offset);
        final int chunks = Math.max(1, (book.size() + CHUNK_ENTRIES - 1) / CHUNK_ENTRIES);
        int remaining = book.size();
        boolean bid = book.levels(true) > 0;
        int level = 0;
        int order = remaining == 0 ? OrderBook.NONE : book.firstOrder(bid, 0);
        for (int chunk = 1; chunk <= chunks; chunk++)
        {
            final int entries = Math.min(remaining, CHUNK_ENTRIES);
            remaining -= entries;
            final SnapshotFullRefreshEncoder.NoMDEntriesEncoder entry =
                begin(offset, instrument, lastSequence, now, chunks, chunk, entries);
            for (int i = 0; i < entries; i++)
            {
                entry.next().orderID(book.orderId(order)).mDOrderPriority(book.priority(order));
                entry.mDEntryPx().mantissa(book.price(order));
                entry.mDDisplayQty(book.quantity(order)).mDEntryType(bid ? MDEntryType.Bid : MDEntryType.Offer);
                order = book.nextOrder(order);
                if (order == OrderBook.NONE)
                {
                    if (++level == book.levels(bid))
                    {
                        bid = false;
                        level = 0;
                    }
                    order = level < book.levels(bid) ? book.firstOrder(bid, level) : OrderBook.NONE;
                }
            }
            final int length = HEADER + entries * SnapshotFullRefreshEncoder.NoMDEntriesEncoder.sbeBlockLength();
            lengths.addInt(length);
            offset += length;
        }
    }

    private SnapshotFullRefreshEncoder.NoMDEntriesEncoder begin(
        final int offset,
        final InstrumentState instrument,
        final long lastSequence,
        final long now,
        final int chunks,
        final int chunk,
        final int entries)
    {
        snapshot.wrapAndApplyHeader(written, offset, header)
            .lastMsgSeqNumProcessed(lastSequence).transactTime(now).sendingTime(now).rptSeq(instrument.rptSeq);
        snapshot.lastPx().mantissa(instrument.lastPrice);
        return snapshot.securityID(Integer.toUnsignedLong(instrument.info.id()))
            .totNumReports(total)
            .noChunks(chunks)
            .currentChunk(chunk)
            .lastQty(instrument.lastQuantity)
            .securityTradingStatus(MessageWriter.status(instrument.status))
            .cycle(cycle)
            .noMDEntriesCount(entries);
    }
}

package io.gannet.samples.marketdata.publisher;

import io.gannet.samples.marketdata.source.FeedEvent;

/**
 * Applies events of a source to the publisher's books and notes what becomes of each on the wire. A change of an
 * unknown order, or a second order of the same id, is not published: it is counted, and the feed stays consistent.
 */
final class EventApplier
{
    static final byte BUY = '1';
    static final byte SELL = '2';
    static final byte UNDISCLOSED = '7';

    private static final long MAX_QUANTITY = 0xFFFF_FFFEL;

    private long lastPriority;
    private long inconsistent;

    /** Events that didn't fit the book. */
    long inconsistent()
    {
        return inconsistent;
    }

    /** The kind of message an event goes into, or NONE if it is a message of its own. */
    static EntryBatch.Kind kind(final FeedEvent event)
    {
        return switch (event.type)
        {
            case ADD, MODIFY, CANCEL -> EntryBatch.Kind.ORDERS;
            case TRADE, FILL -> EntryBatch.Kind.TRADES;
            case CLEAR, STATUS -> EntryBatch.Kind.NONE;
        };
    }

    /** Notes the levels that {@link #apply} will change. */
    static void touch(final FeedEvent event, final InstrumentState instrument, final LevelBatch levels)
    {
        final int order = instrument.book.find(event.orderId);
        if (order >= 0)
        {
            levels.touch(instrument, instrument.book.isBid(order), instrument.book.price(order));
        }
        if (event.type != FeedEvent.Type.CANCEL)
        {
            levels.touch(instrument, event.side == FeedEvent.Side.BID, event.price);
        }
    }

    void apply(final FeedEvent event, final InstrumentState instrument, final EntryBatch batch)
    {
        switch (event.type)
        {
            case ADD -> add(event, instrument, batch);
            case MODIFY -> modify(event, instrument, batch);
            case CANCEL -> cancel(event, instrument, batch);
            case TRADE ->
            {
                instrument.lastPrice = event.price;
                instrument.lastQuantity = Math.min(event.quantity, MAX_QUANTITY);
                batch.add(EntryBatch.Action.TRADE, instrument, 0, side(event.side), event.price,
                    instrument.lastQuantity, 0);
            }
            case FILL -> batch.add(EntryBatch.Action.FILL, instrument, event.orderId, side(event.side), event.price,
                Math.min(event.quantity, MAX_QUANTITY), 0);
            case CLEAR, STATUS -> throw new IllegalArgumentException("no entry: " + event.type);
        }
    }

    private void add(final FeedEvent event, final InstrumentState instrument, final EntryBatch batch)
    {
        final long quantity = Math.min(event.quantity, MAX_QUANTITY);
        final long priority = ++lastPriority;
        if (instrument.book.add(event.orderId, event.side == FeedEvent.Side.BID, event.price, quantity, priority))
        {
            batch.add(EntryBatch.Action.NEW, instrument, event.orderId, side(event.side), event.price, quantity,
                priority);
        }
        else
        {
            inconsistent++;
        }
    }

    private void modify(final FeedEvent event, final InstrumentState instrument, final EntryBatch batch)
    {
        final int order = instrument.book.find(event.orderId);
        if (order < 0)
        {
            // The source's book may begin before its file: the order is new to us.
            add(event, instrument, batch);
            return;
        }
        final long quantity = Math.min(event.quantity, MAX_QUANTITY);
        // An order keeps its place only if it does no more than shrink.
        final boolean keeps = instrument.book.price(order) == event.price &&
            quantity <= instrument.book.quantity(order);
        final long priority = keeps ? instrument.book.priority(order) : ++lastPriority;
        if (instrument.book.change(
            event.orderId, event.side == FeedEvent.Side.BID, event.price, quantity, priority))
        {
            batch.add(EntryBatch.Action.CHANGE, instrument, event.orderId, side(event.side), event.price, quantity,
                priority);
        }
        else
        {
            inconsistent++;
        }
    }

    private void cancel(final FeedEvent event, final InstrumentState instrument, final EntryBatch batch)
    {
        final int order = instrument.book.find(event.orderId);
        if (order < 0)
        {
            inconsistent++;
            return;
        }
        final boolean bid = instrument.book.isBid(order);
        final long price = instrument.book.price(order);
        final long priority = instrument.book.priority(order);
        final long left = instrument.book.quantity(order) - event.quantity;
        if (left > 0 && instrument.book.change(event.orderId, bid, price, left, priority))
        {
            batch.add(EntryBatch.Action.CHANGE, instrument, event.orderId, bid ? BUY : SELL, price, left, priority);
        }
        else
        {
            instrument.book.delete(event.orderId);
            batch.add(EntryBatch.Action.DELETE, instrument, event.orderId, bid ? BUY : SELL, price, 0, priority);
        }
    }

    private static byte side(final FeedEvent.Side side)
    {
        return switch (side)
        {
            case BID -> BUY;
            case OFFER -> SELL;
            case NONE -> UNDISCLOSED;
        };
    }
}

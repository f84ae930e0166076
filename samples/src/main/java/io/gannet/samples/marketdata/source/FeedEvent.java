package io.gannet.samples.marketdata.source;

/**
 * One event of a market, reused from call to call: the fields that its type does not name are undefined.
 */
public final class FeedEvent
{
    /** Price of an event that has none. */
    public static final long NO_PRICE = Long.MIN_VALUE;

    /** What happened. */
    public enum Type
    {
        /** An order joined the book: order id, side, price, quantity. */
        ADD,
        /** An order has a new price or quantity: order id, side, price, quantity. */
        MODIFY,
        /** {@code quantity} of an order left the book, or all of it if that is as much as is left: order id. */
        CANCEL,
        /** A trade: price, quantity, side of the aggressor. The book changes by the events that follow. */
        TRADE,
        /** A resting order was filled: order id, its side, price, quantity. The book changes by what follows. */
        FILL,
        /** All orders of the instrument left the book. */
        CLEAR,
        /** The instrument's trading status changed: status. */
        STATUS
    }

    /** Side of an order, or of a trade's aggressor. */
    public enum Side
    {
        BID, OFFER, NONE
    }

    /** Type of the event. */
    public Type type;
    /** Index of the instrument in {@link FeedSource#instruments()}. */
    public int instrument;
    /** Id of the order, unique within the instrument. */
    public long orderId;
    /** Side. */
    public Side side;
    /** Price in units of 10^-9, or {@link #NO_PRICE}. */
    public long price;
    /** Quantity. */
    public long quantity;
    /** Time at the venue, nanoseconds since the epoch. */
    public long transactTime;
    /** Time that paces a replay, nanoseconds; never goes back within one source. */
    public long paceTime;
    /** Part of the opening book: sent at once, whatever the pace. */
    public boolean opening;
    /** Last of a group that belongs together: the book is consistent behind it. */
    public boolean endOfEvent;
    /** Status of the instrument. */
    public TradingStatus status;

    /** Sets all but times, flags and status. */
    public FeedEvent set(
        final Type eventType,
        final int instrumentIndex,
        final long id,
        final Side eventSide,
        final long eventPrice,
        final long eventQuantity)
    {
        type = eventType;
        instrument = instrumentIndex;
        orderId = id;
        side = eventSide;
        price = eventPrice;
        quantity = eventQuantity;
        return this;
    }

    /** Copies all fields of another event. */
    public void copyFrom(final FeedEvent other)
    {
        set(other.type, other.instrument, other.orderId, other.side, other.price, other.quantity);
        transactTime = other.transactTime;
        paceTime = other.paceTime;
        opening = other.opening;
        endOfEvent = other.endOfEvent;
        status = other.status;
    }
}

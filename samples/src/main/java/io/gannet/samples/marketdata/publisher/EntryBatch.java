package io.gannet.samples.marketdata.publisher;

/**
 * Entries of one message, collected before it is claimed: only then its length is known. Columns, reused.
 */
final class EntryBatch
{
    /** Most entries of a message. */
    static final int CAPACITY = 32;

    /** What the entries are; one message has one kind. */
    enum Kind
    {
        NONE, ORDERS, TRADES
    }

    /** What an entry does. */
    enum Action
    {
        NEW, CHANGE, DELETE, TRADE, FILL
    }

    final Action[] action = new Action[CAPACITY];
    final long[] orderId = new long[CAPACITY];
    final long[] priority = new long[CAPACITY];
    final long[] price = new long[CAPACITY];
    final long[] rptSeq = new long[CAPACITY];
    final long[] quantity = new long[CAPACITY];
    final int[] securityId = new int[CAPACITY];
    final byte[] side = new byte[CAPACITY];

    Kind kind = Kind.NONE;
    int size;
    int trades;
    long transactTime;
    boolean opening;
    boolean endOfEvent;

    void clear()
    {
        kind = Kind.NONE;
        size = 0;
        trades = 0;
        endOfEvent = false;
    }

    /** Whether an entry of this kind belongs into the same message. */
    boolean accepts(final Kind entryKind, final boolean trade, final boolean entryOpening)
    {
        return size < CAPACITY &&
            (kind == Kind.NONE || (kind == entryKind && opening == entryOpening)) &&
            // Trades come first in a message: one behind a fill begins the next.
            (!trade || size == trades);
    }

    void add(
        final Action entryAction,
        final InstrumentState instrument,
        final long id,
        final byte entrySide,
        final long entryPrice,
        final long entryQuantity,
        final long entryPriority)
    {
        final int i = size++;
        action[i] = entryAction;
        orderId[i] = id;
        side[i] = entrySide;
        price[i] = entryPrice;
        quantity[i] = entryQuantity;
        priority[i] = entryPriority;
        rptSeq[i] = ++instrument.rptSeq;
        securityId[i] = instrument.info.id();
        if (entryAction == Action.TRADE)
        {
            trades++;
        }
    }
}

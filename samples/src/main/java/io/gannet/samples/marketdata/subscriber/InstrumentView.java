package io.gannet.samples.marketdata.subscriber;

import io.gannet.marketdata.SecurityTradingStatus;
import io.gannet.samples.marketdata.book.LevelBook;
import io.gannet.samples.marketdata.book.OrderBook;

/**
 * What a subscriber knows of one instrument.
 */
public final class InstrumentView
{
    /** No trade yet. */
    public static final long NO_PRICE = Long.MIN_VALUE;

    private static final int INITIAL_ORDERS = 64;

    private final int securityId;
    private final String symbol;
    private final long tick;
    private final OrderBook book = new OrderBook(INITIAL_ORDERS);
    private final LevelBook levels = new LevelBook();
    long rptSeq;
    long lastPrice = NO_PRICE;
    long lastQuantity;
    long trades;
    boolean hasLevels;
    SecurityTradingStatus status = SecurityTradingStatus.UnknownOrInvalid;
    /** The last incremental message that the book includes by a snapshot. */
    long snapshotSequence;
    /** Cycle and chunk of the last snapshot message used. */
    long snapshotCycle = -1;
    int snapshotChunk;
    int snapshotChunks;

    InstrumentView(final int securityId, final String symbol, final long tick)
    {
        this.securityId = securityId;
        this.symbol = symbol;
        this.tick = tick;
    }

    void reset()
    {
        book.clear();
        levels.clear();
        rptSeq = 0;
        lastPrice = NO_PRICE;
        lastQuantity = 0;
        snapshotSequence = 0;
        snapshotChunk = 0;
        snapshotChunks = 0;
    }

    void clearBook()
    {
        book.clear();
        levels.clear();
    }

    /** Makes the levels those of the orders. */
    void rebuildLevels()
    {
        levels.clear();
        for (int side = 0; side < 2; side++)
        {
            final boolean bid = side == 0;
            for (int i = 0, count = book.levels(bid); i < count; i++)
            {
                levels.set(bid, book.levelPrice(bid, i), book.levelQuantity(bid, i), book.levelOrders(bid, i));
            }
        }
    }

    /** The venue's number. */
    public int securityId()
    {
        return securityId;
    }

    /** The name. */
    public String symbol()
    {
        return symbol;
    }

    /** Smallest price step in units of 10^-9, or 0. */
    public long tick()
    {
        return tick;
    }

    /** The book by orders. */
    public OrderBook book()
    {
        return book;
    }

    /** The book by levels; empty if the feed has no changes of levels. */
    public LevelBook levels()
    {
        return levels;
    }

    /** Whether the feed has changes of levels, so that {@link #levels()} is filled. */
    public boolean hasLevels()
    {
        return hasLevels;
    }

    /** Price of the last trade, or {@link #NO_PRICE}. */
    public long lastPrice()
    {
        return lastPrice;
    }

    /** Quantity of the last trade. */
    public long lastQuantity()
    {
        return lastQuantity;
    }

    /** Trades seen. */
    public long trades()
    {
        return trades;
    }

    /** Trading status. */
    public SecurityTradingStatus status()
    {
        return status;
    }
}

package io.gannet.samples.marketdata.publisher;

import io.gannet.samples.marketdata.book.OrderBook;

/**
 * The price levels that a message's entries touched, each with what it is afterwards. Columns, reused.
 */
final class LevelBatch
{
    private static final int CAPACITY = EntryBatch.CAPACITY * 2;

    final long[] price = new long[CAPACITY];
    final long[] quantity = new long[CAPACITY];
    final int[] orders = new int[CAPACITY];
    final long[] rptSeq = new long[CAPACITY];
    final int[] securityId = new int[CAPACITY];
    final boolean[] bid = new boolean[CAPACITY];
    final boolean[] existed = new boolean[CAPACITY];
    private final InstrumentState[] instrument = new InstrumentState[CAPACITY];
    int size;

    void clear()
    {
        size = 0;
    }

    /** Notes that a level is about to be touched. */
    void touch(final InstrumentState touched, final boolean isBid, final long levelPrice)
    {
        for (int i = 0; i < size; i++)
        {
            if (instrument[i] == touched && bid[i] == isBid && price[i] == levelPrice)
            {
                return;
            }
        }
        instrument[size] = touched;
        existed[size] = touched.book.levelIndex(isBid, levelPrice) != OrderBook.NONE;
        bid[size] = isBid;
        price[size++] = levelPrice;
    }

    /** Reads what the touched levels are now; those that came and went are left out. */
    void resolve()
    {
        int kept = 0;
        for (int i = 0; i < size; i++)
        {
            final OrderBook book = instrument[i].book;
            final int level = book.levelIndex(bid[i], price[i]);
            if (level != OrderBook.NONE || existed[i])
            {
                instrument[kept] = instrument[i];
                bid[kept] = bid[i];
                price[kept] = price[i];
                existed[kept] = existed[i];
                quantity[kept] = level == OrderBook.NONE ? 0 : book.levelQuantity(bid[i], level);
                orders[kept] = level == OrderBook.NONE ? 0 : book.levelOrders(bid[i], level);
                rptSeq[kept] = ++instrument[i].rptSeq;
                securityId[kept++] = instrument[i].info.id();
            }
        }
        size = kept;
    }
}

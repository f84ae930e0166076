package io.gannet.samples.marketdata.book;

import java.util.Arrays;

/**
 * Book of one instrument by price level, as built from level changes. Not thread-safe; allocates only while growing.
 */
public final class LevelBook implements Depth
{
    private final SortedLevels bids = new SortedLevels(true);
    private final SortedLevels asks = new SortedLevels(false);
    private long[] quantity = new long[64];
    private int[] orders = new int[64];
    private int[] free = new int[64];
    private int freeCount;
    private int used;

    /** Sets a level, new or known; false if {@code levelQuantity < 1}. */
    public boolean set(final boolean bid, final long price, final long levelQuantity, final int orderCount)
    {
        if (levelQuantity < 1)
        {
            return false;
        }
        final SortedLevels side = side(bid);
        final int index = side.find(price);
        final int handle;
        if (index < 0)
        {
            handle = acquire();
            side.insertAt(-index - 1, price, handle);
        }
        else
        {
            handle = side.handleAt(index);
        }
        quantity[handle] = levelQuantity;
        orders[handle] = orderCount;
        return true;
    }

    /** Removes a level; false if there is none at this price. */
    public boolean delete(final boolean bid, final long price)
    {
        final SortedLevels side = side(bid);
        final int index = side.find(price);
        if (index < 0)
        {
            return false;
        }
        free[freeCount++] = side.handleAt(index);
        side.removeAt(index);
        return true;
    }

    /** Whether there is a level at this price. */
    public boolean has(final boolean bid, final long price)
    {
        return side(bid).find(price) >= 0;
    }

    /** Removes all levels. */
    public void clear()
    {
        bids.clear();
        asks.clear();
        used = 0;
        freeCount = 0;
    }

    @Override
    public int levels(final boolean bid)
    {
        return side(bid).size();
    }

    @Override
    public long levelPrice(final boolean bid, final int index)
    {
        return side(bid).price(index);
    }

    @Override
    public long levelQuantity(final boolean bid, final int index)
    {
        return quantity[side(bid).handle(index)];
    }

    @Override
    public int levelOrders(final boolean bid, final int index)
    {
        return orders[side(bid).handle(index)];
    }

    private SortedLevels side(final boolean bid)
    {
        return bid ? bids : asks;
    }

    private int acquire()
    {
        if (freeCount > 0)
        {
            return free[--freeCount];
        }
        if (used == quantity.length)
        {
            quantity = Arrays.copyOf(quantity, used * 2);
            orders = Arrays.copyOf(orders, used * 2);
            free = Arrays.copyOf(free, used * 2);
        }
        return used++;
    }
}

package io.gannet.samples.marketdata.book;

import java.util.Arrays;

/**
 * Pool of orders in parallel arrays; a handle is an index, valid until it is released.
 */
final class OrderStore
{
    static final int NONE = -1;

    private long[] id;
    private long[] price;
    private long[] priority;
    private long[] quantity;
    private int[] level;
    private int[] previous;
    private int[] next;
    private boolean[] bid;
    private int freeHead = NONE;
    private int used;

    OrderStore(final int capacity)
    {
        id = new long[capacity];
        price = new long[capacity];
        priority = new long[capacity];
        quantity = new long[capacity];
        level = new int[capacity];
        previous = new int[capacity];
        next = new int[capacity];
        bid = new boolean[capacity];
    }

    int acquire(final long orderId, final boolean isBid)
    {
        final int handle;
        if (freeHead != NONE)
        {
            handle = freeHead;
            freeHead = next[handle];
        }
        else
        {
            if (used == id.length)
            {
                grow(used * 2);
            }
            handle = used++;
        }
        id[handle] = orderId;
        bid[handle] = isBid;
        return handle;
    }

    void release(final int handle)
    {
        next[handle] = freeHead;
        freeHead = handle;
    }

    void clear()
    {
        freeHead = NONE;
        used = 0;
    }

    void place(final int handle, final long orderPrice, final long orderQuantity, final long orderPriority)
    {
        price[handle] = orderPrice;
        quantity[handle] = orderQuantity;
        priority[handle] = orderPriority;
    }

    void quantity(final int handle, final long value)
    {
        quantity[handle] = value;
    }

    void level(final int handle, final int value)
    {
        level[handle] = value;
    }

    void link(final int handle, final int before, final int after)
    {
        previous[handle] = before;
        next[handle] = after;
    }

    void previous(final int handle, final int value)
    {
        previous[handle] = value;
    }

    void next(final int handle, final int value)
    {
        next[handle] = value;
    }

    long id(final int handle)
    {
        return id[handle];
    }

    boolean isBid(final int handle)
    {
        return bid[handle];
    }

    long price(final int handle)
    {
        return price[handle];
    }

    long quantity(final int handle)
    {
        return quantity[handle];
    }

    long priority(final int handle)
    {
        return priority[handle];
    }

    int level(final int handle)
    {
        return level[handle];
    }

    int previous(final int handle)
    {
        return previous[handle];
    }

    int next(final int handle)
    {
        return next[handle];
    }

    private void grow(final int length)
    {
        id = Arrays.copyOf(id, length);
        price = Arrays.copyOf(price, length);
        priority = Arrays.copyOf(priority, length);
        quantity = Arrays.copyOf(quantity, length);
        level = Arrays.copyOf(level, length);
        previous = Arrays.copyOf(previous, length);
        next = Arrays.copyOf(next, length);
        bid = Arrays.copyOf(bid, length);
    }
}

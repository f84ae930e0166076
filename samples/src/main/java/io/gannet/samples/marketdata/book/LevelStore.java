package io.gannet.samples.marketdata.book;

import java.util.Arrays;

/**
 * Pool of price levels; a handle is an index. Each level is a queue of orders, oldest first.
 */
final class LevelStore
{
    private long[] quantity = new long[128];
    private int[] count = new int[128];
    private int[] head = new int[128];
    private int[] tail = new int[128];
    private int freeHead = OrderStore.NONE;
    private int used;

    int acquire()
    {
        final int handle;
        if (freeHead != OrderStore.NONE)
        {
            handle = freeHead;
            freeHead = head[handle];
        }
        else
        {
            if (used == count.length)
            {
                grow(used * 2);
            }
            handle = used++;
        }
        quantity[handle] = 0;
        count[handle] = 0;
        head[handle] = OrderStore.NONE;
        tail[handle] = OrderStore.NONE;
        return handle;
    }

    void release(final int handle)
    {
        head[handle] = freeHead;
        freeHead = handle;
    }

    void clear()
    {
        freeHead = OrderStore.NONE;
        used = 0;
    }

    long quantity(final int handle)
    {
        return quantity[handle];
    }

    int count(final int handle)
    {
        return count[handle];
    }

    int head(final int handle)
    {
        return head[handle];
    }

    void addQuantity(final int handle, final long delta)
    {
        quantity[handle] += delta;
    }

    void append(final int handle, final OrderStore orders, final int order)
    {
        final int last = tail[handle];
        orders.link(order, last, OrderStore.NONE);
        if (last == OrderStore.NONE)
        {
            head[handle] = order;
        }
        else
        {
            orders.next(last, order);
        }
        tail[handle] = order;
        quantity[handle] += orders.quantity(order);
        count[handle]++;
    }

    void remove(final int handle, final OrderStore orders, final int order)
    {
        final int previous = orders.previous(order);
        final int next = orders.next(order);
        if (previous == OrderStore.NONE)
        {
            head[handle] = next;
        }
        else
        {
            orders.next(previous, next);
        }
        if (next == OrderStore.NONE)
        {
            tail[handle] = previous;
        }
        else
        {
            orders.previous(next, previous);
        }
        quantity[handle] -= orders.quantity(order);
        count[handle]--;
    }

    private void grow(final int length)
    {
        quantity = Arrays.copyOf(quantity, length);
        count = Arrays.copyOf(count, length);
        head = Arrays.copyOf(head, length);
        tail = Arrays.copyOf(tail, length);
    }
}

package io.gannet.samples.orderflow.client;

import io.gannet.orderflow.Side;
import java.util.SplittableRandom;

/**
 * The orders that one session of a load believes to be in the book. Not thread-safe.
 */
final class OpenOrders
{
    static final int CAPACITY = 8;

    final long[] clOrdId = new long[CAPACITY];
    final int[] security = new int[CAPACITY];
    final int[] quantity = new int[CAPACITY];
    final long[] price = new long[CAPACITY];
    final Side[] side = new Side[CAPACITY];
    int size;

    boolean isFull()
    {
        return size == CAPACITY;
    }

    void add(final OrderFields order)
    {
        clOrdId[size] = order.clOrdId;
        security[size] = order.securityId;
        quantity[size] = order.quantity;
        price[size] = order.price;
        side[size] = order.side;
        size++;
    }

    int pick(final SplittableRandom random)
    {
        return random.nextInt(size);
    }

    void remove(final long id)
    {
        for (int i = 0; i < size; i++)
        {
            if (clOrdId[i] == id)
            {
                removeAt(i);
                return;
            }
        }
    }

    void removeAt(final int index)
    {
        size--;
        clOrdId[index] = clOrdId[size];
        security[index] = security[size];
        quantity[index] = quantity[size];
        price[index] = price[size];
        side[index] = side[size];
    }
}

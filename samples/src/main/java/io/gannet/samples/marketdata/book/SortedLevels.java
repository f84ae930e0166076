package io.gannet.samples.marketdata.book;

import java.util.Arrays;

/**
 * The levels of one side by price. The best price is last in the array, where most changes are, so that inserting and
 * removing there moves few elements.
 */
final class SortedLevels
{
    private static final int NEAR = 8;

    private final long sign;
    private long[] keys = new long[64];
    private int[] handles = new int[64];
    private int size;

    SortedLevels(final boolean bid)
    {
        sign = bid ? 1 : -1;
    }

    int size()
    {
        return size;
    }

    void clear()
    {
        size = 0;
    }

    long price(final int fromBest)
    {
        return sign * keys[size - 1 - fromBest];
    }

    int handle(final int fromBest)
    {
        return handles[size - 1 - fromBest];
    }

    /** Index of the price in the array, or {@code -(insertion point) - 1}. */
    int find(final long price)
    {
        final long key = sign * price;
        int i = size - 1;
        for (final int end = Math.max(size - NEAR, 0); i >= end; i--)
        {
            if (keys[i] <= key)
            {
                return keys[i] == key ? i : -(i + 1) - 1;
            }
        }
        return Arrays.binarySearch(keys, 0, i + 1, key);
    }

    int handleAt(final int index)
    {
        return handles[index];
    }

    int fromBest(final int index)
    {
        return size - 1 - index;
    }

    void insertAt(final int index, final long price, final int handle)
    {
        if (size == keys.length)
        {
            keys = Arrays.copyOf(keys, size * 2);
            handles = Arrays.copyOf(handles, size * 2);
        }
        System.arraycopy(keys, index, keys, index + 1, size - index);
        System.arraycopy(handles, index, handles, index + 1, size - index);
        keys[index] = sign * price;
        handles[index] = handle;
        size++;
    }

    void removeAt(final int index)
    {
        size--;
        System.arraycopy(keys, index + 1, keys, index, size - index);
        System.arraycopy(handles, index + 1, handles, index, size - index);
    }
}

package io.gannet.samples.marketdata.book;

import org.agrona.collections.Long2LongHashMap;

/**
 * Order-by-order book of one instrument, with its price levels. Orders at a price are served by priority, which is the
 * order of their arrival there. A wrong change (an unknown or a duplicate order, a quantity below 1) is refused and
 * leaves the book as it was. Not thread-safe; allocates only while growing beyond its largest size so far.
 */
public final class OrderBook implements Depth
{
    /** No such order. */
    public static final int NONE = OrderStore.NONE;

    private final OrderStore orders;
    private final LevelStore levels = new LevelStore();
    private final SortedLevels bids = new SortedLevels(true);
    private final SortedLevels asks = new SortedLevels(false);
    private final Long2LongHashMap handleById;
    private int size;

    /**
     * @param expectedOrders orders to make room for at once; the book grows beyond.
     */
    public OrderBook(final int expectedOrders)
    {
        orders = new OrderStore(Math.max(expectedOrders, 16));
        handleById = new Long2LongHashMap(Math.max(expectedOrders, 16) * 2, 0.5f, NONE);
    }

    /** Adds an order behind all others of its price; false if the id is in the book or {@code quantity < 1}. */
    public boolean add(
        final long orderId, final boolean bid, final long price, final long quantity, final long priority)
    {
        if (quantity < 1 || handleById.containsKey(orderId))
        {
            return false;
        }
        final int handle = orders.acquire(orderId, bid);
        handleById.put(orderId, handle);
        orders.place(handle, price, quantity, priority);
        enqueue(handle, bid, price);
        size++;
        return true;
    }

    /**
     * Changes an order. With its old price and priority it keeps its place, else it goes behind all others of its
     * price. False if the id is unknown or on the other side, or {@code quantity < 1}.
     */
    public boolean change(
        final long orderId, final boolean bid, final long price, final long quantity, final long priority)
    {
        final int handle = find(orderId);
        if (handle == NONE || quantity < 1 || orders.isBid(handle) != bid)
        {
            return false;
        }
        if (orders.price(handle) == price && orders.priority(handle) == priority)
        {
            levels.addQuantity(orders.level(handle), quantity - orders.quantity(handle));
            orders.quantity(handle, quantity);
        }
        else
        {
            dequeue(handle);
            orders.place(handle, price, quantity, priority);
            enqueue(handle, bid, price);
        }
        return true;
    }

    /** Removes an order; false if the id is unknown. */
    public boolean delete(final long orderId)
    {
        final long handle = handleById.remove(orderId);
        if (handle == NONE)
        {
            return false;
        }
        dequeue((int) handle);
        orders.release((int) handle);
        size--;
        return true;
    }

    /** Removes all orders. */
    public void clear()
    {
        handleById.clear();
        orders.clear();
        levels.clear();
        bids.clear();
        asks.clear();
        size = 0;
    }

    /** Number of orders. */
    public int size()
    {
        return size;
    }

    /** Handle of an order for the getters below, valid until the next change of the book; or {@link #NONE}. */
    public int find(final long orderId)
    {
        return (int) handleById.get(orderId);
    }

    /** Whether the order is a bid. */
    public boolean isBid(final int handle)
    {
        return orders.isBid(handle);
    }

    /** Price of the order. */
    public long price(final int handle)
    {
        return orders.price(handle);
    }

    /** Quantity left of the order. */
    public long quantity(final int handle)
    {
        return orders.quantity(handle);
    }

    /** Priority of the order; at one price, lower is served first. */
    public long priority(final int handle)
    {
        return orders.priority(handle);
    }

    /** Id of the order. */
    public long orderId(final int handle)
    {
        return orders.id(handle);
    }

    /** The order that is served first at level {@code index} of a side. */
    public int firstOrder(final boolean bid, final int index)
    {
        return levels.head(side(bid).handle(index));
    }

    /** The order that is served after this one at its level, or {@link #NONE}. */
    public int nextOrder(final int handle)
    {
        return orders.next(handle);
    }

    /** Index of the level with this price (0 is the best), or {@link #NONE}. */
    public int levelIndex(final boolean bid, final long price)
    {
        final SortedLevels side = side(bid);
        final int index = side.find(price);
        return index < 0 ? NONE : side.fromBest(index);
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
        return levels.quantity(side(bid).handle(index));
    }

    @Override
    public int levelOrders(final boolean bid, final int index)
    {
        return levels.count(side(bid).handle(index));
    }

    /** Hash of all orders in the order of service, bids first; equal for equal books, whatever the way to them. */
    public long checksum()
    {
        long hash = Checksum.START;
        for (int side = 0; side < 2; side++)
        {
            final boolean bid = side == 0;
            for (int i = 0, count = levels(bid); i < count; i++)
            {
                for (int order = firstOrder(bid, i); order != NONE; order = orders.next(order))
                {
                    hash = Checksum.add(hash, orders.id(order));
                    hash = Checksum.add(hash, orders.price(order));
                    hash = Checksum.add(hash, orders.quantity(order));
                }
            }
            hash = Checksum.add(hash, side);
        }
        return hash;
    }

    private SortedLevels side(final boolean bid)
    {
        return bid ? bids : asks;
    }

    private void enqueue(final int handle, final boolean bid, final long price)
    {
        final SortedLevels side = side(bid);
        final int index = side.find(price);
        final int level;
        if (index < 0)
        {
            level = levels.acquire();
            side.insertAt(-index - 1, price, level);
        }
        else
        {
            level = side.handleAt(index);
        }
        orders.level(handle, level);
        levels.append(level, orders, handle);
    }

    private void dequeue(final int handle)
    {
        final int level = orders.level(handle);
        levels.remove(level, orders, handle);
        if (levels.count(level) == 0)
        {
            final SortedLevels side = side(orders.isBid(handle));
            side.removeAt(side.find(orders.price(handle)));
            levels.release(level);
        }
    }
}

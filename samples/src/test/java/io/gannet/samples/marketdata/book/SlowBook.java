package io.gannet.samples.marketdata.book;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The book that is too simple to be wrong: orders of a price in a list, found by looking at all of them.
 */
public final class SlowBook
{
    /** One order. */
    public record Order(long id, boolean bid, long price, long quantity, long priority)
    {
    }

    private final Map<Long, Order> orders = new LinkedHashMap<>();

    public boolean add(final Order order)
    {
        return order.quantity() >= 1 && orders.putIfAbsent(order.id(), order) == null;
    }

    public boolean change(final Order order)
    {
        final Order old = orders.get(order.id());
        if (old == null || order.quantity() < 1 || old.bid() != order.bid())
        {
            return false;
        }
        if (old.price() != order.price() || old.priority() != order.priority())
        {
            orders.remove(order.id());
        }
        orders.put(order.id(), order);
        return true;
    }

    public boolean delete(final long id)
    {
        return orders.remove(id) != null;
    }

    public void clear()
    {
        orders.clear();
    }

    public Order get(final long id)
    {
        return orders.get(id);
    }

    public List<Order> all()
    {
        return new ArrayList<>(orders.values());
    }

    /** Prices of a side, best first, each with its orders in the order of service. */
    public Map<Long, List<Order>> side(final boolean bid)
    {
        final Comparator<Long> bestFirst = bid ? Comparator.reverseOrder() : Comparator.naturalOrder();
        final TreeMap<Long, List<Order>> side = new TreeMap<>(bestFirst);
        for (final Order order : orders.values())
        {
            if (order.bid() == bid)
            {
                side.computeIfAbsent(order.price(), price -> new ArrayList<>()).add(order);
            }
        }
        return side;
    }

    /** What {@link OrderBook#checksum} says of an equal book. */
    public long checksum()
    {
        long hash = Checksum.START;
        for (int i = 0; i < 2; i++)
        {
            for (final List<Order> level : side(i == 0).values())
            {
                for (final Order order : level)
                {
                    hash = Checksum.add(hash, order.id());
                    hash = Checksum.add(hash, order.price());
                    hash = Checksum.add(hash, order.quantity());
                }
            }
            hash = Checksum.add(hash, i);
        }
        return hash;
    }
}

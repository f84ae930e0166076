package io.gannet.samples.orderflow.matching;

import io.gannet.samples.orderflow.link.MessageLog;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The books as somebody has them who sees nothing but what the engine says of its market. */
final class WatchedBooks
{
    private static final class Order
    {
        int instrument;
        boolean buy;
        long price;
        long quantity;
        long place;
    }

    private final MessageLog log;
    private final Map<Long, Order> orders = new HashMap<>();
    private long position;
    private long lastPlace;
    private boolean ended = true;
    /** Quantity of all trades. */
    long traded;

    WatchedBooks(final MessageLog log)
    {
        this.log = log;
    }

    /** Takes what was said since; what a command does ends with a mark. */
    void follow()
    {
        while (position < log.end())
        {
            position = log.messageAt(position);
            if (position < log.end())
            {
                take(log.offset(position));
                position = log.next(position);
            }
        }
        if (!ended)
        {
            throw new AssertionError("the last change of a command has no mark");
        }
    }

    private void take(final int offset)
    {
        final long id = MarketRecord.orderId(log.buffer(), offset);
        final long price = MarketRecord.price(log.buffer(), offset);
        final long quantity = MarketRecord.quantity(log.buffer(), offset);
        ended = MarketRecord.isEnd(log.buffer(), offset);
        switch (MarketRecord.type(log.buffer(), offset))
        {
            case MarketRecord.ADD ->
            {
                final Order order = new Order();
                order.instrument = MarketRecord.instrument(log.buffer(), offset);
                order.buy = MarketRecord.isBuy(log.buffer(), offset);
                order.price = price;
                order.quantity = quantity;
                order.place = ++lastPlace;
                require(orders.put(id, order) == null, "order " + id + " twice");
            }
            case MarketRecord.MODIFY ->
            {
                final Order order = known(id);
                order.place = price == order.price && quantity <= order.quantity ? order.place : ++lastPlace;
                order.price = price;
                order.quantity = quantity;
            }
            case MarketRecord.CANCEL ->
            {
                final Order order = known(id);
                order.quantity -= quantity;
                require(order.price == price && order.quantity >= 0, "more of order " + id + " than there was");
                if (order.quantity == 0)
                {
                    orders.remove(id);
                }
            }
            case MarketRecord.TRADE -> traded += quantity;
            case MarketRecord.FILL -> require(known(id).price == price, "a fill at another price");
            default ->
            {
                // The status is the reference's affair.
            }
        }
    }

    private Order known(final long id)
    {
        require(orders.containsKey(id), "order " + id + " is not known");
        return orders.get(id);
    }

    private static void require(final boolean isSo, final String fault)
    {
        if (!isSo)
        {
            throw new AssertionError(fault);
        }
    }

    /** Orders of one side in the order of service. */
    List<String> queue(final int instrument, final boolean buy)
    {
        final Comparator<Order> byPrice = Comparator.comparingLong(order -> buy ? -order.price : order.price);
        return orders.values().stream().filter(order -> order.instrument == instrument && order.buy == buy)
            .sorted(byPrice.thenComparingLong(order -> order.place))
            .map(order -> order.price + " x " + order.quantity).toList();
    }
}

package io.gannet.samples.marketdata.source;

import io.gannet.samples.marketdata.book.OrderBook;
import java.util.SplittableRandom;

/**
 * One generated instrument: decides what happens next from the state of its own book, which is therefore always valid:
 * never crossed, never empty on a side, no change of an order that isn't there.
 */
final class GeneratedMarket
{
    /** Most events that one decision makes. */
    static final int MAX_EVENTS = 128;

    private static final int TARGET_ORDERS = 400;
    private static final int MIN_SIDE_LEVELS = 8;
    private static final int MAX_DISTANCE = 60;
    private static final int OPENING_LEVELS = 15;
    private static final int MAX_FILLS = 24;

    private final int index;
    private final long tick;
    private final long openingPrice;
    private final SplittableRandom random;
    private final OrderBook book = new OrderBook(TARGET_ORDERS * 4);
    private final FeedEvent[] events = new FeedEvent[MAX_EVENTS];
    private int count;
    private long orders;
    private long priority;

    GeneratedMarket(final int index, final long tick, final long openingPrice, final SplittableRandom random)
    {
        this.index = index;
        this.tick = tick;
        this.openingPrice = openingPrice;
        this.random = random;
        for (int i = 0; i < MAX_EVENTS; i++)
        {
            events[i] = new FeedEvent();
        }
    }

    int count()
    {
        return count;
    }

    FeedEvent event(final int i)
    {
        return events[i];
    }

    /** Fills the book: level by level, best first. */
    boolean open(final int step)
    {
        count = 0;
        if (step >= OPENING_LEVELS * 2)
        {
            return false;
        }
        final boolean bid = (step & 1) == 0;
        final long distance = tick * (1 + step / 2);
        for (int i = 0, n = 2 + random.nextInt(4); i < n; i++)
        {
            add(bid, bid ? openingPrice - distance : openingPrice + distance, size());
        }
        return true;
    }

    /** Decides what happens; the events are then here in their order. */
    void step()
    {
        count = 0;
        final int pull = Math.clamp((TARGET_ORDERS - book.size()) / 10L, -20, 20);
        final int what = random.nextInt(100);
        if (what < 5)
        {
            trade(random.nextBoolean());
        }
        else if (what < 18)
        {
            modify();
        }
        else if (what < 58 + pull)
        {
            rest();
        }
        else
        {
            cancel();
        }
        if (count == 0)
        {
            rest();
        }
    }

    private void rest()
    {
        final boolean bid = random.nextBoolean();
        final long opposite = book.levelPrice(!bid, 0);
        final long distance = tick * (1 + distance());
        final long price = bid ? opposite - distance : opposite + distance;
        add(bid, price > 0 ? price : opposite, size());
    }

    private void add(final boolean bid, final long price, final long quantity)
    {
        final long id = (long) (index + 1) << 40 | ++orders;
        if (price > 0 && book.add(id, bid, price, quantity, ++priority))
        {
            emit(FeedEvent.Type.ADD, id, bid, price, quantity);
        }
    }

    private void cancel()
    {
        final int order = pick(random.nextBoolean());
        if (order != OrderBook.NONE)
        {
            final long id = book.orderId(order);
            emit(FeedEvent.Type.CANCEL, id, book.isBid(order), book.price(order), book.quantity(order));
            book.delete(id);
        }
    }

    private void modify()
    {
        final boolean bid = random.nextBoolean();
        final int order = pick(bid);
        if (order == OrderBook.NONE)
        {
            return;
        }
        final long id = book.orderId(order);
        long price = book.price(order);
        long quantity = book.quantity(order);
        long newPriority = book.priority(order);
        if (random.nextBoolean() && quantity > 1)
        {
            quantity = 1 + random.nextLong(quantity - 1);
        }
        else
        {
            final long moved = price + tick * (random.nextInt(7) - 3);
            final long opposite = book.levelPrice(!bid, 0);
            if (moved > 0 && (bid ? moved < opposite : moved > opposite))
            {
                price = moved;
            }
            quantity += random.nextInt(3);
            newPriority = price == book.price(order) && quantity == book.quantity(order) ? newPriority : ++priority;
        }
        book.change(id, bid, price, quantity, newPriority);
        emit(FeedEvent.Type.MODIFY, id, bid, price, quantity);
    }

    /** A marketable order: trades and fills level by level, then what the fills leave of the resting orders. */
    private void trade(final boolean buy)
    {
        final boolean resting = !buy;
        long wanted = size() * (1 + random.nextInt(4));
        int fills = 0;
        final int first = count;
        for (int level = 0; level < 3 && wanted > 0 && fills < MAX_FILLS; level++)
        {
            if (book.levels(resting) - level <= MIN_SIDE_LEVELS)
            {
                break;
            }
            final FeedEvent trade = emit(FeedEvent.Type.TRADE, 0, buy, book.levelPrice(resting, level), 0);
            int order = book.firstOrder(resting, level);
            while (order != OrderBook.NONE && wanted > 0 && fills < MAX_FILLS)
            {
                final long quantity = Math.min(wanted, book.quantity(order));
                emit(FeedEvent.Type.FILL, book.orderId(order), resting, trade.price, quantity);
                trade.quantity += quantity;
                wanted -= quantity;
                fills++;
                order = book.nextOrder(order);
            }
        }
        for (int i = first, end = count; i < end; i++)
        {
            if (events[i].type == FeedEvent.Type.FILL)
            {
                applyFill(events[i].orderId, events[i].quantity);
            }
        }
    }

    private void applyFill(final long id, final long filled)
    {
        final int order = book.find(id);
        final long left = book.quantity(order) - filled;
        if (left == 0)
        {
            emit(FeedEvent.Type.CANCEL, id, book.isBid(order), book.price(order), filled);
            book.delete(id);
        }
        else
        {
            emit(FeedEvent.Type.MODIFY, id, book.isBid(order), book.price(order), left);
            book.change(id, book.isBid(order), book.price(order), left, book.priority(order));
        }
    }

    /** An order of a side, rather near the best price; none if the side would become too thin. */
    private int pick(final boolean bid)
    {
        final int levels = book.levels(bid);
        if (levels <= MIN_SIDE_LEVELS)
        {
            return OrderBook.NONE;
        }
        final int level = Math.min(distance(), levels - 1);
        int order = book.firstOrder(bid, level);
        for (int i = random.nextInt(book.levelOrders(bid, level)); i > 0; i--)
        {
            order = book.nextOrder(order);
        }
        return order;
    }

    /** Geometric, mean about 6 levels. */
    private int distance()
    {
        int distance = 0;
        while (distance < MAX_DISTANCE && random.nextInt(7) > 0)
        {
            distance++;
        }
        return distance;
    }

    private long size()
    {
        return switch (random.nextInt(10))
        {
            case 0 -> 50;
            case 1, 2 -> 10;
            default -> 1 + random.nextInt(9);
        };
    }

    private FeedEvent emit(
        final FeedEvent.Type type, final long id, final boolean bid, final long price, final long quantity)
    {
        return events[count++].set(type, index, id, bid ? FeedEvent.Side.BID : FeedEvent.Side.OFFER, price, quantity);
    }
}

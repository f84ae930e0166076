package io.gannet.samples.orderflow.matching;

import io.gannet.orderflow.OrdType;
import io.gannet.orderflow.TimeInForce;
import io.gannet.samples.marketdata.book.OrderBook;
import io.gannet.samples.marketdata.source.FeedEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns a market-by-order feed of one instrument into orders: each new order is entered, each trade is an IOC order of
 * the aggressor at the trade's price, and what trades leave to do is done by cancels and replacements. The file's own
 * book is kept beside, by the file's rules.
 */
public final class RealOrders
{
    /** Session of the orders that the file names. */
    public static final int RESTING = 1;
    /** Session of those that trade with them. */
    public static final int AGGRESSOR = 2;

    final OrderBook fileBook = new OrderBook(1 << 15);
    final Commands commands = new Commands();
    /** Commands so far. */
    public final List<byte[]> sent = new ArrayList<>();
    final Map<Long, Long> fileIdByEngineId = new HashMap<>();
    final List<String> expectedFills = new ArrayList<>();
    long matchedTrades;
    long otherTrades;
    private final List<String> fills = new ArrayList<>();
    private boolean live;
    private boolean hasTrade;
    private boolean tradeBuy;
    private long tradePrice;
    private int tradeQuantity;
    private final MatchingEngine engine;
    private final int security;
    private long priority;
    private long nextAggressor;
    private long time;

    /** Orders for the only instrument of an engine. */
    public RealOrders(final MatchingEngine engine, final int security)
    {
        this.engine = engine;
        this.security = security;
    }

    void send(final int length)
    {
        final byte[] bytes = new byte[length];
        commands.buffer.getBytes(0, bytes);
        sent.add(bytes);
        engine.apply(++time, commands.buffer, 0);
    }

    private OrderBook engineBook()
    {
        return engine.book(0);
    }

    /** Takes the feed's next event. */
    public void onEvent(final FeedEvent event)
    {
        final boolean buy = event.side == FeedEvent.Side.BID;
        if (event.type != FeedEvent.Type.FILL)
        {
            trade();
        }
        switch (event.type)
        {
            case TRADE ->
            {
                hasTrade = event.side != FeedEvent.Side.NONE;
                tradeBuy = buy;
                tradePrice = event.price;
                tradeQuantity = (int) event.quantity;
            }
            case FILL -> fills.add(event.orderId + " x " + event.quantity + " at " + event.price);
            case ADD ->
            {
                fileBook.add(event.orderId, buy, event.price, event.quantity, ++priority);
                enter(event.orderId, buy, event.price, (int) event.quantity);
            }
            case MODIFY -> modify(event, buy);
            case CANCEL -> cancel(event);
            default -> throw new AssertionError(event.type);
        }
    }

    /**
     * The trade in hand, now that its fills are known: if price and time say that these orders are filled, an order of
     * the aggressor must do it; else it was an auction, or a trade with another instrument's book.
     */
    private void trade()
    {
        if (live && hasTrade)
        {
            final List<String> byRule = new ArrayList<>();
            final int left = tradeByRule(byRule);
            if (left == 0 && byRule.equals(fills))
            {
                matchedTrades++;
                expectedFills.addAll(fills);
                send(commands.order(AGGRESSOR, ++nextAggressor, security, tradeBuy, OrdType.Limit,
                    TimeInForce.ImmediateOrCancel, tradePrice, tradeQuantity, 0, false, 0, 0));
            }
            else
            {
                otherTrades++;
            }
        }
        hasTrade = false;
        fills.clear();
    }

    /** What price and time say of the trade in hand; returns what they leave of it. */
    private int tradeByRule(final List<String> byRule)
    {
        final OrderBook book = engineBook();
        int left = tradeQuantity;
        for (int level = 0; level < book.levels(!tradeBuy) && left > 0; level++)
        {
            final long price = book.levelPrice(!tradeBuy, level);
            if (tradeBuy ? price > tradePrice : price < tradePrice)
            {
                break;
            }
            for (int order = book.firstOrder(!tradeBuy, level); order != OrderBook.NONE && left > 0;
                order = book.nextOrder(order))
            {
                final int filled = (int) Math.min(left, book.quantity(order));
                byRule.add(fileIdByEngineId.get(book.orderId(order)) + " x " + filled + " at " + price);
                left -= filled;
            }
        }
        return left;
    }

    /** From here on the engine follows: gets all orders of the file's book, in the order of service. */
    public void goLive()
    {
        live = true;
        for (final boolean buy : new boolean[]{true, false})
        {
            for (final String order : queue(fileBook, buy, null))
            {
                final String[] words = order.split(" ", -1);
                enter(Long.parseLong(words[0]), buy, Long.parseLong(words[1]), Integer.parseInt(words[3]));
            }
        }
    }

    private void enter(final long fileId, final boolean buy, final long price, final int quantity)
    {
        if (!live)
        {
            return;
        }
        send(commands.order(RESTING, fileId, security, buy, OrdType.Limit, TimeInForce.GoodTillCancel, price, quantity,
            0, false, 0, 0));
        final int slot = engine.slot(RESTING, fileId);
        if (slot != OrderTable.NONE)
        {
            fileIdByEngineId.put(engine.orderId(slot), fileId);
        }
    }

    private void modify(final FeedEvent event, final boolean buy)
    {
        final int order = fileBook.find(event.orderId);
        if (order == OrderBook.NONE)
        {
            fileBook.add(event.orderId, buy, event.price, event.quantity, ++priority);
            enter(event.orderId, buy, event.price, (int) event.quantity);
            return;
        }
        final boolean keeps = fileBook.price(order) == event.price && event.quantity <= fileBook.quantity(order);
        fileBook.change(event.orderId, buy, event.price, event.quantity, keeps ? fileBook.priority(order) : ++priority);
        align(event.orderId, buy, event.price, (int) event.quantity);
    }

    private void cancel(final FeedEvent event)
    {
        final int order = fileBook.find(event.orderId);
        if (order == OrderBook.NONE)
        {
            return;
        }
        final boolean buy = fileBook.isBid(order);
        final long price = fileBook.price(order);
        final long left = fileBook.quantity(order) - event.quantity;
        if (left > 0)
        {
            fileBook.change(event.orderId, buy, price, left, fileBook.priority(order));
        }
        else
        {
            fileBook.delete(event.orderId);
        }
        align(event.orderId, buy, price, (int) Math.max(left, 0));
    }

    /** Brings the engine's order to where the file's is, unless a trade has done so. */
    private void align(final long fileId, final boolean buy, final long price, final int quantity)
    {
        if (!live)
        {
            return;
        }
        final int slot = engine.slot(RESTING, fileId);
        if (slot == OrderTable.NONE)
        {
            if (quantity > 0)
            {
                enter(fileId, buy, price, quantity);
            }
            return;
        }
        final long engineId = engine.orderId(slot);
        final int order = engineBook().find(engineId);
        if (quantity == 0)
        {
            send(commands.cancel(RESTING, fileId, fileId, security, buy));
        }
        else if (engineBook().price(order) != price || engineBook().quantity(order) != quantity)
        {
            send(commands.replace(RESTING, fileId, fileId, security, buy, price,
                quantity + engine.cumulated(slot)));
        }
    }

    /** One side of a book as lines, in the order of service. */
    public static List<String> queue(final OrderBook book, final boolean buy, final Map<Long, Long> names)
    {
        final List<String> queue = new ArrayList<>();
        for (int level = 0; level < book.levels(buy); level++)
        {
            for (int order = book.firstOrder(buy, level); order != OrderBook.NONE; order = book.nextOrder(order))
            {
                final long id = book.orderId(order);
                queue.add((names == null ? id : names.get(id)) + " " + book.price(order) + " x " +
                    book.quantity(order));
            }
        }
        return queue;
    }
}

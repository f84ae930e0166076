package io.gannet.samples.orderflow.matching;

import io.gannet.orderflow.ExecRestatementReason;
import io.gannet.orderflow.ExecType;
import io.gannet.orderflow.OrdStatus;
import io.gannet.orderflow.OrdType;
import io.gannet.orderflow.OrderCancelRequestDecoder;
import io.gannet.orderflow.SecurityTradingStatus;
import io.gannet.orderflow.Side;
import io.gannet.orderflow.TimeInForce;
import io.gannet.samples.marketdata.book.OrderBook;

/**
 * What all commands share: books, status of the instruments, live orders, and what is reported when an order rests or
 * ends. Not thread-safe.
 */
final class Market
{
    /** No order id in a request. */
    static final long NO_ID = OrderCancelRequestDecoder.orderIDNullValue();

    private static final int BOOK_SIZE = 4_096;

    final OrderTable table;
    final EngineOutput output;
    private final Tradables tradables;
    private final OrderBook[] books;
    private final SecurityTradingStatus[] status;
    private long lastPriority;
    private long lastTradeId;

    Market(final Tradables tradables, final int maxOrders, final EngineOutput output)
    {
        this.tradables = tradables;
        this.output = output;
        table = new OrderTable(maxOrders);
        books = new OrderBook[tradables.size()];
        status = new SecurityTradingStatus[tradables.size()];
        for (int i = 0; i < books.length; i++)
        {
            books[i] = new OrderBook(Math.min(BOOK_SIZE, maxOrders));
            status[i] = SecurityTradingStatus.ReadyToTrade;
        }
    }

    Tradables tradables()
    {
        return tradables;
    }

    OrderBook book(final int instrument)
    {
        return books[instrument];
    }

    SecurityTradingStatus status(final int instrument)
    {
        return status[instrument];
    }

    void status(final int instrument, final SecurityTradingStatus value)
    {
        status[instrument] = value;
    }

    boolean isTrading(final int instrument)
    {
        return status[instrument] == SecurityTradingStatus.ReadyToTrade;
    }

    /** SecurityID of an order's instrument. */
    int security(final int slot)
    {
        return tradables.get(table.instrument[slot]).id();
    }

    long nextPriority()
    {
        return ++lastPriority;
    }

    long nextTradeId()
    {
        return ++lastTradeId;
    }

    long lastPriority()
    {
        return lastPriority;
    }

    long lastTradeId()
    {
        return lastTradeId;
    }

    void restore(final long priority, final long tradeId)
    {
        lastPriority = priority;
        lastTradeId = tradeId;
    }

    void rest(final int slot, final boolean buy, final long price, final int left)
    {
        final int instrument = table.instrument[slot];
        books[instrument].add(table.orderId[slot], buy, price, left, nextPriority());
        output.market(MarketRecord.ADD, instrument, table.orderId[slot], buy, price, left);
    }

    /** The order's end, of {@code left} that is not in the book. */
    void end(
        final int slot, final ExecRestatementReason reason, final ExecType type, final boolean own, final long price,
        final int left, final boolean buy, final OrdType ordType)
    {
        end(slot, reason, type, own, table.clOrdId[slot], NO_ID, price, left, buy, ordType);
    }

    private void end(
        final int slot, final ExecRestatementReason reason, final ExecType type, final boolean own, final long clOrdId,
        final long origClOrdId, final long price, final int left, final boolean buy, final OrdType ordType)
    {
        output.report(type, type == ExecType.Expired ? OrdStatus.Expired : OrdStatus.Canceled, reason, own,
            table.session[slot], security(slot), table.orderId[slot], clOrdId, origClOrdId, price,
            table.quantity[slot], 0, table.quantity[slot] - left, buy, ordType, timeInForce(slot));
        table.remove(slot);
    }

    /** Takes a resting order out of its book and ends it. */
    void endResting(final int slot, final ExecRestatementReason reason, final ExecType type, final boolean own)
    {
        endResting(slot, reason, type, own, table.clOrdId[slot], NO_ID);
    }

    /** The same, as the answer to a request with an identifier of its own. */
    void endResting(final int slot, final ExecRestatementReason reason, final long clOrdId)
    {
        endResting(slot, reason, ExecType.Canceled, true, clOrdId, table.clOrdId[slot]);
    }

    private void endResting(
        final int slot, final ExecRestatementReason reason, final ExecType type, final boolean own,
        final long clOrdId, final long origClOrdId)
    {
        final int instrument = table.instrument[slot];
        final OrderBook book = books[instrument];
        final long id = table.orderId[slot];
        final int order = book.find(id);
        final boolean buy = book.isBid(order);
        final long price = book.price(order);
        final int left = (int) book.quantity(order);
        book.delete(id);
        output.market(MarketRecord.CANCEL, instrument, id, buy, price, left);
        end(slot, reason, type, own, clOrdId, origClOrdId, price, left, buy, OrdType.Limit);
    }

    /** A session's live order, by OrderID or else by ClOrdID; or NONE. */
    int find(final int session, final int security, final long orderId, final long origClOrdId)
    {
        final int slot = orderId == NO_ID ? table.byClOrdId(session, origClOrdId) : table.byOrderId(orderId);
        return slot != OrderTable.NONE && table.session[slot] == session &&
            security(slot) == security ? slot : OrderTable.NONE;
    }

    TimeInForce timeInForce(final int slot)
    {
        return TimeInForce.get(table.timeInForce[slot]);
    }

    Side sideOf(final int slot)
    {
        return table.buy[slot] ? Side.Buy : Side.Sell;
    }
}

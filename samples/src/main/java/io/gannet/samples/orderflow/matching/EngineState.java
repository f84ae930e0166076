package io.gannet.samples.orderflow.matching;

import io.gannet.orderflow.SecurityTradingStatus;
import io.gannet.samples.marketdata.book.OrderBook;

/**
 * Writes and reads an engine's books and orders: side by side, best level first, oldest order first, so that reading
 * rebuilds every queue; then the order of each session's list.
 */
final class EngineState
{
    private static final int VERSION = 2;
    private static final int BUY = 1;
    private static final int MAKES_ONLY = 2;

    private EngineState()
    {
    }

    static void save(
        final MatchingEngine engine, final OrderTable table, final EngineOutput output, final StateWriter out)
    {
        out.putInt(VERSION);
        out.putLong(engine.configuration());
        out.putInt(engine.tradables().size());
        engine.links().save(out);
        table.save(out);
        out.putLong(output.sequence());
        out.putLong(output.lastExecId());
        for (int i = 0; i < engine.tradables().size(); i++)
        {
            out.putInt(engine.tradables().get(i).id());
            out.putInt(engine.status(i).value());
            saveSide(engine.book(i), true, out);
            saveSide(engine.book(i), false, out);
        }
        out.putInt(table.size());
        table.forEach(slot ->
        {
            out.putLong(table.orderId[slot]);
            out.putInt(table.session[slot]);
            out.putLong(table.clOrdId[slot]);
            out.putInt(table.instrument[slot]);
            out.putInt(table.quantity[slot]);
            out.putInt(table.cumulated[slot]);
            out.putInt((table.buy[slot] ? BUY : 0) | (table.makesOnly[slot] ? MAKES_ONLY : 0));
            out.putInt(table.timeInForce[slot]);
            out.putLong(table.smpId[slot]);
            out.putInt(table.smpInstruction[slot]);
        });
    }

    private static void saveSide(final OrderBook book, final boolean bid, final StateWriter out)
    {
        int count = 0;
        for (int level = 0; level < book.levels(bid); level++)
        {
            count += book.levelOrders(bid, level);
        }
        out.putInt(count);
        for (int level = 0; level < book.levels(bid); level++)
        {
            for (int order = book.firstOrder(bid, level); order != OrderBook.NONE; order = book.nextOrder(order))
            {
                out.putLong(book.orderId(order));
                out.putLong(book.price(order));
                out.putLong(book.quantity(order));
                out.putLong(book.priority(order));
            }
        }
    }

    static void load(
        final MatchingEngine engine, final OrderTable table, final EngineOutput output, final StateReader in)
    {
        require("version of the state", in.getInt(), VERSION);
        if (in.getLong() != engine.configuration())
        {
            throw new IllegalStateException("it was made with other instruments or limits; start with those");
        }
        require("number of instruments", in.getInt(), engine.tradables().size());
        engine.links().load(in);
        table.load(in);
        output.restore(in.getLong(), in.getLong());
        for (int i = 0; i < engine.tradables().size(); i++)
        {
            require("SecurityID of instrument " + i, in.getInt(), engine.tradables().get(i).id());
            engine.status(i, SecurityTradingStatus.get((short) in.getInt()));
            loadSide(engine.book(i), true, in);
            loadSide(engine.book(i), false, in);
        }
        for (int left = in.getInt(); left > 0; left--)
        {
            final int slot = table.restore(in.getLong(), in.getInt(), in.getLong());
            table.instrument[slot] = in.getInt();
            table.quantity[slot] = in.getInt();
            table.cumulated[slot] = in.getInt();
            final int flags = in.getInt();
            table.buy[slot] = (flags & BUY) != 0;
            table.makesOnly[slot] = (flags & MAKES_ONLY) != 0;
            table.timeInForce[slot] = (byte) in.getInt();
            table.smpId[slot] = in.getLong();
            table.smpInstruction[slot] = (byte) in.getInt();
        }
    }

    private static void loadSide(final OrderBook book, final boolean bid, final StateReader in)
    {
        for (int left = in.getInt(); left > 0; left--)
        {
            book.add(in.getLong(), bid, in.getLong(), in.getLong(), in.getLong());
        }
    }

    private static void require(final String what, final int found, final int wanted)
    {
        if (found != wanted)
        {
            throw new IllegalStateException("it does not fit: " + what + " is " + found + ", not " + wanted);
        }
    }
}

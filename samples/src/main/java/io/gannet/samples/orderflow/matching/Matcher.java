package io.gannet.samples.orderflow.matching;

import io.gannet.orderflow.SelfMatchPreventionInstruction;
import io.gannet.samples.marketdata.book.OrderBook;

/**
 * Trades one order against the other side of a book, best price first and at one price the oldest order first. Not
 * thread-safe.
 */
final class Matcher
{
    /** Told of what happens to resting orders. */
    interface Listener
    {
        /** A trade, which the book shows already; {@code left} is what then remains of the resting order. */
        void onFill(int slot, int restingSlot, long price, int quantity, int left);

        /** The resting order must be taken out of the book, as it would trade with an order of its own owner. */
        void onPrevented(int restingSlot);
    }

    private static final byte CANCEL_OLDEST = (byte) SelfMatchPreventionInstruction.CancelOldest.value();
    private static final byte CANCEL_BOTH = (byte) SelfMatchPreventionInstruction.CancelBoth.value();

    private final OrderTable table;
    private final Listener listener;
    private boolean prevented;

    Matcher(final OrderTable table, final Listener listener)
    {
        this.table = table;
        this.listener = listener;
    }

    /** Whether the last match ended because its order must not trade with one of its owner's. */
    boolean wasPrevented()
    {
        return prevented;
    }

    private static boolean crosses(final boolean buy, final long limit, final long price)
    {
        return buy ? price <= limit : price >= limit;
    }

    /** Whether an order with this limit would trade at once. */
    static boolean wouldTrade(final OrderBook book, final boolean buy, final long limit)
    {
        return book.levels(!buy) > 0 && crosses(buy, limit, book.levelPrice(!buy, 0));
    }

    /** Most that an order could trade at once, counted no further than {@code wanted}. */
    long available(final OrderBook book, final int slot, final boolean buy, final long limit, final long wanted)
    {
        final long smp = table.smpId[slot];
        long sum = 0;
        for (int level = 0; level < book.levels(!buy) && sum < wanted; level++)
        {
            if (!crosses(buy, limit, book.levelPrice(!buy, level)))
            {
                break;
            }
            if (smp == MatchingEngine.NO_SMP)
            {
                sum += book.levelQuantity(!buy, level);
                continue;
            }
            for (int order = book.firstOrder(!buy, level); order != OrderBook.NONE; order = book.nextOrder(order))
            {
                if (table.smpId[OrderTable.slotOf(book.orderId(order))] != smp)
                {
                    sum += book.quantity(order);
                }
                else if (table.smpInstruction[slot] != CANCEL_OLDEST)
                {
                    return sum;
                }
            }
        }
        return sum;
    }

    /** Trades what can be traded of {@code leaves}; returns what is left. */
    int match(final OrderBook book, final int slot, final boolean buy, final long limit, final int leaves)
    {
        final long smp = table.smpId[slot];
        prevented = false;
        int left = leaves;
        while (left > 0 && wouldTrade(book, buy, limit))
        {
            final int order = book.firstOrder(!buy, 0);
            final long restingId = book.orderId(order);
            final int resting = OrderTable.slotOf(restingId);
            if (smp != MatchingEngine.NO_SMP && table.smpId[resting] == smp)
            {
                final byte instruction = table.smpInstruction[slot];
                if (instruction == CANCEL_OLDEST || instruction == CANCEL_BOTH)
                {
                    listener.onPrevented(resting);
                }
                if (instruction != CANCEL_OLDEST)
                {
                    prevented = true;
                    return left;
                }
                continue;
            }
            final long price = book.price(order);
            final long restingQuantity = book.quantity(order);
            final int traded = (int) Math.min(left, restingQuantity);
            final long rest = restingQuantity - traded;
            left -= traded;
            final long priority = book.priority(order);
            if (rest == 0)
            {
                book.delete(restingId);
            }
            else
            {
                book.change(restingId, !buy, price, rest, priority);
            }
            listener.onFill(slot, resting, price, traded, (int) rest);
        }
        return left;
    }
}

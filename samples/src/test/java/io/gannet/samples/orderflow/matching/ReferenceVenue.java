package io.gannet.samples.orderflow.matching;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The rules of the venue again, slow and obvious: lists that are sorted whenever somebody asks. Says what happened as
 * lines of text.
 */
final class ReferenceVenue
{
    static final class Order
    {
        int session;
        long clOrdId;
        int instrument;
        boolean buy;
        boolean market;
        long price;
        int quantity;
        int left;
        char time;
        long smp;
        int smpInstruction;
        boolean postOnly;
        long priority;

        int cumulated()
        {
            return quantity - left;
        }
    }

    final List<Order> resting = new ArrayList<>();
    final List<String> said = new ArrayList<>();
    final boolean[] halted;
    final boolean[] closed;
    private long priority;
    long traded;

    ReferenceVenue(final int instruments)
    {
        halted = new boolean[instruments];
        closed = new boolean[instruments];
    }

    /** Orders of one side in the order of service. */
    List<Order> queue(final int instrument, final boolean buy)
    {
        final Comparator<Order> byPrice = Comparator.comparingLong(order -> buy ? -order.price : order.price);
        return resting.stream().filter(order -> order.instrument == instrument && order.buy == buy)
            .sorted(byPrice.thenComparingLong(order -> order.priority)).toList();
    }

    Order find(final int session, final int instrument, final long clOrdId)
    {
        return resting.stream().filter(order -> order.session == session && order.clOrdId == clOrdId &&
            order.instrument == instrument).findFirst().orElse(null);
    }

    private boolean isKnown(final int session, final long clOrdId)
    {
        return resting.stream().anyMatch(order -> order.session == session && order.clOrdId == clOrdId);
    }

    private static boolean meets(final Order order, final Order other)
    {
        return order.market || (order.buy ? other.price <= order.price : other.price >= order.price);
    }

    void add(final Order order, final int minimum, final boolean postOnly)
    {
        if (halted[order.instrument] || closed[order.instrument])
        {
            said.add("reject " + order.session + " " + order.clOrdId + " ExchangeClosed");
            return;
        }
        if (isKnown(order.session, order.clOrdId))
        {
            said.add("reject " + order.session + " " + order.clOrdId + " DuplicateOrder");
            return;
        }
        final List<Order> others = queue(order.instrument, !order.buy);
        if (postOnly && !others.isEmpty() && meets(order, others.getFirst()))
        {
            said.add("reject " + order.session + " " + order.clOrdId + " WouldTakeLiquidity");
            return;
        }
        order.postOnly = postOnly;
        said.add("new " + order.session + " " + order.clOrdId + what(order));
        final int least = order.time == '4' ? order.quantity : minimum;
        if (least > 0 && possible(order, others) < least)
        {
            end(order, "expired");
            return;
        }
        trade(order);
    }

    /** What could trade at once. */
    private static long possible(final Order order, final List<Order> others)
    {
        long sum = 0;
        for (final Order other : others)
        {
            if (!meets(order, other))
            {
                break;
            }
            if (order.smp == 0 || other.smp != order.smp)
            {
                sum += other.left;
            }
            else if (order.smpInstruction != 1)
            {
                break;
            }
        }
        return sum;
    }

    private void trade(final Order order)
    {
        for (final Order other : queue(order.instrument, !order.buy))
        {
            if (order.left == 0 || !meets(order, other))
            {
                break;
            }
            if (order.smp != 0 && other.smp == order.smp)
            {
                if (order.smpInstruction > 0)
                {
                    resting.remove(other);
                    end(other, "canceled");
                }
                if (order.smpInstruction != 1)
                {
                    end(order, "canceled");
                    return;
                }
                continue;
            }
            final int quantity = Math.min(order.left, other.left);
            order.left -= quantity;
            other.left -= quantity;
            traded += quantity;
            said.add("trade " + order.session + " " + order.clOrdId + " " + side(order.buy) + " with " +
                other.session + " " + other.clOrdId + " " + side(other.buy) + " " + quantity + " at " + other.price +
                " left " + order.left + " " + other.left);
            if (other.left == 0)
            {
                resting.remove(other);
            }
        }
        if (order.left > 0)
        {
            if (order.market || order.time == '3' || order.time == '4')
            {
                end(order, "expired");
            }
            else
            {
                order.priority = ++priority;
                resting.add(order);
            }
        }
    }

    private static String side(final boolean buy)
    {
        return buy ? "Buy" : "Sell";
    }

    private static String what(final Order order)
    {
        return " " + order.left + " " + side(order.buy) + " at " + (order.market ? Long.MIN_VALUE : order.price);
    }

    private void end(final Order order, final String how)
    {
        said.add(how + " " + order.session + " " + order.clOrdId + " cum " + order.cumulated());
    }

    void cancel(final int session, final int instrument, final long clOrdId, final boolean buy)
    {
        final Order order = find(session, instrument, clOrdId);
        if (order == null || order.buy != buy)
        {
            said.add("cancelReject " + session + " " + clOrdId + (order == null ? " UnknownOrder" : " WrongSide"));
            return;
        }
        resting.remove(order);
        end(order, "canceled");
    }

    void replace(
        final int session, final int instrument, final long clOrdId, final long newId, final boolean buy,
        final long price, final int quantity)
    {
        final Order order = find(session, instrument, clOrdId);
        final String refusal = order == null ? " UnknownOrder" : halted[instrument] || closed[instrument] ?
            " ExchangeClosed" : order.buy != buy ? " WrongSide" : newId != clOrdId && isKnown(session, newId) ?
            " DuplicateClOrdID" : order.postOnly && queue(instrument, !buy).stream().anyMatch(other ->
            buy ? other.price <= price : other.price >= price) ? " WouldTakeLiquidity" : null;
        if (refusal != null)
        {
            said.add("cancelReject " + session + " " + clOrdId + refusal);
            return;
        }
        final int left = quantity - order.cumulated();
        if (left <= 0)
        {
            resting.remove(order);
            end(order, "canceled");
            return;
        }
        final boolean keeps = price == order.price && left <= order.left;
        order.clOrdId = newId;
        order.price = price;
        order.quantity = quantity;
        order.left = left;
        said.add("replaced " + session + " " + newId + what(order));
        if (!keeps)
        {
            resting.remove(order);
            trade(order);
        }
    }

    void cancelAll(final int session, final int instrument)
    {
        int count = 0;
        for (final Order order : List.copyOf(resting))
        {
            if (order.session == session && (instrument < 0 || order.instrument == instrument))
            {
                resting.remove(order);
                end(order, "canceled");
                count++;
            }
        }
        said.add("massAction " + session + " " + count);
    }

    void halt(final int instrument, final boolean value)
    {
        halted[instrument] = value;
        closed[instrument] = false;
    }

    void close(final int instrument)
    {
        if (!closed[instrument])
        {
            closed[instrument] = true;
            halted[instrument] = false;
            for (final Order order : List.copyOf(resting))
            {
                if (order.instrument == instrument && order.time == '0')
                {
                    resting.remove(order);
                    end(order, "expired");
                }
            }
        }
    }
}

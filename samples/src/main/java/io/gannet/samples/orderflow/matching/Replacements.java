package io.gannet.samples.orderflow.matching;

import io.gannet.orderflow.CxlRejReason;
import io.gannet.orderflow.CxlRejResponseTo;
import io.gannet.orderflow.ExecRestatementReason;
import io.gannet.orderflow.ExecType;
import io.gannet.orderflow.OrdRejReason;
import io.gannet.orderflow.OrdStatus;
import io.gannet.orderflow.OrdType;
import io.gannet.orderflow.OrderCancelReplaceRequestDecoder;
import io.gannet.samples.marketdata.book.OrderBook;

/**
 * A new price or total quantity of an order, which keeps its place in the queue, loses it, or trades. Not thread-safe.
 */
final class Replacements
{
    private final Market market;
    private final OrderTable table;
    private final EngineOutput output;
    private final Matcher matcher;
    private final OrderCheck check;

    Replacements(final Market market, final Matcher matcher, final OrderCheck check)
    {
        this.market = market;
        this.matcher = matcher;
        this.check = check;
        table = market.table;
        output = market.output;
    }

    private CxlRejReason refusal(
        final OrderCancelReplaceRequestDecoder request, final int slot, final int session)
    {
        if (slot == OrderTable.NONE)
        {
            return CxlRejReason.UnknownOrder;
        }
        if (!market.isTrading(table.instrument[slot]))
        {
            return CxlRejReason.ExchangeClosed;
        }
        if (request.side() != market.sideOf(slot))
        {
            return CxlRejReason.WrongSide;
        }
        final int same = table.byClOrdId(session, request.clOrdID());
        if (same != OrderTable.NONE && same != slot)
        {
            return CxlRejReason.DuplicateClOrdID;
        }
        final OrdRejReason reason = check.check(request);
        if (reason != null)
        {
            return switch (reason)
            {
                case InvalidPriceIncrement -> CxlRejReason.InvalidPriceIncrement;
                case PriceExceedsBand, IncorrectPrice -> CxlRejReason.PriceExceedsBand;
                default -> CxlRejReason.IncorrectQuantity;
            };
        }
        return table.makesOnly[slot] && Matcher.wouldTrade(market.book(table.instrument[slot]), table.buy[slot],
            request.price().mantissa()) ? CxlRejReason.WouldTakeLiquidity : null;
    }

    void apply(final OrderCancelReplaceRequestDecoder request, final int session, final int security)
    {
        final int slot = market.find(session, security, request.orderID(), request.origClOrdID());
        final CxlRejReason refusal = refusal(request, slot, session);
        if (refusal != null)
        {
            output.cancelReject(security, request.orderID(), request.clOrdID(), request.origClOrdID(),
                CxlRejResponseTo.Replace, refusal);
            return;
        }
        final int instrument = table.instrument[slot];
        final OrderBook book = market.book(instrument);
        final long id = table.orderId[slot];
        final int order = book.find(id);
        final boolean buy = book.isBid(order);
        final int quantity = (int) request.orderQty();
        final int cumulated = table.cumulated[slot];
        if (quantity <= cumulated)
        {
            market.endResting(slot, ExecRestatementReason.ReplacedBelowFilled, request.clOrdID());
            return;
        }
        final long price = request.price().mantissa();
        final int leaves = quantity - cumulated;
        final boolean keepsPlace = price == book.price(order) && leaves <= book.quantity(order);
        final long oldClOrdId = table.clOrdId[slot];
        if (oldClOrdId != request.clOrdID())
        {
            table.rename(slot, request.clOrdID());
        }
        table.quantity[slot] = quantity;
        output.report(ExecType.Replaced, cumulated > 0 ? OrdStatus.PartiallyFilled : OrdStatus.New,
            ExecRestatementReason.None, true, session, security, id, request.clOrdID(), oldClOrdId, price, quantity,
            leaves, cumulated, buy, OrdType.Limit, market.timeInForce(slot));
        if (keepsPlace)
        {
            book.change(id, buy, price, leaves, book.priority(order));
            output.market(MarketRecord.MODIFY, instrument, id, buy, price, leaves);
        }
        else if (!Matcher.wouldTrade(book, buy, price))
        {
            book.change(id, buy, price, leaves, market.nextPriority());
            output.market(MarketRecord.MODIFY, instrument, id, buy, price, leaves);
        }
        else
        {
            replaceAndTrade(slot, buy, price, leaves);
        }
    }

    /** The order takes liquidity at its new price, as a new one would. */
    private void replaceAndTrade(final int slot, final boolean buy, final long price, final int leaves)
    {
        final OrderBook book = market.book(table.instrument[slot]);
        final long id = table.orderId[slot];
        final int order = book.find(id);
        output.market(MarketRecord.CANCEL, table.instrument[slot], id, buy, book.price(order), book.quantity(order));
        book.delete(id);
        final int left = matcher.match(book, slot, buy, price, leaves);
        if (left == 0)
        {
            table.remove(slot);
        }
        else if (matcher.wasPrevented())
        {
            market.end(slot, ExecRestatementReason.SelfMatchPrevention, ExecType.Canceled, true, price, left, buy,
                OrdType.Limit);
        }
        else
        {
            market.rest(slot, buy, price, left);
        }
    }
}

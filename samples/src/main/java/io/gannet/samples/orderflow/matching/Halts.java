package io.gannet.samples.orderflow.matching;

import io.gannet.orderflow.ExecRestatementReason;
import io.gannet.orderflow.ExecType;
import io.gannet.orderflow.SecurityStatusRequestDecoder;
import io.gannet.orderflow.SecurityTradingStatus;
import io.gannet.orderflow.TimeInForce;
import io.gannet.samples.marketdata.book.OrderBook;

/**
 * Another trading status of an instrument; at the close its day orders end. Not thread-safe.
 */
final class Halts
{
    private final Market market;

    Halts(final Market market)
    {
        this.market = market;
    }

    void apply(final SecurityStatusRequestDecoder request, final int security)
    {
        final int instrument = market.tradables().index(security);
        final SecurityTradingStatus wanted = request.securityTradingStatus();
        if (instrument == Tradables.UNKNOWN || wanted == SecurityTradingStatus.NULL_VAL ||
            wanted == SecurityTradingStatus.SBE_UNKNOWN || wanted == market.status(instrument))
        {
            return;
        }
        market.status(instrument, wanted);
        market.output.market(MarketRecord.STATUS, instrument, 0, false, 0, wanted.value());
        if (wanted == SecurityTradingStatus.PostClose)
        {
            expireDayOrders(instrument, true);
            expireDayOrders(instrument, false);
        }
    }

    private void expireDayOrders(final int instrument, final boolean bid)
    {
        final OrderBook book = market.book(instrument);
        for (int level = book.levels(bid) - 1; level >= 0; level--)
        {
            int order = book.firstOrder(bid, level);
            while (order != OrderBook.NONE)
            {
                final int next = book.nextOrder(order);
                final int slot = OrderTable.slotOf(book.orderId(order));
                if (market.timeInForce(slot) == TimeInForce.Day)
                {
                    market.endResting(slot, ExecRestatementReason.EndOfDay, ExecType.Expired, false);
                }
                order = next;
            }
        }
    }
}

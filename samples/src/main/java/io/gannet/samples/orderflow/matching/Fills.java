package io.gannet.samples.orderflow.matching;

import io.gannet.orderflow.ExecRestatementReason;
import io.gannet.orderflow.ExecType;

/**
 * Reports each fill to both sides and to the market. Not thread-safe.
 */
final class Fills implements Matcher.Listener
{
    private final Market market;
    private final OrderTable table;
    private final EngineOutput output;

    Fills(final Market market)
    {
        this.market = market;
        table = market.table;
        output = market.output;
    }

    @Override
    public void onFill(
        final int slot, final int resting, final long price, final int quantity, final int left)
    {
        final int instrument = table.instrument[slot];
        final int security = market.security(slot);
        final long tradeId = market.nextTradeId();
        table.cumulated[slot] += quantity;
        table.cumulated[resting] += quantity;
        final boolean restingBuy = table.buy[resting];
        output.trade(true, table.session[slot], security, table.orderId[slot], table.clOrdId[slot], tradeId,
            price, quantity, table.quantity[slot] - table.cumulated[slot], table.cumulated[slot], !restingBuy);
        output.trade(false, table.session[resting], security, table.orderId[resting], table.clOrdId[resting],
            tradeId, price, quantity, left, table.cumulated[resting], restingBuy);
        output.market(MarketRecord.TRADE, instrument, 0, !restingBuy, price, quantity);
        output.market(MarketRecord.FILL, instrument, table.orderId[resting], restingBuy, price, quantity);
        output.market(MarketRecord.CANCEL, instrument, table.orderId[resting], restingBuy, price, quantity);
        if (left == 0)
        {
            table.remove(resting);
        }
    }

    @Override
    public void onPrevented(final int resting)
    {
        market.endResting(resting, ExecRestatementReason.SelfMatchPrevention, ExecType.Canceled, false);
    }
}

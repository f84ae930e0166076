package io.gannet.samples.orderflow.matching;

import io.gannet.orderflow.ExecRestatementReason;
import io.gannet.orderflow.ExecType;
import io.gannet.orderflow.NewOrderSingleDecoder;
import io.gannet.orderflow.OrdRejReason;
import io.gannet.orderflow.OrdStatus;
import io.gannet.orderflow.OrdType;
import io.gannet.orderflow.Side;
import io.gannet.orderflow.TimeInForce;
import io.gannet.samples.marketdata.book.OrderBook;

/**
 * A new order: refused, or accepted and traded, and what is left rests or ends. Not thread-safe.
 */
final class NewOrders
{
    private static final long NO_MINIMUM = NewOrderSingleDecoder.minQtyNullValue();

    private final Market market;
    private final OrderTable table;
    private final EngineOutput output;
    private final Matcher matcher;
    private final OrderCheck check;
    private final int maxOrdersPerSession;

    NewOrders(final Market market, final Matcher matcher, final OrderCheck check, final int maxOrdersPerSession)
    {
        this.market = market;
        this.matcher = matcher;
        this.check = check;
        this.maxOrdersPerSession = maxOrdersPerSession;
        table = market.table;
        output = market.output;
    }

    void apply(final NewOrderSingleDecoder order, final int session, final int security)
    {
        final long clOrdId = order.clOrdID();
        final OrdRejReason refusal = refusal(order, session, security);
        if (refusal != null)
        {
            output.reject(security, clOrdId, refusal);
            return;
        }
        final int instrument = market.tradables().index(security);
        final OrderBook book = market.book(instrument);
        final boolean buy = order.side() == Side.Buy;
        final OrdType type = order.ordType();
        final TimeInForce time = order.timeInForce();
        final long price = order.price().mantissa();
        final int quantity = (int) order.orderQty();
        final int slot = table.add(session, clOrdId);
        table.instrument[slot] = instrument;
        table.quantity[slot] = quantity;
        table.buy[slot] = buy;
        table.makesOnly[slot] = order.execInst().participateDontInitiate();
        table.timeInForce[slot] = time.value();
        table.smpId[slot] = order.selfMatchPreventionID();
        table.smpInstruction[slot] = (byte) order.selfMatchPreventionInstruction().value();
        output.report(ExecType.New, OrdStatus.New, ExecRestatementReason.None, true, session, security,
            table.orderId[slot], clOrdId, Market.NO_ID, price, quantity, quantity, 0, buy, type, time);

        final long limit = type == OrdType.Limit ? price : buy ? Long.MAX_VALUE : Long.MIN_VALUE;
        final long minimum = time == TimeInForce.FillOrKill ? quantity : order.minQty();
        final boolean possible = minimum == NO_MINIMUM || minimum == 0 ||
            matcher.available(book, slot, buy, limit, minimum) >= minimum;
        final int left = possible ? matcher.match(book, slot, buy, limit, quantity) : quantity;
        if (left == 0)
        {
            table.remove(slot);
        }
        else if (possible && matcher.wasPrevented())
        {
            market.end(slot, ExecRestatementReason.SelfMatchPrevention, ExecType.Canceled, true, price, left, buy,
                type);
        }
        else if (type == OrdType.Market)
        {
            market.end(slot, possible ? ExecRestatementReason.NoLiquidity :
                ExecRestatementReason.FillOrKillNotPossible, ExecType.Expired, true, price, left, buy, type);
        }
        else if (time == TimeInForce.ImmediateOrCancel || time == TimeInForce.FillOrKill)
        {
            market.end(slot, possible ? ExecRestatementReason.ImmediateRemainder :
                ExecRestatementReason.FillOrKillNotPossible, ExecType.Expired, true, price, left, buy, type);
        }
        else
        {
            market.rest(slot, buy, price, left);
        }
    }

    private OrdRejReason refusal(final NewOrderSingleDecoder order, final int session, final int security)
    {
        final OrdRejReason reason = check.check(order);
        if (reason != null)
        {
            return reason;
        }
        final int instrument = market.tradables().index(security);
        return !market.isTrading(instrument) ? OrdRejReason.ExchangeClosed :
            table.byClOrdId(session, order.clOrdID()) != OrderTable.NONE ? OrdRejReason.DuplicateOrder :
            table.openOf(session) >= maxOrdersPerSession ? OrdRejReason.TooManyOpenOrders :
            table.isFull() ? OrdRejReason.BookFull :
            order.execInst().participateDontInitiate() && Matcher.wouldTrade(market.book(instrument),
                order.side() == Side.Buy, order.price().mantissa()) ? OrdRejReason.WouldTakeLiquidity : null;
    }
}

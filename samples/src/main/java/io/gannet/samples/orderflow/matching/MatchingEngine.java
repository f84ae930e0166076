package io.gannet.samples.orderflow.matching;

import io.gannet.orderflow.CxlRejReason;
import io.gannet.orderflow.CxlRejResponseTo;
import io.gannet.orderflow.ExecRestatementReason;
import io.gannet.orderflow.ExecType;
import io.gannet.orderflow.InboundHeaderDecoder;
import io.gannet.orderflow.LinkEstablishDecoder;
import io.gannet.orderflow.MassCancelCause;
import io.gannet.orderflow.MassCancelRequestDecoder;
import io.gannet.orderflow.MassCancelScope;
import io.gannet.orderflow.MessageHeaderDecoder;
import io.gannet.orderflow.NewOrderSingleDecoder;
import io.gannet.orderflow.OrdRejReason;
import io.gannet.orderflow.OrdStatus;
import io.gannet.orderflow.OrdType;
import io.gannet.orderflow.OrderCancelReplaceRequestDecoder;
import io.gannet.orderflow.OrderCancelRequestDecoder;
import io.gannet.orderflow.SecurityStatusRequestDecoder;
import io.gannet.orderflow.SecurityTradingStatus;
import io.gannet.orderflow.Side;
import io.gannet.orderflow.TimeInForce;
import io.gannet.samples.marketdata.book.OrderBook;
import org.agrona.DirectBuffer;

/**
 * Applies commands, one after the other, to the books. Deterministic: the same commands with the same times give the
 * same output, byte for byte. Commands have been checked for their length and template, see
 * {@link CommandCheck}; everything else is checked here. Not thread-safe; allocates only for a session's first order
 * and while a book grows beyond its largest size so far.
 */
public final class MatchingEngine
{
    /** No self-match prevention. */
    static final long NO_SMP = NewOrderSingleDecoder.selfMatchPreventionIDNullValue();

    private static final long NO_ID = OrderCancelRequestDecoder.orderIDNullValue();
    private static final long NO_MINIMUM = NewOrderSingleDecoder.minQtyNullValue();
    private static final int BOOK_SIZE = 16_384;

    private final Tradables tradables;
    private final EngineLimits limits;
    private final EngineOutput output;
    private final OrderTable table;
    private final OrderBook[] books;
    private final SecurityTradingStatus[] status;
    private final LinkNumbers links = new LinkNumbers();
    private final OrderCheck check;
    private final Matcher matcher;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final InboundHeaderDecoder inbound = new InboundHeaderDecoder();
    private final NewOrderSingleDecoder newOrder = new NewOrderSingleDecoder();
    private final OrderCancelReplaceRequestDecoder replace = new OrderCancelReplaceRequestDecoder();
    private final OrderCancelRequestDecoder cancel = new OrderCancelRequestDecoder();
    private final MassCancelRequestDecoder massCancel = new MassCancelRequestDecoder();
    private final SecurityStatusRequestDecoder statusRequest = new SecurityStatusRequestDecoder();
    private final LinkEstablishDecoder linkEstablish = new LinkEstablishDecoder();
    private long lastPriority;
    private long lastTradeId;
    private long commands;

    /**
     * @param tradables the venue's instruments.
     * @param limits    of the engine.
     * @param output    where answers go.
     */
    public MatchingEngine(final Tradables tradables, final EngineLimits limits, final EngineOutput output)
    {
        this.tradables = tradables;
        this.limits = limits;
        this.output = output;
        table = new OrderTable(limits.maxOrders());
        check = new OrderCheck(tradables);
        matcher = new Matcher(table, new Fills());
        books = new OrderBook[tradables.size()];
        status = new SecurityTradingStatus[tradables.size()];
        for (int i = 0; i < books.length; i++)
        {
            books[i] = new OrderBook(Math.min(BOOK_SIZE, limits.maxOrders()));
            status[i] = SecurityTradingStatus.ReadyToTrade;
        }
    }

    /**
     * Applies one command.
     *
     * @param time   of the command, nanoseconds since the epoch.
     * @param buffer holds it, with its message header, at {@code offset}.
     */
    public void apply(final long time, final DirectBuffer buffer, final int offset)
    {
        commands++;
        header.wrap(buffer, offset);
        final int body = offset + MessageHeaderDecoder.ENCODED_LENGTH;
        final int block = header.blockLength();
        final int version = header.version();
        final int template = header.templateId();
        if (template == LinkEstablishDecoder.TEMPLATE_ID)
        {
            linkEstablish.wrap(buffer, body, block, version);
            links.begin((int) linkEstablish.gatewayID(), linkEstablish.epoch());
            return;
        }
        inbound.wrap(buffer, body);
        final int session = (int) inbound.sessionID();
        links.took(LinkNumbers.gatewayOf(session), inbound.applSeqNum());
        output.begin(time, inbound.sendingTime(), inbound.receivedTime(), inbound.msgSeqNum(), session);
        final int security = (int) inbound.securityID();
        switch (template)
        {
            case NewOrderSingleDecoder.TEMPLATE_ID ->
                onNewOrder(newOrder.wrap(buffer, body, block, version), session, security);
            case OrderCancelReplaceRequestDecoder.TEMPLATE_ID ->
                onReplace(replace.wrap(buffer, body, block, version), session, security);
            case OrderCancelRequestDecoder.TEMPLATE_ID ->
                onCancel(cancel.wrap(buffer, body, block, version), session, security);
            case MassCancelRequestDecoder.TEMPLATE_ID ->
                onMassCancel(massCancel.wrap(buffer, body, block, version), session, security);
            case SecurityStatusRequestDecoder.TEMPLATE_ID ->
                onStatus(statusRequest.wrap(buffer, body, block, version), security);
            default -> throw new IllegalArgumentException("template " + template + " is no command");
        }
        output.end();
    }

    private void onNewOrder(final NewOrderSingleDecoder order, final int session, final int security)
    {
        final long clOrdId = order.clOrdID();
        final OrdRejReason refusal = refusal(order, session, security);
        if (refusal != null)
        {
            output.reject(security, clOrdId, refusal);
            return;
        }
        final int instrument = tradables.index(security);
        final OrderBook book = books[instrument];
        final boolean buy = order.side() == Side.Buy;
        final OrdType type = order.ordType();
        final TimeInForce time = order.timeInForce();
        final long price = order.price().mantissa();
        final int quantity = (int) order.orderQty();
        final int slot = table.add(session, clOrdId);
        table.instrument[slot] = instrument;
        table.quantity[slot] = quantity;
        table.buy[slot] = buy;
        table.timeInForce[slot] = time.value();
        table.smpId[slot] = order.selfMatchPreventionID();
        table.smpInstruction[slot] = (byte) order.selfMatchPreventionInstruction().value();
        output.report(ExecType.New, OrdStatus.New, ExecRestatementReason.None, true, session, security,
            table.orderId[slot], clOrdId, NO_ID, price, quantity, quantity, 0, buy, type, time);

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
            end(slot, ExecRestatementReason.SelfMatchPrevention, ExecType.Canceled, true, price, left, buy, type);
        }
        else if (type == OrdType.Market)
        {
            end(slot, possible ? ExecRestatementReason.NoLiquidity : ExecRestatementReason.FillOrKillNotPossible,
                ExecType.Expired, true, price, left, buy, type);
        }
        else if (time == TimeInForce.ImmediateOrCancel || time == TimeInForce.FillOrKill)
        {
            end(slot, possible ? ExecRestatementReason.ImmediateRemainder :
                ExecRestatementReason.FillOrKillNotPossible, ExecType.Expired, true, price, left, buy, type);
        }
        else
        {
            rest(slot, buy, price, left);
        }
    }

    private OrdRejReason refusal(final NewOrderSingleDecoder order, final int session, final int security)
    {
        final OrdRejReason reason = check.check(order);
        if (reason != null)
        {
            return reason;
        }
        final int instrument = tradables.index(security);
        return status[instrument] != SecurityTradingStatus.ReadyToTrade ? OrdRejReason.ExchangeClosed :
            table.byClOrdId(session, order.clOrdID()) != OrderTable.NONE ? OrdRejReason.DuplicateOrder :
            table.openOf(session) >= limits.maxOrdersPerSession() ? OrdRejReason.TooManyOpenOrders :
            table.isFull() ? OrdRejReason.BookFull :
            order.execInst().participateDontInitiate() && Matcher.wouldTrade(books[instrument],
                order.side() == Side.Buy, order.price().mantissa()) ? OrdRejReason.WouldTakeLiquidity : null;
    }

    private void rest(final int slot, final boolean buy, final long price, final int left)
    {
        final int instrument = table.instrument[slot];
        books[instrument].add(table.orderId[slot], buy, price, left, ++lastPriority);
        output.market(MarketRecord.ADD, instrument, table.orderId[slot], buy, price, left);
    }

    /** The order's end, of {@code left} that is not in the book. */
    private void end(
        final int slot, final ExecRestatementReason reason, final ExecType type, final boolean own, final long price,
        final int left, final boolean buy, final OrdType ordType)
    {
        output.report(type, type == ExecType.Expired ? OrdStatus.Expired : OrdStatus.Canceled, reason, own,
            table.session[slot], tradables.get(table.instrument[slot]).id(), table.orderId[slot],
            table.clOrdId[slot], NO_ID, price, table.quantity[slot], 0, table.quantity[slot] - left, buy, ordType,
            timeInForce(slot));
        table.remove(slot);
    }

    private TimeInForce timeInForce(final int slot)
    {
        return TimeInForce.get(table.timeInForce[slot]);
    }

    /** Takes a resting order out of its book and ends it. */
    private void endResting(
        final int slot, final ExecRestatementReason reason, final ExecType type, final boolean own)
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
        end(slot, reason, type, own, price, left, buy, OrdType.Limit);
    }

    private int find(final int session, final int security, final long orderId, final long origClOrdId)
    {
        final int slot = orderId == NO_ID ? table.byClOrdId(session, origClOrdId) : table.byOrderId(orderId);
        return slot != OrderTable.NONE && table.session[slot] == session &&
            tradables.get(table.instrument[slot]).id() == security ? slot : OrderTable.NONE;
    }

    private void onCancel(final OrderCancelRequestDecoder request, final int session, final int security)
    {
        final int slot = find(session, security, request.orderID(), request.origClOrdID());
        CxlRejReason refusal = null;
        if (slot == OrderTable.NONE)
        {
            refusal = CxlRejReason.UnknownOrder;
        }
        else if (request.side() != sideOf(slot))
        {
            refusal = CxlRejReason.WrongSide;
        }
        if (refusal != null)
        {
            output.cancelReject(security, request.orderID(), request.clOrdID(), request.origClOrdID(),
                CxlRejResponseTo.Cancel, refusal);
            return;
        }
        final int instrument = table.instrument[slot];
        final OrderBook book = books[instrument];
        final long id = table.orderId[slot];
        final int order = book.find(id);
        final long price = book.price(order);
        final int left = (int) book.quantity(order);
        final boolean buy = book.isBid(order);
        book.delete(id);
        output.market(MarketRecord.CANCEL, instrument, id, buy, price, left);
        output.report(ExecType.Canceled, OrdStatus.Canceled, ExecRestatementReason.None, true, session, security, id,
            request.clOrdID(), table.clOrdId[slot], price, table.quantity[slot], 0, table.cumulated[slot], buy,
            OrdType.Limit, timeInForce(slot));
        table.remove(slot);
    }

    private Side sideOf(final int slot)
    {
        return table.buy[slot] ? Side.Buy : Side.Sell;
    }

    private CxlRejReason refusal(
        final OrderCancelReplaceRequestDecoder request, final int slot, final int session)
    {
        if (slot == OrderTable.NONE)
        {
            return CxlRejReason.UnknownOrder;
        }
        if (status[table.instrument[slot]] != SecurityTradingStatus.ReadyToTrade)
        {
            return CxlRejReason.ExchangeClosed;
        }
        if (request.side() != sideOf(slot))
        {
            return CxlRejReason.WrongSide;
        }
        final int same = table.byClOrdId(session, request.clOrdID());
        if (same != OrderTable.NONE && same != slot)
        {
            return CxlRejReason.DuplicateClOrdID;
        }
        final OrdRejReason reason = check.check(request);
        return reason == null ? null : switch (reason)
        {
            case InvalidPriceIncrement -> CxlRejReason.InvalidPriceIncrement;
            case PriceExceedsBand, IncorrectPrice -> CxlRejReason.PriceExceedsBand;
            default -> CxlRejReason.IncorrectQuantity;
        };
    }

    private void onReplace(final OrderCancelReplaceRequestDecoder request, final int session, final int security)
    {
        final int slot = find(session, security, request.orderID(), request.origClOrdID());
        final CxlRejReason refusal = refusal(request, slot, session);
        if (refusal != null)
        {
            output.cancelReject(security, request.orderID(), request.clOrdID(), request.origClOrdID(),
                CxlRejResponseTo.Replace, refusal);
            return;
        }
        final int instrument = table.instrument[slot];
        final OrderBook book = books[instrument];
        final long id = table.orderId[slot];
        final int order = book.find(id);
        final boolean buy = book.isBid(order);
        final int quantity = (int) request.orderQty();
        final int cumulated = table.cumulated[slot];
        if (quantity <= cumulated)
        {
            endResting(slot, ExecRestatementReason.ReplacedBelowFilled, ExecType.Canceled, true);
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
            leaves, cumulated, buy, OrdType.Limit, timeInForce(slot));
        if (keepsPlace)
        {
            book.change(id, buy, price, leaves, book.priority(order));
            output.market(MarketRecord.MODIFY, instrument, id, buy, price, leaves);
        }
        else if (!Matcher.wouldTrade(book, buy, price))
        {
            book.change(id, buy, price, leaves, ++lastPriority);
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
        final OrderBook book = books[table.instrument[slot]];
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
            end(slot, ExecRestatementReason.SelfMatchPrevention, ExecType.Canceled, true, price, left, buy,
                OrdType.Limit);
        }
        else
        {
            rest(slot, buy, price, left);
        }
    }

    private void onMassCancel(final MassCancelRequestDecoder request, final int session, final int security)
    {
        final boolean all = request.massCancelScope() != MassCancelScope.Security;
        final boolean lost = request.massCancelCause() == MassCancelCause.Disconnect;
        int count = 0;
        int slot = table.firstOf(session);
        while (slot != OrderTable.NONE)
        {
            final int next = table.nextOf(slot);
            if (all || tradables.get(table.instrument[slot]).id() == security)
            {
                endResting(slot, lost ? ExecRestatementReason.CancelOnDisconnect : ExecRestatementReason.MassCancel,
                    ExecType.Canceled, true);
                count++;
            }
            slot = next;
        }
        output.massAction(security, request.clOrdID(), count,
            lost ? MassCancelCause.Disconnect : MassCancelCause.Request);
    }

    private void onStatus(final SecurityStatusRequestDecoder request, final int security)
    {
        final int instrument = tradables.index(security);
        final SecurityTradingStatus wanted = request.securityTradingStatus();
        if (instrument == Tradables.UNKNOWN || wanted == SecurityTradingStatus.NULL_VAL ||
            wanted == SecurityTradingStatus.SBE_UNKNOWN || wanted == status[instrument])
        {
            return;
        }
        status[instrument] = wanted;
        output.market(MarketRecord.STATUS, instrument, 0, false, 0, wanted.value());
        if (wanted == SecurityTradingStatus.PostClose)
        {
            expireDayOrders(instrument, true);
            expireDayOrders(instrument, false);
        }
    }

    private void expireDayOrders(final int instrument, final boolean bid)
    {
        final OrderBook book = books[instrument];
        for (int level = book.levels(bid) - 1; level >= 0; level--)
        {
            int order = book.firstOrder(bid, level);
            while (order != OrderBook.NONE)
            {
                final int next = book.nextOrder(order);
                final int slot = OrderTable.slotOf(book.orderId(order));
                if (timeInForce(slot) == TimeInForce.Day)
                {
                    endResting(slot, ExecRestatementReason.EndOfDay, ExecType.Expired, false);
                }
                order = next;
            }
        }
    }

    /** Reports each fill to both sides and to the market. */
    private final class Fills implements Matcher.Listener
    {
        @Override
        public void onFill(
            final int slot, final int resting, final long price, final int quantity, final int left)
        {
            final int instrument = table.instrument[slot];
            final int security = tradables.get(instrument).id();
            final long tradeId = ++lastTradeId;
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
            endResting(resting, ExecRestatementReason.SelfMatchPrevention, ExecType.Canceled, false);
        }
    }

    /** Number of commands applied. */
    public long commands()
    {
        return commands;
    }

    /** Number of trades so far. */
    public long trades()
    {
        return lastTradeId;
    }

    /** Live orders. */
    public int orders()
    {
        return table.size();
    }

    /** A book, to look at. */
    public OrderBook book(final int instrument)
    {
        return books[instrument];
    }

    /** An instrument's status. */
    public SecurityTradingStatus status(final int instrument)
    {
        return status[instrument];
    }

    /** What was taken of each gateway. */
    public LinkNumbers links()
    {
        return links;
    }

    /** Writes the whole state, between two commands. */
    public void save(final StateWriter out)
    {
        EngineState.save(this, table, output, out);
        out.putLong(lastPriority);
        out.putLong(lastTradeId);
        out.putLong(commands);
    }

    /** Reads a state into this engine, which must be new. */
    public void load(final StateReader in)
    {
        EngineState.load(this, table, output, in);
        lastPriority = in.getLong();
        lastTradeId = in.getLong();
        commands = in.getLong();
    }

    int slot(final int session, final long clOrdId)
    {
        return table.byClOrdId(session, clOrdId);
    }

    long orderId(final int slot)
    {
        return table.orderId[slot];
    }

    int cumulated(final int slot)
    {
        return table.cumulated[slot];
    }

    Tradables tradables()
    {
        return tradables;
    }

    void status(final int instrument, final SecurityTradingStatus value)
    {
        status[instrument] = value;
    }
}

package io.gannet.samples.orderflow.matching;

import io.gannet.orderflow.InboundHeaderDecoder;
import io.gannet.orderflow.LinkEstablishDecoder;
import io.gannet.orderflow.MassCancelRequestDecoder;
import io.gannet.orderflow.MessageHeaderDecoder;
import io.gannet.orderflow.NewOrderSingleDecoder;
import io.gannet.orderflow.OrderCancelReplaceRequestDecoder;
import io.gannet.orderflow.OrderCancelRequestDecoder;
import io.gannet.orderflow.SecurityStatusRequestDecoder;
import io.gannet.orderflow.SecurityTradingStatus;
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

    private final EngineOutput output;
    private final long configuration;
    private final Market market;
    private final NewOrders newOrders;
    private final Replacements replacements;
    private final Cancellations cancellations;
    private final Halts halts;
    private final LinkNumbers links = new LinkNumbers();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final InboundHeaderDecoder inbound = new InboundHeaderDecoder();
    private final NewOrderSingleDecoder newOrder = new NewOrderSingleDecoder();
    private final OrderCancelReplaceRequestDecoder replace = new OrderCancelReplaceRequestDecoder();
    private final OrderCancelRequestDecoder cancel = new OrderCancelRequestDecoder();
    private final MassCancelRequestDecoder massCancel = new MassCancelRequestDecoder();
    private final SecurityStatusRequestDecoder statusRequest = new SecurityStatusRequestDecoder();
    private final LinkEstablishDecoder linkEstablish = new LinkEstablishDecoder();
    private long commands;

    /**
     * @param tradables the venue's instruments.
     * @param limits    of the engine.
     * @param output    where answers go.
     */
    public MatchingEngine(final Tradables tradables, final EngineLimits limits, final EngineOutput output)
    {
        this.output = output;
        configuration = configuration(tradables, limits);
        market = new Market(tradables, limits.maxOrders(), output);
        final Matcher matcher = new Matcher(market.table, new Fills(market));
        final OrderCheck check = new OrderCheck(tradables);
        newOrders = new NewOrders(market, matcher, check, limits.maxOrdersPerSession());
        replacements = new Replacements(market, matcher, check);
        cancellations = new Cancellations(market);
        halts = new Halts(market);
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
                newOrders.apply(newOrder.wrap(buffer, body, block, version), session, security);
            case OrderCancelReplaceRequestDecoder.TEMPLATE_ID ->
                replacements.apply(replace.wrap(buffer, body, block, version), session, security);
            case OrderCancelRequestDecoder.TEMPLATE_ID ->
                cancellations.cancel(cancel.wrap(buffer, body, block, version), session, security);
            case MassCancelRequestDecoder.TEMPLATE_ID ->
                cancellations.massCancel(massCancel.wrap(buffer, body, block, version), session, security);
            case SecurityStatusRequestDecoder.TEMPLATE_ID ->
                halts.apply(statusRequest.wrap(buffer, body, block, version), security);
            default -> throw new IllegalArgumentException("template " + template + " is no command");
        }
        output.end();
    }

    private static long configuration(final Tradables tradables, final EngineLimits limits)
    {
        long hash = (long) limits.maxOrders() << 32 | limits.maxOrdersPerSession();
        for (final Tradable tradable : tradables.all())
        {
            for (final long value : new long[]{tradable.id(), tradable.tick(), tradable.low(), tradable.high(),
                tradable.maxQuantity()})
            {
                hash = (hash ^ value) * 0x9E37_79B9_7F4A_7C15L;
                hash ^= hash >>> 32;
            }
        }
        return hash == 0 ? 1 : hash;
    }

    /** Instruments and limits as a number: only engines with the same say the same to the same commands. Never 0. */
    public long configuration()
    {
        return configuration;
    }

    /** Number of commands applied. */
    public long commands()
    {
        return commands;
    }

    /** Number of trades so far. */
    public long trades()
    {
        return market.lastTradeId();
    }

    /** Live orders. */
    public int orders()
    {
        return market.table.size();
    }

    /** A book, to look at. */
    public OrderBook book(final int instrument)
    {
        return market.book(instrument);
    }

    /** An instrument's status. */
    public SecurityTradingStatus status(final int instrument)
    {
        return market.status(instrument);
    }

    /** What was taken of each gateway. */
    public LinkNumbers links()
    {
        return links;
    }

    /** Writes the whole state, between two commands. */
    public void save(final StateWriter out)
    {
        EngineState.save(this, market.table, output, out);
        out.putLong(market.lastPriority());
        out.putLong(market.lastTradeId());
        out.putLong(commands);
    }

    /** Reads a state into this engine, which must be new. */
    public void load(final StateReader in)
    {
        EngineState.load(this, market.table, output, in);
        market.restore(in.getLong(), in.getLong());
        commands = in.getLong();
    }

    int slot(final int session, final long clOrdId)
    {
        return market.table.byClOrdId(session, clOrdId);
    }

    long orderId(final int slot)
    {
        return market.table.orderId[slot];
    }

    int cumulated(final int slot)
    {
        return market.table.cumulated[slot];
    }

    Tradables tradables()
    {
        return market.tradables();
    }

    void status(final int instrument, final SecurityTradingStatus value)
    {
        market.status(instrument, value);
    }
}

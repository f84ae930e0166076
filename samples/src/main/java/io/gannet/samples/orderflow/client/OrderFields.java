package io.gannet.samples.orderflow.client;

import io.gannet.orderflow.OrdType;
import io.gannet.orderflow.SelfMatchPreventionInstruction;
import io.gannet.orderflow.Side;
import io.gannet.orderflow.TimeInForce;

/**
 * An order to be sent; reused from order to order.
 */
public final class OrderFields
{
    /** Price of an order that has none. */
    public static final long NO_PRICE = Long.MIN_VALUE;

    /** The client's number, unique in the session. */
    public long clOrdId;
    /** Instrument. */
    public int securityId;
    /** Side. */
    public Side side = Side.Buy;
    /** Limit or market. */
    public OrdType type = OrdType.Limit;
    /** How long it is valid. */
    public TimeInForce timeInForce = TimeInForce.Day;
    /** Units of 10^-9, or {@link #NO_PRICE}. */
    public long price;
    /** Quantity. */
    public int quantity;
    /** Of an IOC order: nothing trades below it; 0: none. */
    public int minQuantity;
    /** The client's own. */
    public long account;
    /** Never take liquidity. */
    public boolean postOnly;
    /** Orders with the same don't trade with each other; 0: none. */
    public long selfMatchId;
    /** What happens instead. */
    public SelfMatchPreventionInstruction selfMatchInstruction = SelfMatchPreventionInstruction.CancelNewest;

    /** Sets up a limit order for the day. */
    public OrderFields limit(
        final long id, final int security, final Side orderSide, final long limit, final int orderQuantity)
    {
        clOrdId = id;
        securityId = security;
        side = orderSide;
        type = OrdType.Limit;
        timeInForce = TimeInForce.Day;
        price = limit;
        quantity = orderQuantity;
        minQuantity = 0;
        postOnly = false;
        return this;
    }

    /** Sets up a market order. */
    public OrderFields market(final long id, final int security, final Side orderSide, final int orderQuantity)
    {
        limit(id, security, orderSide, NO_PRICE, orderQuantity);
        type = OrdType.Market;
        return this;
    }

    /** Sets how long it is valid. */
    public OrderFields with(final TimeInForce value)
    {
        timeInForce = value;
        return this;
    }
}

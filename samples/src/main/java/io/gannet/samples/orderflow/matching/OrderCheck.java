package io.gannet.samples.orderflow.matching;

import io.gannet.orderflow.NewOrderSingleDecoder;
import io.gannet.orderflow.OrdRejReason;
import io.gannet.orderflow.OrderCancelReplaceRequestDecoder;
import io.gannet.orderflow.SelfMatchPreventionInstruction;
import io.gannet.orderflow.Side;
import io.gannet.orderflow.TimeInForce;

/**
 * What can be said of an order without a book: a function of the message and the instruments alone, so that a replay
 * says the same. The gateway asks first, the engine again. Not thread-safe.
 */
public final class OrderCheck
{
    private static final long NO_PRICE = Long.MIN_VALUE;
    private static final long NO_QUANTITY = 0xFFFF_FFFFL;
    private static final int KNOWN_EXEC_INST = 1;

    private final Tradables tradables;

    /**
     * @param tradables of the venue.
     */
    public OrderCheck(final Tradables tradables)
    {
        this.tradables = tradables;
    }

    /** Why an order must be refused, or null if nothing speaks against it. */
    public OrdRejReason check(final NewOrderSingleDecoder order)
    {
        final int index = tradables.index((int) order.header().securityID());
        if (index == Tradables.UNKNOWN)
        {
            return OrdRejReason.UnknownSymbol;
        }
        final Side side = order.side();
        if (side != Side.Buy && side != Side.Sell)
        {
            return OrdRejReason.InvalidSide;
        }
        final TimeInForce time = order.timeInForce();
        if (time == TimeInForce.NULL_VAL || time == TimeInForce.SBE_UNKNOWN)
        {
            return OrdRejReason.InvalidTimeInForce;
        }
        if (!isKnown(order))
        {
            return OrdRejReason.UnsupportedOrderCharacteristic;
        }
        final Tradable tradable = tradables.get(index);
        final OrdRejReason quantity = quantity(order.orderQty(), tradable);
        if (quantity != null)
        {
            return quantity;
        }
        return switch (order.ordType())
        {
            case Limit -> limit(order, time, tradable);
            case Market -> market(order, time);
            default -> OrdRejReason.InvalidOrdType;
        };
    }

    /** The same for the new values of an order. */
    public OrdRejReason check(final OrderCancelReplaceRequestDecoder request)
    {
        final int index = tradables.index((int) request.header().securityID());
        if (index == Tradables.UNKNOWN)
        {
            return OrdRejReason.UnknownSymbol;
        }
        if (request.side() != Side.Buy && request.side() != Side.Sell)
        {
            return OrdRejReason.InvalidSide;
        }
        final OrdRejReason quantity = quantity(request.orderQty(), tradables.get(index));
        return quantity != null ? quantity : price(request.price().mantissa(), tradables.get(index));
    }

    /** An instruction that is not known here is not passed over. */
    private static boolean isKnown(final NewOrderSingleDecoder order)
    {
        if ((order.execInst().getRaw() & ~KNOWN_EXEC_INST) != 0)
        {
            return false;
        }
        final SelfMatchPreventionInstruction instruction = order.selfMatchPreventionInstruction();
        return order.selfMatchPreventionID() == NewOrderSingleDecoder.selfMatchPreventionIDNullValue() ||
            (instruction != SelfMatchPreventionInstruction.NULL_VAL &&
            instruction != SelfMatchPreventionInstruction.SBE_UNKNOWN);
    }

    private static OrdRejReason quantity(final long quantity, final Tradable tradable)
    {
        return quantity < 1 || quantity == NO_QUANTITY ? OrdRejReason.IncorrectQuantity :
            quantity > tradable.maxQuantity() ? OrdRejReason.OrderExceedsLimit : null;
    }

    private static OrdRejReason limit(
        final NewOrderSingleDecoder order, final TimeInForce time, final Tradable tradable)
    {
        final OrdRejReason price = price(order.price().mantissa(), tradable);
        if (price != null)
        {
            return price;
        }
        final boolean rests = time == TimeInForce.Day || time == TimeInForce.GoodTillCancel;
        if (order.execInst().participateDontInitiate() && !rests)
        {
            return OrdRejReason.UnsupportedOrderCharacteristic;
        }
        return minimum(order, time);
    }

    private static OrdRejReason market(final NewOrderSingleDecoder order, final TimeInForce time)
    {
        if (order.price().mantissa() != NO_PRICE)
        {
            return OrdRejReason.IncorrectPrice;
        }
        return time == TimeInForce.GoodTillCancel || order.execInst().participateDontInitiate() ?
            OrdRejReason.UnsupportedOrderCharacteristic : minimum(order, time);
    }

    private static OrdRejReason minimum(final NewOrderSingleDecoder order, final TimeInForce time)
    {
        final long minimum = order.minQty();
        return minimum == NO_QUANTITY ? null :
            time != TimeInForce.ImmediateOrCancel ? OrdRejReason.UnsupportedOrderCharacteristic :
            minimum > order.orderQty() ? OrdRejReason.IncorrectQuantity : null;
    }

    private static OrdRejReason price(final long price, final Tradable tradable)
    {
        return price == NO_PRICE ? OrdRejReason.IncorrectPrice :
            price < tradable.low() || price > tradable.high() ? OrdRejReason.PriceExceedsBand :
            price % tradable.tick() != 0 ? OrdRejReason.InvalidPriceIncrement : null;
    }
}

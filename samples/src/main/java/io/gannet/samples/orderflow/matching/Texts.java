package io.gannet.samples.orderflow.matching;

import io.gannet.orderflow.CxlRejReason;
import io.gannet.orderflow.OrdRejReason;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;

/**
 * The words for each reason of a reject, made once.
 */
public final class Texts
{
    private final Map<OrdRejReason, byte[]> orders = new EnumMap<>(OrdRejReason.class);
    private final Map<CxlRejReason, byte[]> cancels = new EnumMap<>(CxlRejReason.class);

    /** Makes all texts. */
    public Texts()
    {
        for (final OrdRejReason reason : OrdRejReason.values())
        {
            orders.put(reason, bytes(text(reason)));
        }
        for (final CxlRejReason reason : CxlRejReason.values())
        {
            cancels.put(reason, bytes(text(reason)));
        }
    }

    /** ASCII; not to be changed. */
    public byte[] of(final OrdRejReason reason)
    {
        return orders.get(reason);
    }

    /** ASCII; not to be changed. */
    public byte[] of(final CxlRejReason reason)
    {
        return cancels.get(reason);
    }

    private static byte[] bytes(final String text)
    {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String text(final OrdRejReason reason)
    {
        return switch (reason)
        {
            case UnknownSymbol -> "no instrument has this SecurityID";
            case ExchangeClosed -> "the instrument is not trading now";
            case OrderExceedsLimit -> "OrderQty is above the instrument's limit";
            case DuplicateOrder -> "a live order of the session has this ClOrdID";
            case UnsupportedOrderCharacteristic -> "TimeInForce, MinQty or an instruction is unknown, or wrong here";
            case IncorrectQuantity -> "OrderQty must be above 0 and not below MinQty";
            case PriceExceedsBand -> "Price is outside the instrument's band";
            case InvalidPriceIncrement -> "Price is not a multiple of the instrument's tick";
            case WouldTakeLiquidity -> "the order would trade at once, which its ExecInst forbids";
            case BookFull -> "the engine has no room for another order";
            case IncorrectPrice -> "a limit order needs a Price, a market order must have none";
            case InvalidSide -> "Side is neither 1 nor 2";
            case InvalidOrdType -> "OrdType is neither 1 nor 2";
            case InvalidTimeInForce -> "TimeInForce is none of 0, 1, 3, 4";
            case TooManyOpenOrders -> "the session has as many open orders as it may";
            case SBE_UNKNOWN, NULL_VAL -> "";
        };
    }

    private static String text(final CxlRejReason reason)
    {
        return switch (reason)
        {
            case UnknownOrder -> "no live order of the session has this number";
            case ExchangeClosed -> "the instrument is not trading now";
            case DuplicateClOrdID -> "a live order of the session has the new ClOrdID";
            case InvalidPriceIncrement -> "Price is not a multiple of the instrument's tick";
            case IncorrectQuantity -> "OrderQty must be above 0 and within the instrument's limit";
            case PriceExceedsBand -> "Price is outside the instrument's band";
            case WrongSide -> "Side is not that of the order";
            case WouldTakeLiquidity -> "the order would trade at once, which its ExecInst forbids";
            case SBE_UNKNOWN, NULL_VAL -> "";
        };
    }
}

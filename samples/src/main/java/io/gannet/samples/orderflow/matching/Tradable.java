package io.gannet.samples.orderflow.matching;

/**
 * An instrument as gateway and engine know it; both are configured alike. Prices are in units of 10^-9.
 *
 * @param id          SecurityID.
 * @param symbol      its name, at most 16 ASCII characters.
 * @param tick        prices are multiples of it; above 0.
 * @param low         lowest price of an order.
 * @param high        highest price of an order.
 * @param maxQuantity largest quantity of an order.
 */
public record Tradable(int id, String symbol, long tick, long low, long high, int maxQuantity)
{
    /** Checks the values. */
    public Tradable
    {
        if (tick < 1 || low > high || maxQuantity < 1)
        {
            throw new IllegalArgumentException("instrument " + symbol + ": tick " + tick + " must be above 0, low " +
                low + " at most high " + high + ", largest quantity " + maxQuantity + " above 0");
        }
    }
}

package io.gannet.samples.marketdata.cli;

import io.gannet.samples.marketdata.subscriber.InstrumentView;
import java.math.BigDecimal;

/**
 * Prices for people.
 */
public final class Prices
{
    private static final int EXPONENT = 9;
    private static final int MIN_DIGITS = 2;

    private Prices()
    {
    }

    /** A price in units of 10^-9 with at least two decimals; "-" if there is none. */
    public static String text(final long price)
    {
        if (price == InstrumentView.NO_PRICE)
        {
            return "-";
        }
        final BigDecimal value = BigDecimal.valueOf(price, EXPONENT).stripTrailingZeros();
        return value.setScale(Math.max(value.scale(), MIN_DIGITS)).toPlainString();
    }
}

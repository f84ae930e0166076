package io.gannet.samples.marketdata.source;

/**
 * An instrument of a feed.
 *
 * @param id       the venue's number for it, as an unsigned 32-bit value.
 * @param symbol   its name, of which 16 ASCII characters are kept.
 * @param exchange the venue, at most 8 ASCII characters.
 * @param tick     smallest difference of prices in units of 10^-9, or 0 if the source doesn't say.
 */
public record Instrument(int id, String symbol, String exchange, long tick)
{
    private static final int SYMBOL_LENGTH = 16;

    /** Cuts a longer symbol. */
    public Instrument
    {
        symbol = symbol.length() > SYMBOL_LENGTH ? symbol.substring(0, SYMBOL_LENGTH) : symbol;
    }
}

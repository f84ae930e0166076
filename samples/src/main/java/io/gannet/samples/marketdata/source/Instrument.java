package io.gannet.samples.marketdata.source;

/**
 * An instrument of a feed.
 *
 * @param id       the venue's number for it, as an unsigned 32-bit value.
 * @param symbol   its name, at most 16 ASCII characters.
 * @param exchange the venue, at most 8 ASCII characters.
 * @param tick     smallest difference of prices in units of 10^-9, or 0 if the source doesn't say.
 */
public record Instrument(int id, String symbol, String exchange, long tick)
{
}

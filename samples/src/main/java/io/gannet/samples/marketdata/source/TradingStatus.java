package io.gannet.samples.marketdata.source;

/**
 * What can be done with an instrument.
 */
public enum TradingStatus
{
    /** Orders are matched. */
    TRADING,
    /** Orders are taken, not matched. */
    PRE_OPEN,
    /** Halted or paused. */
    HALTED,
    /** Not tradable now. */
    CLOSED
}

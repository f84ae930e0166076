package io.gannet.perf.load;

import org.HdrHistogram.Histogram;

/**
 * A histogram whose counters have a line's distance to what lies behind them; before them are about 100 bytes of its
 * own that change only when it is made.
 */
final class PaddedHistogram extends Histogram
{
    private static final long serialVersionUID = 1;

    long after01;
    long after02;
    long after03;
    long after04;
    long after05;
    long after06;
    long after07;
    long after08;
    long after09;
    long after10;
    long after11;
    long after12;
    long after13;
    long after14;
    long after15;
    long after16;

    PaddedHistogram(final long highest, final int significantDigits)
    {
        super(highest, significantDigits);
    }
}

package io.gannet.samples.marketdata.demo;

/**
 * Rate of a growing count over about the last second, and its history for a small graph.
 */
public final class RateMeter
{
    private static final int SAMPLES = 6;
    private static final int HISTORY = 16;
    private static final String BARS = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588";
    private static final String ASCII_BARS = "_.:-=+*#";

    private final long[] counts = new long[SAMPLES];
    private final long[] times = new long[SAMPLES];
    private final double[] history = new double[HISTORY];
    private int size;
    private int historySize;
    private double rate;

    public void update(final long count, final long time)
    {
        if (size > 0 && time - times[size - 1] <= 0)
        {
            return;
        }
        if (size == SAMPLES)
        {
            System.arraycopy(counts, 1, counts, 0, SAMPLES - 1);
            System.arraycopy(times, 1, times, 0, SAMPLES - 1);
            size--;
        }
        counts[size] = count;
        times[size++] = time;
        if (size > 1)
        {
            rate = (counts[size - 1] - counts[0]) * 1e9 / (times[size - 1] - times[0]);
            final double latest = (counts[size - 1] - counts[size - 2]) * 1e9 / (times[size - 1] - times[size - 2]);
            if (historySize == HISTORY)
            {
                System.arraycopy(history, 1, history, 0, HISTORY - 1);
                historySize--;
            }
            history[historySize++] = latest;
        }
    }

    public double perSecond()
    {
        return rate;
    }

    /** The history, {@link #HISTORY} characters. */
    public String graph(final boolean unicode)
    {
        double most = 1;
        for (int i = 0; i < historySize; i++)
        {
            most = Math.max(most, history[i]);
        }
        final String bars = unicode ? BARS : ASCII_BARS;
        final StringBuilder graph = new StringBuilder();
        for (int i = historySize; i < HISTORY; i++)
        {
            graph.append(' ');
        }
        for (int i = 0; i < historySize; i++)
        {
            graph.append(bars.charAt((int) Math.min(bars.length() - 1, history[i] / most * bars.length())));
        }
        return graph.toString();
    }
}

package io.gannet.perf.rig;

import java.util.List;

/**
 * Centre and spread of a cell's phases.
 *
 * @param n      phases.
 * @param median middle value.
 * @param low    lower quartile.
 * @param high   upper quartile.
 */
public record Summary(int n, double median, double low, double high)
{
    /** Summary of any number of values; all NaN if there are none. */
    public static Summary of(final List<Double> values)
    {
        final double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return new Summary(sorted.length, quantile(sorted, 0.5), quantile(sorted, 0.25), quantile(sorted, 0.75));
    }

    /** Whether there are enough phases to speak of a result. */
    public boolean seen()
    {
        return n >= IpcOptions.FEWEST;
    }

    /** Linear interpolation between the two nearest ranks, as R and NumPy do by default. */
    private static double quantile(final double[] sorted, final double q)
    {
        if (sorted.length == 0)
        {
            return Double.NaN;
        }
        final double rank = q * (sorted.length - 1);
        final int below = (int) rank;
        final int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (rank - below) * (sorted[above] - sorted[below]);
    }
}

package io.gannet.perf.growth;

/**
 * One measured value: the median and quartiles of its samples.
 *
 * @param curve  it is on.
 * @param x      number of streams or subscribers, MiB, or bytes.
 * @param median in the unit of the curve's plot.
 * @param low    lower quartile.
 * @param high   upper quartile.
 * @param n      samples.
 */
public record Point(Curve curve, long x, double median, double low, double high, int n)
{
}

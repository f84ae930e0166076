package io.gannet.monitor.metrics;

import java.util.Locale;

/** Types of OpenMetrics 1.0 that are used here. */
enum MetricType
{
    GAUGE, COUNTER, HISTOGRAM, INFO, STATESET, UNKNOWN;

    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}

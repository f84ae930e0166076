package io.gannet.monitor.metrics;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Writes OpenMetrics text, version 1.0 (section 3 of the specification of that name): families in the order in which
 * they are declared, each with all its samples, and {@code # EOF} at the end. Not thread-safe.
 */
final class Exposition
{
    /** For the header of a response. */
    static final String CONTENT_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private final Map<String, Family> families = new LinkedHashMap<>();

    /** One metric family. */
    static final class Family
    {
        private final String name;
        private final MetricType type;
        private final StringBuilder samples = new StringBuilder();
        private final Set<Labels> written = new HashSet<>();
        private final String head;

        private Family(final String name, final MetricType type, final String unit, final String help)
        {
            this.name = name;
            this.type = type;
            head = "# TYPE " + name + ' ' + type + '\n' +
                (unit.isEmpty() ? "" : "# UNIT " + name + ' ' + unit + '\n') +
                "# HELP " + name + ' ' + escape(help) + '\n';
        }

        /** Adds a sample of an integer. */
        void add(final Labels labels, final long value)
        {
            single(labels, Long.toString(possible(value)));
        }

        /** Adds a sample of nanoseconds, in seconds. */
        void addNanos(final Labels labels, final long nanos)
        {
            single(labels, seconds(possible(nanos)));
        }

        /** Files may say anything, but no counter is negative. */
        private long possible(final long value)
        {
            return type == MetricType.GAUGE || type == MetricType.UNKNOWN ? value : Math.max(0, value);
        }

        /** A second sample of the same labels, which only a damaged file has, would make the whole text invalid. */
        private void single(final Labels labels, final String value)
        {
            if (written.add(labels))
            {
                sample(type == MetricType.COUNTER ? "_total" : type == MetricType.INFO ? "_info" : "", labels, value);
            }
        }

        /**
         * Adds a histogram of nanoseconds, in seconds.
         *
         * @param limits upper limits of the buckets, ascending; the last is {@link Long#MAX_VALUE}.
         * @param counts of each bucket alone.
         */
        void addHistogram(final Labels labels, final long[] limits, final long[] counts, final long sumNanos)
        {
            if (!written.add(labels))
            {
                return;
            }
            long all = 0;
            for (int i = 0; i < limits.length; i++)
            {
                all = Math.max(all, all + Math.max(0, counts[i]));
                sample("_bucket", labels.and("le", i == limits.length - 1 ? "+Inf" : seconds(limits[i])),
                    Long.toString(all));
            }
            sample("_count", labels, Long.toString(all));
            sample("_sum", labels, seconds(Math.max(0, sumNanos)));
        }

        private void sample(final String suffix, final Labels labels, final String value)
        {
            samples.append(name).append(suffix).append(labels).append(' ').append(value).append('\n');
        }
    }

    /**
     * Declares a family.
     *
     * @param name without the suffix of its samples; ends with the unit, if it has one.
     * @param unit empty for none.
     */
    Family family(final String name, final MetricType type, final String unit, final String help)
    {
        if (!unit.isEmpty() && !name.endsWith('_' + unit))
        {
            throw new IllegalArgumentException(name + " does not end with its unit, " + unit);
        }
        return families.computeIfAbsent(name, key -> new Family(name, type, unit, help));
    }

    /** All of it; families without samples are left out. */
    String text()
    {
        final StringBuilder text = new StringBuilder();
        for (final Family family : families.values())
        {
            if (!family.samples.isEmpty())
            {
                text.append(family.head).append(family.samples);
            }
        }
        return text.append("# EOF\n").toString();
    }

    /** Exact, without an exponent: nanoseconds are a decimal fraction of a second. */
    static String seconds(final long nanos)
    {
        return java.math.BigDecimal.valueOf(nanos, 9).stripTrailingZeros().toPlainString();
    }

    /** As help texts and label values are escaped. */
    static String escape(final String text)
    {
        return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\"", "\\\"");
    }
}

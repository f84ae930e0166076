package io.gannet.monitor.metrics;

import static io.gannet.monitor.metrics.MetricType.COUNTER;
import static io.gannet.monitor.metrics.MetricType.GAUGE;

import io.gannet.monitor.CounterValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Metrics of the whole driver, by the labels of their counters.
 */
enum DriverMetric
{
    CLIENTS("clients connected", GAUGE, "clients", "", "Clients connected."),
    CLIENTS_PAUSED("clients that are alive but silent", GAUGE, "clients_silent", "",
        "Clients that are alive but silent: stopped, in a debugger or in a long collection."),
    CLIENT_DEATHS("clients that died without close", COUNTER, "client_deaths", "",
        "Clients that died without close."),
    RINGS("rings", GAUGE, "rings", "", "Rings, of publications and images."),
    RING_BYTES("bytes of ring files", GAUGE, "ring_file_bytes", "bytes", "Bytes of ring files."),
    PUBLICATIONS("publications", GAUGE, "publications", "", "Publications."),
    SUBSCRIPTIONS("subscriptions", GAUGE, "subscriptions", "", "Subscriptions."),
    IMAGES("images", GAUGE, "images", "", "Images: pairs of a subscription and a stream that it gets."),
    RINGS_ADOPTED("rings taken over from the driver before", COUNTER, "rings_adopted", "",
        "Rings taken over from the driver before."),
    BYTES_REPAIRED("bytes claimed by publishers that died, filled with padding", COUNTER, "repaired_bytes", "bytes",
        "Bytes claimed by publishers that died, filled with padding."),
    IMAGES_DROPPED("images cut off because their subscriber was too slow", COUNTER, "images_dropped", "",
        "Images cut off because their subscriber was too slow for slow=drop."),
    COMMANDS("commands of clients", COUNTER, "commands", "", "Commands of clients."),
    COMMANDS_REFUSED("commands of clients that were refused", COUNTER, "commands_refused", "",
        "Commands of clients that were refused."),
    CLIENTS_GIVEN_UP("clients given up for malformed commands", COUNTER, "clients_given_up", "",
        "Clients given up for malformed commands."),
    ERRORS("errors, see the distinct-error log", COUNTER, "errors", "", "Errors; gannet errors lists them.");

    private static final Map<String, DriverMetric> BY_LABEL = new HashMap<>();

    static
    {
        for (final DriverMetric metric : values())
        {
            BY_LABEL.put(metric.label, metric);
        }
    }

    private final String label;
    private final MetricType type;
    private final String metric;
    private final String unit;
    private final String help;

    DriverMetric(
        final String label, final MetricType type, final String metric, final String unit, final String help)
    {
        this.label = label;
        this.type = type;
        this.metric = "gannet_" + metric;
        this.unit = unit;
        this.help = help;
    }

    /** The metric of a counter; null for one that this program does not know. */
    static DriverMetric of(final CounterValue counter)
    {
        return BY_LABEL.get(counter.label());
    }

    static void write(final Exposition to, final List<CounterValue> counters)
    {
        for (final CounterValue counter : counters)
        {
            final DriverMetric metric = of(counter);
            if (metric != null)
            {
                to.family(metric.metric, metric.type, metric.unit, metric.help).add(Labels.NONE, counter.value());
            }
        }
    }
}

package io.gannet.monitor.metrics;

import static io.gannet.monitor.metrics.MetricType.COUNTER;
import static io.gannet.monitor.metrics.MetricType.GAUGE;
import static io.gannet.monitor.metrics.MetricType.HISTOGRAM;
import static io.gannet.monitor.metrics.MetricType.INFO;
import static io.gannet.monitor.metrics.MetricType.STATESET;
import static io.gannet.monitor.metrics.MetricType.UNKNOWN;

import io.gannet.counters.CounterTypes;
import io.gannet.monitor.AgentView;
import io.gannet.monitor.CounterValue;
import io.gannet.monitor.Latency;
import io.gannet.monitor.Life;
import io.gannet.monitor.Observation;
import io.gannet.monitor.StreamsView;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The metrics of one look at a driver. All names start with {@code gannet_}. Of one that does not live there is only
 * its state.
 */
public final class OpenMetrics
{
    /** Media type of the text. */
    public static final String CONTENT_TYPE = Exposition.CONTENT_TYPE;

    private OpenMetrics()
    {
    }

    /**
     * {@return OpenMetrics text, version 1.0}
     *
     * @param scrapes that were answered before.
     */
    public static String text(final Observation seen, final long scrapes)
    {
        return text(seen, scrapes, List.of());
    }

    /** As above, with times of messages. */
    public static String text(final Observation seen, final long scrapes, final List<Latency> latencies)
    {
        final Exposition to = new Exposition();
        driver(to, seen);
        // What a dead driver counted last would look like a driver in which nothing happens.
        if (seen.health().life() == Life.RUNNING || seen.health().life() == Life.SILENT)
        {
            DriverMetric.write(to, seen.counters());
            agents(to, AgentView.of(seen.counters()));
            new StreamMetrics(to).write(new StreamsView(seen.counters()));
            DeviceMetrics.write(to, seen.counters());
            others(to, seen.counters());
        }
        latencies(to, latencies);
        to.family("gannet_exporter_scrapes", COUNTER, "", "Scrapes that this exporter has answered before.")
            .add(Labels.NONE, scrapes);
        return to.text();
    }

    private static void driver(final Exposition to, final Observation seen)
    {
        to.family("gannet_up", GAUGE, "", "Whether a driver lives, is ready and its conductor turns.")
            .add(Labels.NONE, seen.health().healthy() ? 1 : 0);
        final Exposition.Family states = to.family("gannet_driver_state", STATESET, "", "How the driver is.");
        for (final Life life : Life.values())
        {
            states.add(Labels.of("gannet_driver_state", life.toString()), life == seen.health().life() ? 1 : 0);
        }
        if (seen.health().ageNanos() >= 0)
        {
            to.family("gannet_driver_heartbeat_age_seconds", GAUGE, "seconds",
                "Time since the conductor's last heartbeat.").addNanos(Labels.NONE, seen.health().ageNanos());
        }
        if (seen.driver() != null)
        {
            to.family("gannet_driver", INFO, "", "The driver that the other metrics are of, dead or alive.").add(
                Labels.of("version", seen.driver().version()).and("pid", seen.driver().pid())
                    .and("epoch", seen.driver().epoch()).and("directory", seen.directory().toString()), 1);
            to.family("gannet_driver_start_time_seconds", GAUGE, "seconds", "When it started, since 1970.").addNanos(
                Labels.NONE, TimeUnit.MILLISECONDS.toNanos(Math.clamp(
                    seen.driver().startTimeMillis(), 0, TimeUnit.NANOSECONDS.toMillis(Long.MAX_VALUE))));
        }
    }

    private static void agents(final Exposition to, final List<AgentView> agents)
    {
        for (final AgentView agent : agents)
        {
            final Labels labels = Labels.of("agent", agent.name());
            to.family("gannet_agent_longest_duty_cycle_seconds", GAUGE, "seconds",
                "Longest duty cycle of an agent since the driver started.").addNanos(labels, agent.longestNanos());
            to.family("gannet_agent_stalls", COUNTER, "",
                "Duty cycles of an agent over the stall threshold.").add(labels, agent.stalls());
            if (agent.hasHistogram())
            {
                to.family("gannet_agent_duty_cycle_seconds", HISTOGRAM, "seconds", "Duty cycles of an agent.")
                    .addHistogram(labels, AgentView.limits(), agent.buckets(), agent.nanos());
            }
        }
    }

    private static void latencies(final Exposition to, final List<Latency> latencies)
    {
        for (final Latency latency : latencies)
        {
            to.family("gannet_latency_seconds", HISTOGRAM, "seconds",
                "Time of sampled messages on their way.").addHistogram(
                Labels.of("stream", Integer.toString(latency.stream())).and("session", latency.session())
                    .and("from", latency.from()).and("to", latency.to()),
                AgentView.limits(), latency.buckets().counts(), latency.nanos());
        }
    }

    /** Counters of applications, and those that a newer driver may have. */
    private static void others(final Exposition to, final List<CounterValue> counters)
    {
        for (final CounterValue counter : counters)
        {
            final int type = counter.typeId();
            final boolean known = type == CounterTypes.SYSTEM ? DriverMetric.of(counter) != null :
                type == CounterTypes.DEVICE || AgentView.isOfAgent(type) || StreamsView.isOfStream(type);
            if (!known)
            {
                to.family("gannet_counter", UNKNOWN, "", "Counters of applications.").add(
                    Labels.of("id", Integer.toString(counter.id())).and("type", type).and("label", counter.label()),
                    counter.value());
            }
        }
    }
}

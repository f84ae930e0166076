package io.gannet.monitor.metrics;

import static io.gannet.monitor.metrics.MetricType.COUNTER;
import static io.gannet.monitor.metrics.MetricType.GAUGE;

import io.gannet.monitor.StreamsView;
import io.gannet.monitor.StreamsView.Local;
import io.gannet.monitor.StreamsView.Remote;
import io.gannet.monitor.StreamsView.Stream;
import java.util.concurrent.TimeUnit;

/**
 * Metrics of streams, their subscribers on this host, and other hosts.
 */
final class StreamMetrics
{
    private final Exposition to;
    private final Exposition.Family position;
    private final Exposition.Family held;
    private final Exposition.Family heldTime;
    private final Exposition.Family subscriberPosition;
    private final Exposition.Family subscriberLag;
    private final Exposition.Family subscriberHolds;
    private final Exposition.Family waits;

    StreamMetrics(final Exposition to)
    {
        this.to = to;
        position = to.family("gannet_stream_position_bytes", COUNTER, "bytes",
            "Position of a stream: how far its publishers are, or how far an image was received.");
        held = to.family("gannet_stream_held_seconds", GAUGE, "seconds",
            "How long publishers have been waiting now, as the ring is full and its slowest subscriber stands still.");
        heldTime = to.family("gannet_stream_back_pressure_seconds", COUNTER, "seconds",
            "Time for which publishers found the ring full, looked at each 100 ms or so.");
        subscriberPosition = to.family("gannet_subscriber_position_bytes", COUNTER, "bytes",
            "Position that a subscriber of this host has consumed.");
        subscriberLag = to.family("gannet_subscriber_lag_bytes", GAUGE, "bytes",
            "Bytes that a subscriber of this host has not consumed yet.");
        subscriberHolds = to.family("gannet_subscriber_holds", GAUGE, "",
            "Whether publishers wait for that subscriber.");
        waits = to.family("gannet_remote_waits_seconds", GAUGE, "seconds",
            "How long a sender has been waiting now, and for what: subscriber, credits, device or connection.");
    }

    void write(final StreamsView streams)
    {
        streams.streams().forEach(this::write);
    }

    private void write(final Stream stream)
    {
        // The ring's own name makes series of streams that differ in nothing else differ.
        final Labels labels = Labels.of("channel", stream.channel()).and("stream", stream.key().streamId())
            .and("session", stream.key().sessionId()).and("ring", String.format("%x", stream.key().ringId()));
        position.add(labels.and("kind", stream.isImage() ? "image" : "publication"), stream.position());
        if (!stream.isImage())
        {
            held.addNanos(labels,
                stream.isHeld() ? TimeUnit.MILLISECONDS.toNanos(stream.heldMillis()) : 0);
            heldTime.addNanos(labels, stream.heldNanos());
        }
        for (final Local local : stream.locals())
        {
            final Labels subscriber = labels.and("client", String.format("%016x", local.key().clientId()))
                .and("gate", local.key().gate());
            subscriberPosition.add(subscriber, local.position());
            subscriberLag.add(subscriber, stream.lag(local.position()));
            subscriberHolds.add(subscriber, stream.isHeldAt(local.position()) ? 1 : 0);
        }
        stream.remotes().forEach(remote -> write(remote,
            labels.and("direction", remote.direction()).and("host", remote.host())));
    }

    private void write(final Remote remote, final Labels labels)
    {
        for (final RemoteMetric metric : RemoteMetric.values())
        {
            if (remote.values().containsKey(metric.statistic()))
            {
                metric.family(to).add(labels, remote.get(metric.statistic()));
            }
        }
        if (remote.holder() != null)
        {
            waits.addNanos(labels.and("waits_for", remote.holder()),
                TimeUnit.MILLISECONDS.toNanos(remote.heldMillis()));
        }
    }
}

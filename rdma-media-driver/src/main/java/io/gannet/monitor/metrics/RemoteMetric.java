package io.gannet.monitor.metrics;

import static io.gannet.monitor.metrics.MetricType.COUNTER;
import static io.gannet.monitor.metrics.MetricType.GAUGE;

import io.gannet.counters.RemoteStatistic;

/**
 * Metrics of a stream to, or from, another host.
 */
enum RemoteMetric
{
    CONSUMED(RemoteStatistic.CONSUMED, COUNTER, "consumed_position_bytes", "bytes",
        "Position that the subscribers on the other side have consumed."),
    POSITION(RemoteStatistic.POSITION, COUNTER, "position_bytes", "bytes",
        "Position up to which the stream was sent, or received."),
    BYTES(RemoteStatistic.BYTES, COUNTER, "frame_bytes", "bytes", "Bytes of frames sent, or received."),
    MESSAGES(RemoteStatistic.MESSAGES, COUNTER, "messages", "",
        "Messages sent; a receiver does not count them, as it does not look at frames."),
    REQUESTS(RemoteStatistic.REQUESTS, COUNTER, "work_requests", "", "Work requests posted."),
    POSTS(RemoteStatistic.POSTS, COUNTER, "posts", "", "Posts: doorbells rung."),
    INLINE(RemoteStatistic.INLINE, COUNTER, "inline_work_requests", "", "Work requests with their bytes inline."),
    SIGNALED(RemoteStatistic.SIGNALED, COUNTER, "signaled_work_requests", "",
        "Work requests that asked for a completion."),
    OUTSTANDING(RemoteStatistic.OUTSTANDING, GAUGE, "outstanding_work_requests", "",
        "Work requests that no completion covers yet."),
    CREDITS(RemoteStatistic.CREDITS, GAUGE, "credits", "", "Receives of the peer that are left."),
    RNR(RemoteStatistic.RNR, COUNTER, "receiver_not_ready", "",
        "Connections lost as the peer had no receive posted."),
    RECONNECTS(RemoteStatistic.RECONNECTS, COUNTER, "reconnects", "", "Connections after the first one."),
    IGNORED(RemoteStatistic.IGNORED, COUNTER, "ignored_feedback", "", "Words of the peer that could not be true."),
    POLLS(RemoteStatistic.POLLS, COUNTER, "completion_queue_polls", "",
        "Polls of the completion queue, which other streams share."),
    EMPTY_POLLS(RemoteStatistic.EMPTY_POLLS, COUNTER, "empty_completion_queue_polls", "",
        "Polls of the completion queue that found nothing."),
    LAG(RemoteStatistic.LAG, GAUGE, "lag_bytes", "bytes",
        "Bytes between what was published, or received, and what was consumed."),
    FETCHED(RemoteStatistic.FETCHED, COUNTER, "fetched_bytes", "bytes",
        "Bytes of frames that the device had to read, as they were not inline.");

    private final RemoteStatistic statistic;
    private final MetricType type;
    private final String metric;
    private final String unit;
    private final String help;

    RemoteMetric(
        final RemoteStatistic statistic,
        final MetricType type,
        final String metric,
        final String unit,
        final String help)
    {
        this.statistic = statistic;
        this.type = type;
        this.metric = "gannet_remote_" + metric;
        this.unit = unit;
        this.help = help;
    }

    RemoteStatistic statistic()
    {
        return statistic;
    }

    Exposition.Family family(final Exposition exposition)
    {
        return exposition.family(metric, type, unit, help);
    }
}

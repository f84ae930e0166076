package io.gannet.monitor.web;

import io.gannet.counters.CounterTypes;
import io.gannet.counters.RemoteStatistic;
import io.gannet.monitor.AgentView;
import io.gannet.monitor.ClientNames;
import io.gannet.monitor.CounterValue;
import io.gannet.monitor.Latency;
import io.gannet.monitor.Observation;
import io.gannet.monitor.StreamsView;
import io.gannet.monitor.StreamsView.Local;
import io.gannet.monitor.StreamsView.Remote;
import io.gannet.monitor.StreamsView.Stream;
import io.gannet.text.Json;
import java.util.List;
import java.util.Locale;

/**
 * One look at a driver as JSON, for the page: sums since the driver's start, from two of which it takes the rates.
 */
final class StateJson
{
    private StateJson()
    {
    }

    static String text(final Observation seen, final ClientNames clients, final List<Latency> latencies)
    {
        final Json json = new Json().object()
            .name("directory").value(seen.directory().toString())
            .name("nanos").value(seen.nanos())
            .name("healthy").value(seen.health().healthy())
            .name("state").value(seen.health().life().toString())
            .name("text").value(seen.health().text())
            .name("heartbeatAgeNanos").value(seen.health().ageNanos());
        if (seen.driver() != null)
        {
            json.name("driver").object()
                .name("pid").value(seen.driver().pid())
                .name("version").value(seen.driver().version())
                .name("epoch").value(seen.driver().epoch())
                .name("startTimeMillis").value(seen.driver().startTimeMillis())
                .end();
        }
        counters(json.name("system").array(), seen, CounterTypes.SYSTEM).end();
        counters(json.name("device").array(), seen, CounterTypes.DEVICE).end();
        agents(json, seen);
        latencies(json, latencies);
        json.name("streams").array();
        new StreamsView(seen.counters()).streams().forEach(stream -> add(json, stream, clients));
        return json.end().end().text().toString();
    }

    private static Json counters(final Json json, final Observation seen, final int type)
    {
        for (final CounterValue counter : seen.counters())
        {
            if (counter.typeId() == type)
            {
                json.object().name("label").value(counter.label()).name("value").value(counter.value()).end();
            }
        }
        return json;
    }

    private static void agents(final Json json, final Observation seen)
    {
        json.name("limitsNanos").array();
        for (final long limit : AgentView.limits())
        {
            json.value(limit);
        }
        json.end().name("agents").array();
        for (final AgentView agent : AgentView.of(seen.counters()))
        {
            json.object()
                .name("name").value(agent.name())
                .name("longestNanos").value(agent.longestNanos())
                .name("stalls").value(agent.stalls())
                .name("nanos").value(agent.nanos())
                .name("buckets").array();
            for (final long count : agent.buckets())
            {
                json.value(count);
            }
            json.end().end();
        }
        json.end();
    }

    private static void latencies(final Json json, final List<Latency> latencies)
    {
        json.name("latencies").array();
        for (final Latency latency : latencies)
        {
            json.object()
                .name("stream").value(latency.stream())
                .name("session").value(latency.session())
                .name("from").value(latency.from())
                .name("to").value(latency.to())
                .name("buckets").array();
            for (final long count : latency.buckets().counts())
            {
                json.value(count);
            }
            json.end().end();
        }
        json.end();
    }

    private static void add(final Json json, final Stream stream, final ClientNames clients)
    {
        json.object()
            .name("ring").value(String.format("%x", stream.key().ringId()))
            .name("channel").value(stream.channel())
            .name("stream").value(stream.key().streamId())
            .name("session").value(stream.key().sessionId())
            .name("image").value(stream.isImage())
            .name("position").value(stream.position())
            .name("heldMillis").value(stream.isHeld() ? stream.heldMillis() : 0)
            .name("heldNanos").value(stream.heldNanos())
            .name("subscribers").array();
        for (final Local local : stream.locals())
        {
            json.object()
                .name("client").value(clients.of(local.key().clientId()))
                .name("lag").value(stream.lag(local.position()))
                .name("holds").value(stream.isHeldAt(local.position()))
                .end();
        }
        json.end().name("remotes").array();
        stream.remotes().forEach(remote -> add(json, stream, remote));
        json.end().end();
    }

    private static void add(final Json json, final Stream stream, final Remote remote)
    {
        final long consumed = remote.get(RemoteStatistic.CONSUMED);
        json.object()
            .name("direction").value(remote.direction())
            .name("host").value(remote.host())
            .name("lagNow").value(stream.lag(consumed))
            .name("holds").value(remote.isSubscriber() && stream.isHeldAt(consumed))
            .name("waitsFor").value(remote.holder() == null ? "" : remote.holder())
            .name("waitsMillis").value(remote.holder() == null ? 0 : remote.heldMillis());
        remote.values().forEach((statistic, value) ->
            json.name(statistic.name().toLowerCase(Locale.ROOT)).value(value));
        json.end();
    }
}

package io.gannet.monitor.top;

import io.gannet.counters.CounterTypes;
import io.gannet.counters.RemoteStatistic;
import io.gannet.monitor.AgentView;
import io.gannet.monitor.ClientNames;
import io.gannet.monitor.CounterValue;
import io.gannet.monitor.Observation;
import io.gannet.monitor.StreamsView;
import io.gannet.monitor.StreamsView.Local;
import io.gannet.monitor.StreamsView.Remote;
import io.gannet.monitor.StreamsView.Stream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is shown of a driver: the last look, and rates from those before. Not thread-safe.
 */
final class TopModel
{
    static final int POINTS = 16;
    private static final String STREAM = "stream ";

    private final ClientNames clients;
    private final Rates rates = new Rates(POINTS);
    private final Map<String, Double> rateOf = new HashMap<>();
    private final Map<String, long[]> recent = new HashMap<>();
    private Observation seen;
    private List<StreamRow> streams = List.of();
    private List<AgentView> agents = List.of();
    private List<Device> devices = List.of();

    /**
     * What a NIC counts, by the counters' labels.
     *
     * @param name   of the device.
     * @param values by what is counted.
     */
    record Device(String name, Map<String, Long> values)
    {
        long sum(final String start)
        {
            return values.entrySet().stream().filter(entry -> entry.getKey().startsWith(start))
                .mapToLong(Map.Entry::getValue).sum();
        }
    }

    TopModel(final ClientNames clients)
    {
        this.clients = clients;
    }

    /** Takes another look in. */
    void update(final Observation now)
    {
        if (seen != null && now.nanos() == seen.nanos())
        {
            return;
        }
        if (seen == null || epoch(now) != epoch(seen))
        {
            rates.clear();
            agents = List.of();
        }
        seen = now;
        rates.start(now.nanos());
        rateOf.clear();
        final List<AgentView> agentsBefore = agents;
        agents = AgentView.of(now.counters());
        recent.clear();
        agents.forEach(agent -> recent.put(agent.name(), agent.bucketsSince(agentsBefore)));
        agents.forEach(agent -> rate("agent " + agent.name(), agent.cycles()));
        final Map<String, Device> found = new LinkedHashMap<>();
        for (final CounterValue counter : now.counters())
        {
            if (counter.typeId() == CounterTypes.DEVICE)
            {
                found.computeIfAbsent(counter.owner(), name -> new Device(name, new LinkedHashMap<>()))
                    .values().put(counter.what(), counter.value());
                rate(counter.label(), counter.value());
            }
        }
        devices = List.copyOf(found.values());
        streams = new StreamsView(now.counters()).streams().stream().map(this::row).toList();
    }

    private static long epoch(final Observation of)
    {
        return of.driver() == null ? 0 : of.driver().epoch();
    }

    private double rate(final String name, final long sum)
    {
        final double rate = rates.add(name, sum);
        rateOf.put(name, rate);
        return rate;
    }

    private StreamRow row(final Stream stream)
    {
        final String key = Long.toHexString(stream.key().ringId());
        final List<StreamRow.Reader> readers = new ArrayList<>();
        for (final Local local : stream.locals())
        {
            readers.add(new StreamRow.Reader(clients.of(local.key().clientId()), stream.lag(local.position()),
                stream.isHeldAt(local.position()), ""));
        }
        stream.remotes().forEach(remote -> readers.add(reader(stream, remote)));
        readers.sort(Comparator.comparingLong((StreamRow.Reader reader) -> -reader.lag()));
        return new StreamRow(key, stream.channel(), stream.key().streamId(), stream.key().sessionId(),
            stream.isImage(), rate(STREAM + key, stream.position()), readers.isEmpty() ? 0 : readers.getFirst().lag(),
            stream.isHeld() ? stream.heldMillis() : 0, readers);
    }

    private StreamRow.Reader reader(final Stream stream, final Remote remote)
    {
        final long consumed = remote.get(RemoteStatistic.CONSUMED);
        final double messages = rate(
            stream.key().ringId() + " " + remote.direction() + remote.host(), remote.get(RemoteStatistic.MESSAGES));
        final String waits = remote.holder() == null ? "" :
            "waits for " + remote.holder() + " " + remote.heldMillis() + "ms ";
        return new StreamRow.Reader(remote.direction() + " " + remote.host(), stream.lag(consumed),
            remote.isSubscriber() && stream.isHeldAt(consumed),
            waits + (remote.isSubscriber() ? Numbers.count(messages) + " msg/s" : "") +
                (remote.get(RemoteStatistic.RECONNECTS) > 0 ?
                    " " + remote.get(RemoteStatistic.RECONNECTS) + " reconnects" : ""));
    }

    Observation seen()
    {
        return seen;
    }

    List<StreamRow> streams()
    {
        return streams;
    }

    List<AgentView> agents()
    {
        return agents;
    }

    List<Device> devices()
    {
        return devices;
    }

    /** Duty cycles per second. */
    double cycles(final AgentView agent)
    {
        return rateOf.getOrDefault("agent " + agent.name(), Double.NaN);
    }

    /** Limit of the bucket below which a share of the duty cycles since the last look was; 0 if there were none. */
    long cycleNanos(final AgentView agent, final double share)
    {
        final long[] buckets = recent.getOrDefault(agent.name(), new long[0]);
        long all = 0;
        for (final long count : buckets)
        {
            all += count;
        }
        long sum = 0;
        for (int i = 0; i < buckets.length && all > 0; i++)
        {
            sum += buckets[i];
            if (sum >= share * all)
            {
                return AgentView.limits()[i];
            }
        }
        return 0;
    }

    /** Per second, of what a device counts. */
    double rate(final Device device, final String what)
    {
        return rateOf.getOrDefault(device.name() + ": " + what, Double.NaN);
    }

    String bars(final StreamRow stream, final boolean ascii)
    {
        return rates.bars(STREAM + stream.key(), ascii);
    }

    String bars(final AgentView agent, final boolean ascii)
    {
        return rates.bars("agent " + agent.name(), ascii);
    }

    /** A counter of the whole driver, by its label; 0 if it has none. */
    long system(final String label)
    {
        for (final CounterValue counter : seen.counters())
        {
            if (counter.typeId() == CounterTypes.SYSTEM && counter.label().equals(label))
            {
                return counter.value();
            }
        }
        return 0;
    }
}

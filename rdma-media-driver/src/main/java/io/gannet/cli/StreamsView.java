package io.gannet.cli;

import io.gannet.driver.RemoteStatistic;
import io.gannet.driver.StreamKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * The streams of a driver, as the counters of its control file show them.
 */
final class StreamsView
{
    private static final String LABEL_START = "^(publication|received) position: ";
    private static final String LABEL_END = ", stream .*";

    private final Map<Long, Stream> streams = new TreeMap<>();

    /**
     * A subscriber of this host.
     *
     * @param key      of its counter.
     * @param position that it has consumed.
     */
    record Local(StreamKey key, long position)
    {
    }

    /**
     * Another host that a stream goes to, or comes from.
     *
     * @param direction {@code to} or {@code from}.
     * @param host      its address.
     * @param values    what is counted.
     */
    record Remote(String direction, String host, Map<RemoteStatistic, Long> values)
    {
        private static final String[] HOLDS = {"nothing", "subscriber", "credits", "device", "connection"};

        long get(final RemoteStatistic statistic)
        {
            return values.getOrDefault(statistic, 0L);
        }

        boolean isSubscriber()
        {
            return "to".equals(direction);
        }

        /** What the sender waits for, in a word; null if it does not wait. */
        String holder()
        {
            final int hold = Math.clamp(get(RemoteStatistic.HOLD), 0, HOLDS.length - 1);
            return hold == 0 ? null : HOLDS[hold];
        }

        long heldMillis()
        {
            return millisSince(get(RemoteStatistic.HELD_SINCE));
        }
    }

    /** One ring. */
    static final class Stream
    {
        private final List<Local> locals = new ArrayList<>();
        private final Map<String, Remote> remotes = new TreeMap<>();
        private StreamKey key;
        private String channel = "?";
        private long position;
        private long heldSince;

        StreamKey key()
        {
            return key;
        }

        String channel()
        {
            return channel;
        }

        /** How far its publishers are, or how far an image was received. */
        long position()
        {
            return position;
        }

        /** Subscribers of this host, the slowest first. */
        List<Local> locals()
        {
            return locals;
        }

        Collection<Remote> remotes()
        {
            return remotes.values();
        }

        long lag(final long consumed)
        {
            return Math.max(0, position - consumed);
        }

        /** Whether a full ring makes the publishers wait for its slowest subscriber. */
        boolean isHeld()
        {
            return heldSince != 0;
        }

        long heldMillis()
        {
            return millisSince(heldSince);
        }

        /** Whether publishers wait for the subscriber that is there. */
        boolean isHeldAt(final long consumed)
        {
            return isHeld() && consumed == slowest();
        }

        private long slowest()
        {
            final long local = locals.isEmpty() ? Long.MAX_VALUE : locals.getFirst().position();
            return remotes.values().stream().filter(Remote::isSubscriber)
                .mapToLong(remote -> remote.get(RemoteStatistic.CONSUMED)).reduce(local, Math::min);
        }
    }

    StreamsView(final CountersReader counters)
    {
        counters.forEach((id, typeId, key, label) -> add(counters.getCounterValue(id), typeId, key, label));
        // A counter that comes or goes just now.
        streams.values().removeIf(stream -> stream.key == null);
        streams.values().forEach(stream -> stream.locals.sort(Comparator.comparingLong(Local::position)));
    }

    Collection<Stream> streams()
    {
        return streams.values();
    }

    private void add(final long value, final int typeId, final DirectBuffer keyBuffer, final String label)
    {
        final RemoteStatistic statistic = RemoteStatistic.of(typeId);
        if (statistic != null)
        {
            remote(stream(StreamKey.read(keyBuffer)), label).values.put(statistic, value);
        }
        else if (typeId == StreamKey.SUBSCRIBER_POSITION)
        {
            final StreamKey key = StreamKey.read(keyBuffer);
            stream(key).locals.add(new Local(key, value));
        }
        else if (typeId == StreamKey.PUBLICATION_HELD_SINCE)
        {
            stream(StreamKey.read(keyBuffer)).heldSince = value;
        }
        else if (typeId == StreamKey.PUBLICATION_POSITION)
        {
            final StreamKey key = StreamKey.read(keyBuffer);
            final Stream stream = stream(key);
            stream.key = key;
            stream.position = value;
            stream.channel = label.replaceFirst(LABEL_START, "").replaceFirst(LABEL_END, "");
        }
    }

    private Stream stream(final StreamKey key)
    {
        return streams.computeIfAbsent(key.ringId(), ringId -> new Stream());
    }

    /** The label starts with {@code to host:port: } or {@code from host:port: }. */
    private static Remote remote(final Stream stream, final String label)
    {
        final int end = label.indexOf(": ");
        final String start = end < 0 ? label : label.substring(0, end);
        final int space = start.indexOf(' ');
        return stream.remotes.computeIfAbsent(start, host -> new Remote(
            host.substring(0, Math.max(0, space)), host.substring(space + 1), new EnumMap<>(RemoteStatistic.class)));
    }

    /** Of the monotonic clock, which all processes of a host share. */
    private static long millisSince(final long nanos)
    {
        return Math.max(0, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos));
    }
}

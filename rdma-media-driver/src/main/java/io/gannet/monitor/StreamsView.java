package io.gannet.monitor;

import io.gannet.counters.RemoteStatistic;
import io.gannet.counters.StreamKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The streams of a driver, as the counters of its control file show them.
 */
public final class StreamsView
{
    private static final String LABEL_START = "^(publication|received) position: ";
    private static final String IMAGE_START = "received position: ";
    private static final String LABEL_END = ", stream .*";

    private final Map<Long, Stream> streams = new TreeMap<>();

    /**
     * A subscriber of this host.
     *
     * @param key      of its counter.
     * @param position that it has consumed.
     */
    public record Local(StreamKey key, long position)
    {
    }

    /**
     * Another host that a stream goes to, or comes from.
     *
     * @param direction {@code to} or {@code from}.
     * @param host      its address.
     * @param values    what is counted.
     */
    public record Remote(String direction, String host, Map<RemoteStatistic, Long> values)
    {
        private static final String[] HOLDS = {"nothing", "subscriber", "credits", "device", "connection"};

        public long get(final RemoteStatistic statistic)
        {
            return values.getOrDefault(statistic, 0L);
        }

        public boolean isSubscriber()
        {
            return "to".equals(direction);
        }

        /** What the sender waits for, in a word; null if it does not wait. */
        public String holder()
        {
            final int hold = Math.clamp(get(RemoteStatistic.HOLD), 0, HOLDS.length - 1);
            return hold == 0 ? null : HOLDS[hold];
        }

        public long heldMillis()
        {
            return millisSince(get(RemoteStatistic.HELD_SINCE));
        }
    }

    /** One ring. */
    public static final class Stream
    {
        private final List<Local> locals = new ArrayList<>();
        private final Map<String, Remote> remotes = new TreeMap<>();
        private StreamKey key;
        private String channel = "?";
        private long position;
        private long heldSince;
        private long heldNanos;
        private boolean isImage;

        /** Its publishers' key: gate -1, client 0. */
        public StreamKey key()
        {
            return key;
        }

        public String channel()
        {
            return channel;
        }

        /** Whether it comes from another host. */
        public boolean isImage()
        {
            return isImage;
        }

        /** How far its publishers are, or how far an image was received. */
        public long position()
        {
            return position;
        }

        /** Subscribers of this host, the slowest first. */
        public List<Local> locals()
        {
            return locals;
        }

        public Collection<Remote> remotes()
        {
            return remotes.values();
        }

        public long lag(final long consumed)
        {
            return Math.max(0, position - consumed);
        }

        /** Whether a full ring makes the publishers wait for its slowest subscriber. */
        public boolean isHeld()
        {
            return heldSince != 0;
        }

        public long heldMillis()
        {
            return millisSince(heldSince);
        }

        /** How long publishers have found the ring full all in all, in nanoseconds, from look to look. */
        public long heldNanos()
        {
            return heldNanos;
        }

        /** Whether publishers wait for the subscriber that is there. */
        public boolean isHeldAt(final long consumed)
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

    /** Of the counters of a look. */
    public StreamsView(final List<CounterValue> counters)
    {
        counters.forEach(this::add);
        // A counter that comes or goes just now.
        streams.values().removeIf(stream -> stream.key == null);
        streams.values().forEach(stream -> stream.locals.sort(Comparator.comparingLong(Local::position)));
    }

    public Collection<Stream> streams()
    {
        return streams.values();
    }

    /** Whether a counter is one of those that are read here. */
    public static boolean isOfStream(final int typeId)
    {
        return RemoteStatistic.of(typeId) != null || typeId == StreamKey.SUBSCRIBER_POSITION ||
            typeId == StreamKey.PUBLICATION_HELD_SINCE || typeId == StreamKey.PUBLICATION_HELD_NANOS ||
            typeId == StreamKey.PUBLICATION_POSITION;
    }

    private void add(final CounterValue counter)
    {
        if (!isOfStream(counter.typeId()))
        {
            return;
        }
        final RemoteStatistic statistic = RemoteStatistic.of(counter.typeId());
        final StreamKey key = StreamKey.read(counter.key());
        final Stream stream = stream(key);
        if (statistic != null)
        {
            remote(stream, counter.label()).values.put(statistic, counter.value());
        }
        else if (counter.typeId() == StreamKey.SUBSCRIBER_POSITION)
        {
            stream.locals.add(new Local(key, counter.value()));
        }
        else if (counter.typeId() == StreamKey.PUBLICATION_HELD_SINCE)
        {
            stream.heldSince = counter.value();
        }
        else if (counter.typeId() == StreamKey.PUBLICATION_HELD_NANOS)
        {
            stream.heldNanos = counter.value();
        }
        else
        {
            stream.key = key;
            stream.position = counter.value();
            stream.isImage = counter.label().startsWith(IMAGE_START);
            stream.channel = counter.label().replaceFirst(LABEL_START, "").replaceFirst(LABEL_END, "");
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

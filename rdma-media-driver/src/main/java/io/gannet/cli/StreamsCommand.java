package io.gannet.cli;

import io.gannet.control.ClientFile;
import io.gannet.control.ControlException;
import io.gannet.control.GannetDirectory;
import io.gannet.control.PrintableText;
import io.gannet.driver.RemoteStatistic;
import io.gannet.driver.StreamKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Locale;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.status.CountersReader;
import picocli.CommandLine.Command;

/**
 * {@code gannet streams}: who publishes what, and how far each subscriber is.
 */
@Command(name = "streams", description =
    "Prints the streams of a driver: positions of publishers, and how far behind each subscriber is. An exclusive " +
    "publication tells its position each 16 KiB. Of a dead driver: what it saw last; its streams may go on.")
public final class StreamsCommand extends InspectCommand
{
    /** Silence of a client that is worth a word; clients beat every 100 ms or so. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_CHANNEL = 400;
    private static final String[] HOLDS = {"", "subscriber", "receives", "device", "connection"};
    private static final String POSITION_LABEL = "^(publication|received) position: ";

    /**
     * One subscriber of a stream.
     *
     * @param key      of its counter.
     * @param position sampled.
     */
    private record Image(StreamKey key, long position)
    {
    }

    /** One ring. */
    private static final class Stream
    {
        private final List<Image> images = new ArrayList<>();
        /** What is counted of other hosts, by {@code to host:port} or {@code from host:port}. */
        private final Map<String, Map<RemoteStatistic, Long>> remote = new TreeMap<>();
        private StreamKey key;
        private String channel = "?";
        private long position;
    }

    @Override
    String text(final GannetDirectory where, final DirectoryView view)
    {
        final StringBuilder text = new StringBuilder(heading(where, view));
        final Map<Long, Stream> streams = streams(view.control().countersReader());
        for (final Stream stream : streams.values())
        {
            text.append(String.format("%s  stream %d  session %d  position %,d%n",
                PrintableText.of(stream.channel, MAX_CHANNEL),
                stream.key.streamId(), stream.key.sessionId(), stream.position));
            for (final Image image : stream.images)
            {
                text.append(String.format("    %s at %,d, %,d bytes behind%n", client(where, image.key.clientId()),
                    image.position, Math.max(0, stream.position - image.position)));
            }
            stream.remote.forEach((host, values) -> text.append(remote(stream, host, values)));
            text.append(stream.images.isEmpty() && stream.remote.isEmpty() ? "    no subscriber\n" : "");
        }
        return text.append(streams.isEmpty() ? "no streams\n" : "").toString();
    }

    @Override
    StringBuilder json(final GannetDirectory where, final DirectoryView view)
    {
        final Json json = header(where, view).name("streams").array();
        for (final Stream stream : streams(view.control().countersReader()).values())
        {
            json.object()
                .name("ringId").value(String.format("%016x", stream.key.ringId()))
                .name("channel").value(stream.channel)
                .name("streamId").value(stream.key.streamId())
                .name("sessionId").value(stream.key.sessionId())
                .name("position").value(stream.position)
                .name("subscribers").array();
            for (final Image image : stream.images)
            {
                json.object()
                    .name("client").value(client(where, image.key.clientId()))
                    .name("clientId").value(String.format("%016x", image.key.clientId()))
                    .name("position").value(image.position)
                    .name("lag").value(Math.max(0, stream.position - image.position))
                    .end();
            }
            json.end().name("remote").array();
            stream.remote.forEach((host, values) ->
            {
                json.object().name("host").value(host);
                values.forEach((statistic, value) ->
                    json.name(statistic.name().toLowerCase(Locale.ROOT)).value(value));
                json.end();
            });
            json.end().end();
        }
        return json.end().end().text();
    }

    /** One line of what goes to, or comes from, another host. */
    private static String remote(
        final Stream stream, final String host, final Map<RemoteStatistic, Long> values)
    {
        final long consumed = values.getOrDefault(RemoteStatistic.CONSUMED, 0L);
        final long requests = Math.max(1, values.getOrDefault(RemoteStatistic.REQUESTS, 0L));
        final long hold = values.getOrDefault(RemoteStatistic.HOLD, 0L);
        final long heldMillis = TimeUnit.NANOSECONDS.toMillis(
            System.nanoTime() - values.getOrDefault(RemoteStatistic.HELD_SINCE, 0L));
        return String.format("    %s at %,d, %,d bytes behind; %,d messages, %,d bytes; %,d work requests in " +
            "%,d posts, " +
            "%d %% inline, %d %% signaled, %,d outstanding; %,d credits, %d receiver not ready, %d reconnects%s%n",
            host, consumed, Math.max(0, stream.position - consumed),
            values.getOrDefault(RemoteStatistic.MESSAGES, 0L), values.getOrDefault(RemoteStatistic.BYTES, 0L),
            values.getOrDefault(RemoteStatistic.REQUESTS, 0L), values.getOrDefault(RemoteStatistic.POSTS, 0L),
            100 * values.getOrDefault(RemoteStatistic.INLINE, 0L) / requests,
            100 * values.getOrDefault(RemoteStatistic.SIGNALED, 0L) / requests,
            values.getOrDefault(RemoteStatistic.OUTSTANDING, 0L), values.getOrDefault(RemoteStatistic.CREDITS, 0L),
            values.getOrDefault(RemoteStatistic.RNR, 0L), values.getOrDefault(RemoteStatistic.RECONNECTS, 0L),
            hold == 0 || !host.startsWith("to ") ? "" :
                "; held back by its " + HOLDS[(int) Math.min(hold, HOLDS.length - 1)] + " for " + heldMillis + " ms");
    }

    private static Map<Long, Stream> streams(final CountersReader counters)
    {
        final Map<Long, Stream> streams = new TreeMap<>();
        counters.forEach((id, typeId, keyBuffer, label) ->
        {
            final RemoteStatistic statistic = RemoteStatistic.of(typeId);
            if (statistic != null)
            {
                final int end = label.indexOf(": ");
                streams.computeIfAbsent(StreamKey.read(keyBuffer).ringId(), ringId -> new Stream()).remote
                    .computeIfAbsent(end < 0 ? label : label.substring(0, end), host -> new EnumMap<>(
                        RemoteStatistic.class)).put(statistic, counters.getCounterValue(id));
            }
            else if (typeId == StreamKey.PUBLICATION_POSITION || typeId == StreamKey.SUBSCRIBER_POSITION)
            {
                final StreamKey key = StreamKey.read(keyBuffer);
                final Stream stream = streams.computeIfAbsent(key.ringId(), ringId -> new Stream());
                if (typeId == StreamKey.PUBLICATION_POSITION)
                {
                    stream.key = key;
                    stream.position = counters.getCounterValue(id);
                    stream.channel = label.replaceFirst(POSITION_LABEL, "").replaceFirst(", stream .*", "");
                }
                else
                {
                    stream.images.add(new Image(key, counters.getCounterValue(id)));
                }
            }
        });
        streams.values().removeIf(stream -> stream.key == null);
        streams.values().forEach(stream -> stream.images.sort(Comparator.comparingLong(Image::position)));
        return streams;
    }

    /** Name, process and state of a client, as far as its file tells. */
    private static String client(final GannetDirectory where, final long clientId)
    {
        try (ClientFile file = ClientFile.attach(where, clientId))
        {
            final String name = file.name() + " (pid " + file.pid() + ")";
            final long silence = System.nanoTime() - file.heartbeat();
            if (!file.isAlive())
            {
                return name + ", dead,";
            }
            return silence < SILENCE_NANOS ? name :
                name + ", silent since " + TimeUnit.NANOSECONDS.toMillis(silence) + " ms,";
        }
        catch (final ControlException e)
        {
            return "client " + String.format("%016x", clientId);
        }
    }
}

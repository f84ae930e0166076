package io.gannet.cli;

import io.gannet.control.ClientFile;
import io.gannet.control.ControlException;
import io.gannet.control.GannetDirectory;
import io.gannet.control.PrintableText;
import io.gannet.counters.RemoteStatistic;
import io.gannet.monitor.CounterScan;
import io.gannet.monitor.StreamsView;
import io.gannet.monitor.StreamsView.Local;
import io.gannet.monitor.StreamsView.Remote;
import io.gannet.monitor.StreamsView.Stream;
import io.gannet.text.Json;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;

/**
 * {@code gannet streams}: who publishes what, and how far each subscriber is.
 */
@Command(name = "streams", description =
    "Prints the streams of a driver: positions of publishers, how far behind each subscriber is, and who makes " +
    "publishers wait. The driver looks each 100 ms or so. Of a dead driver: what it saw last; its streams may go on.")
public final class StreamsCommand extends InspectCommand
{
    /** Silence of a client that is worth a word; clients beat every 100 ms or so. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_CHANNEL = 400;

    @Override
    String text(final GannetDirectory where, final DirectoryView view)
    {
        final StringBuilder text = new StringBuilder(heading(where, view));
        final StreamsView streams = new StreamsView(CounterScan.of(view.control().countersReader()));
        for (final Stream stream : streams.streams())
        {
            text.append(String.format("%s  stream %d  session %d  position %,d%n",
                PrintableText.of(stream.channel(), MAX_CHANNEL),
                stream.key().streamId(), stream.key().sessionId(), stream.position()));
            for (final Local local : stream.locals())
            {
                text.append(String.format("    %s at %,d, %,d bytes behind%s%n",
                    client(where, local.key().clientId()), local.position(), stream.lag(local.position()),
                    held(stream, local.position())));
            }
            stream.remotes().forEach(remote -> text.append(remote(stream, remote)));
            text.append(stream.locals().isEmpty() && stream.remotes().isEmpty() ? "    no subscriber\n" : "");
        }
        return text.append(streams.streams().isEmpty() ? "no streams\n" : "").toString();
    }

    private static String held(final Stream stream, final long position)
    {
        return stream.isHeldAt(position) ?
            ", and makes publishers wait for " + stream.heldMillis() + " ms now" : "";
    }

    /** What goes to, or comes from, another host: how far it is, and below it what that took. */
    private static String remote(final Stream stream, final Remote remote)
    {
        final long consumed = remote.get(RemoteStatistic.CONSUMED);
        final long requests = remote.get(RemoteStatistic.REQUESTS);
        final String waits = remote.holder() == null ? "" : String.format(
            remote.isSubscriber() ? "; the sender has waited for its %s for %d ms" : "; no %s for %d ms",
            remote.holder(), remote.heldMillis());
        return String.format("    %s %s at %,d, %,d bytes behind%s%s%n",
            remote.direction(), remote.host(), consumed, stream.lag(consumed),
            remote.isSubscriber() ? held(stream, consumed) : "", waits) +
            String.format("        %s %,d bytes; %,d work requests in %,d posts, %d %% inline, " +
                "%d %% signaled, %,d outstanding%n",
            // A receiver does not count messages, as it does not look at frames.
            remote.isSubscriber() ?
                String.format("sent %,d messages,", remote.get(RemoteStatistic.MESSAGES)) : "received",
            remote.get(RemoteStatistic.BYTES), requests, remote.get(RemoteStatistic.POSTS),
            percent(remote.get(RemoteStatistic.INLINE), requests),
            percent(remote.get(RemoteStatistic.SIGNALED), requests),
            remote.get(RemoteStatistic.OUTSTANDING)) +
            String.format("        %,d credits, %,d receiver not ready, %,d reconnects, %,d ignored feedback; " +
                "%,d completion queue polls, %,d empty%n",
            remote.get(RemoteStatistic.CREDITS), remote.get(RemoteStatistic.RNR),
            remote.get(RemoteStatistic.RECONNECTS), remote.get(RemoteStatistic.IGNORED),
            remote.get(RemoteStatistic.POLLS), remote.get(RemoteStatistic.EMPTY_POLLS));
    }

    private static long percent(final long part, final long all)
    {
        return all == 0 ? 0 : 100 * part / all;
    }

    @Override
    StringBuilder json(final GannetDirectory where, final DirectoryView view)
    {
        final Json json = header(where, view).name("streams").array();
        for (final Stream stream : new StreamsView(CounterScan.of(view.control().countersReader())).streams())
        {
            json.object()
                .name("ringId").value(String.format("%016x", stream.key().ringId()))
                .name("channel").value(stream.channel())
                .name("streamId").value(stream.key().streamId())
                .name("sessionId").value(stream.key().sessionId())
                .name("position").value(stream.position())
                .name("heldMillis").value(stream.isHeld() ? stream.heldMillis() : 0)
                .name("subscribers").array();
            for (final Local local : stream.locals())
            {
                json.object()
                    .name("client").value(client(where, local.key().clientId()))
                    .name("clientId").value(String.format("%016x", local.key().clientId()))
                    .name("position").value(local.position())
                    .name("lag").value(stream.lag(local.position()))
                    .name("holds").value(stream.isHeldAt(local.position()))
                    .end();
            }
            json.end().name("remote").array();
            stream.remotes().forEach(remote -> addTo(json, stream, remote));
            json.end().end();
        }
        return json.end().end().text();
    }

    private static void addTo(final Json json, final Stream stream, final Remote remote)
    {
        json.object()
            .name("host").value(remote.host())
            .name("direction").value(remote.direction())
            .name("holds").value(
                remote.isSubscriber() && stream.isHeldAt(remote.get(RemoteStatistic.CONSUMED)))
            .name("waitsFor").value(remote.holder() == null ? "nothing" : remote.holder())
            .name("waitsMillis").value(remote.holder() == null ? 0 : remote.heldMillis());
        for (final RemoteStatistic statistic : RemoteStatistic.values())
        {
            if (statistic != RemoteStatistic.HOLD && statistic != RemoteStatistic.HELD_SINCE)
            {
                json.name(name(statistic)).value(remote.get(statistic));
            }
        }
        json.end();
    }

    /** As the other names are written: {@code emptyPolls}. */
    private static String name(final RemoteStatistic statistic)
    {
        final String[] words = statistic.name().toLowerCase(Locale.ROOT).split("_", -1);
        final StringBuilder name = new StringBuilder(words[0]);
        for (int i = 1; i < words.length; i++)
        {
            name.append(Character.toUpperCase(words[i].charAt(0))).append(words[i], 1, words[i].length());
        }
        return name.toString();
    }

    /** Name, process and state of a client, as far as its file tells. */
    private static String client(final GannetDirectory where, final long clientId)
    {
        try (ClientFile file = ClientFile.look(where, clientId))
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

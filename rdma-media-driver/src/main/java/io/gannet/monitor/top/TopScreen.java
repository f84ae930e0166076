package io.gannet.monitor.top;

import io.gannet.monitor.AgentView;
import io.gannet.monitor.Life;
import io.gannet.monitor.Observation;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * Lays out the lines of one screen: head, threads, NIC, streams, and the keys below. Made for 80 columns and 24 lines,
 * uses more, and gets along with less.
 */
final class TopScreen
{
    private static final int MOST_AGENTS = 6;
    private static final int FEWEST_STREAM_LINES = 4;
    /** Of a thread's and a stream's line, without their bars and the channel. */
    private static final int THREAD_COLUMNS = 70;
    private static final int STREAM_COLUMNS = 51;
    /** Columns of a screen that has room for long bars. */
    private static final int WIDE = 100;
    private static final String[] HELP = {
        "q          quit, as Ctrl-C does",
        "s          sort by rate, lag, time held back, stream; r reverses",
        "/          filter by channel, stream, session, client or host; Esc clears",
        "up, down   select a stream; Page Up, Page Down, Home, End",
        "p, space   pause the screen; the driver goes on",
        "",
        "LAG        bytes that the slowest reader has not consumed yet",
        "HELD       how long the ring has been full and its slowest reader stood still",
        "p50, p99   of the duty cycles since the last look, as upper limits of buckets",
        "",
        "any key    back"};

    private final TopModel model;
    private final TopState state;
    private final boolean colours;
    private final boolean ascii;

    /**
     * @param colours whether the terminal is to show styles.
     * @param ascii   whether it shows nothing but ASCII.
     */
    TopScreen(final TopModel model, final TopState state, final boolean colours, final boolean ascii)
    {
        this.model = model;
        this.state = state;
        this.colours = colours;
        this.ascii = ascii;
    }

    /** {@return at most {@code height} lines, with escape sequences for style alone} */
    List<String> lines(final int width, final int height)
    {
        final List<String> lines = new ArrayList<>();
        head(lines, width);
        if (state.isHelpShown())
        {
            for (final String line : HELP)
            {
                lines.add(line(width).add(line).text(Style.PLAIN));
            }
        }
        else
        {
            agents(lines, width, height);
            devices(lines, width);
            streams(lines, width, height - 1);
        }
        final List<String> fitting = new ArrayList<>(lines.subList(0, Math.min(lines.size(), Math.max(0, height - 1))));
        while (fitting.size() < height - 1)
        {
            fitting.add("");
        }
        fitting.add(keys(width));
        return fitting;
    }

    private Line line(final int width)
    {
        return new Line(width, colours);
    }

    private void head(final List<String> lines, final int width)
    {
        final Observation seen = model.seen();
        final Life life = seen.health().life();
        final Line first = line(width).add(Style.BOLD, "gannet top  ")
            .add(life == Life.RUNNING ? Style.GOOD : Style.BAD, life.toString());
        if (seen.driver() != null)
        {
            final long up = Math.max(0, System.currentTimeMillis() - seen.driver().startTimeMillis()) / 1000;
            first.add("  pid " + seen.driver().pid() + (life == Life.RUNNING ? ", up " : ", started ") +
                Numbers.seconds(up) + (life == Life.RUNNING ? "" : " ago") + ", " + seen.driver().version());
        }
        first.add("  " + seen.directory());
        final String time = LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS) + "";
        if (first.columns() + 2 + time.length() <= width)
        {
            first.right(Style.QUIET, time, width - first.columns());
        }
        lines.add(first.text(Style.PLAIN));
        if (seen.counters().isEmpty())
        {
            lines.add(line(width).add(Style.BAD, seen.health().text()).text(Style.PLAIN));
            return;
        }
        final Line second = line(width);
        count(second, "clients", "clients connected", Style.PLAIN);
        count(second, "pubs", "publications", Style.PLAIN);
        count(second, "subs", "subscriptions", Style.PLAIN);
        count(second, "images", "images", Style.PLAIN);
        second.add("rings " + model.system("rings") + " (" +
            Numbers.bytes(model.system("bytes of ring files")) + ")  ");
        count(second, "errors", "errors, see the distinct-error log", Style.BAD);
        trouble(second, "silent", "clients that are alive but silent");
        trouble(second, "died", "clients that died without close");
        trouble(second, "cut off", "images cut off because their subscriber was too slow");
        lines.add(second.text(Style.PLAIN));
    }

    private void count(final Line line, final String name, final String label, final Style style)
    {
        final long value = model.system(label);
        line.add(value > 0 ? style : Style.PLAIN, name + " " + value).add("  ");
    }

    /** What is worth a word only when there is some. */
    private void trouble(final Line line, final String name, final String label)
    {
        if (model.system(label) > 0)
        {
            count(line, name, label, Style.WARN);
        }
    }

    private void agents(final List<String> lines, final int width, final int height)
    {
        final List<AgentView> agents = model.agents();
        final int room = Math.clamp(height - lines.size() - 3 - FEWEST_STREAM_LINES - model.devices().size(),
            0, MOST_AGENTS);
        if (agents.isEmpty() || room == 0)
        {
            return;
        }
        lines.add(line(width).left(Style.PLAIN, "THREAD", 25).right(Style.PLAIN, "CYCLES/S", 9)
            .right(Style.PLAIN, "P50", 9).right(Style.PLAIN, "P99", 9).right(Style.PLAIN, "LONGEST", 9)
            .right(Style.PLAIN, "STALLS", 7).text(Style.INVERSE));
        for (final AgentView agent : agents.subList(0, Math.min(room, agents.size())))
        {
            lines.add(line(width).left(Style.PLAIN, agent.name(), 25)
                .right(Style.PLAIN, Numbers.count(model.cycles(agent)), 9)
                .right(Style.PLAIN, limit(model.cycleNanos(agent, 0.5)), 9)
                .right(Style.PLAIN, limit(model.cycleNanos(agent, 0.99)), 9)
                .right(Style.PLAIN, Numbers.nanos(agent.longestNanos()), 9)
                .right(agent.stalls() > 0 ? Style.WARN : Style.PLAIN, Numbers.count(agent.stalls()), 7)
                .add("  ").add(Style.MARK, last(model.bars(agent, ascii), width - THREAD_COLUMNS)).text(Style.PLAIN));
        }
    }

    private static String last(final String bars, final int columns)
    {
        return bars.substring(Math.clamp(bars.length() - columns, 0, bars.length()));
    }

    private static String limit(final long nanos)
    {
        return nanos == 0 ? "-" : Numbers.nanos(nanos);
    }

    private void devices(final List<String> lines, final int width)
    {
        for (final TopModel.Device device : model.devices())
        {
            final Line line = line(width).add(Style.BOLD, device.name());
            for (final String way : new String[] {"received", "sent"})
            {
                if (device.values().containsKey("packets " + way))
                {
                    line.add(("sent".equals(way) ? "  tx " : "  rx ") +
                        Numbers.bytes(model.rate(device, "bytes of packets " + way)) + "/s " +
                        Numbers.count(model.rate(device, "packets " + way)) + "pps");
                }
            }
            sum(line, device, "dropped", "packets dropped");
            sum(line, device, "resent", "packets sent again");
            sum(line, device, "NAKs", "NAKs");
            sum(line, device, "gave up", "queue pairs given up");
            sum(line, device, "refused", "connections refused");
            lines.add(line.text(Style.PLAIN));
        }
    }

    private static void sum(final Line line, final TopModel.Device device, final String name, final String start)
    {
        final long value = device.sum(start);
        line.add(value > 0 ? Style.WARN : Style.PLAIN, value > 0 || "dropped".equals(name) ? "  " + name + " " +
            Numbers.count(value) : "");
    }

    private void streams(final List<String> lines, final int width, final int height)
    {
        final List<StreamRow> rows = model.streams().stream()
            .filter(row -> row.matches(state.filter().toLowerCase(java.util.Locale.ROOT)))
            .sorted(state.order()).toList();
        // What is left of a wide screen is the channel's.
        final int history = width < WIDE ? 10 : TopModel.POINTS;
        final int channel = Math.max(8, width - STREAM_COLUMNS - history);
        lines.add(line(width).right(Style.PLAIN, "STREAM", 11).right(Style.PLAIN, "SESSION", 12).add("  ")
            .left(Style.PLAIN, "CHANNEL", channel).right(Style.PLAIN, "BYTES/S", 9).right(Style.PLAIN, "LAG", 9)
            .right(Style.PLAIN, "HELD", 7).add(" ").left(Style.PLAIN, "HISTORY", history)
            .text(Style.INVERSE));
        if (rows.isEmpty())
        {
            lines.add(line(width).add(Style.QUIET, model.streams().isEmpty() ? "  no streams" :
                "  none of " + model.streams().size() + " streams has this filter's text").text(Style.PLAIN));
            return;
        }
        final int selected = state.selected(rows.size());
        final List<String> body = new ArrayList<>();
        int selectedStart = 0;
        int selectedEnd = 0;
        for (int i = 0; i < rows.size(); i++)
        {
            if (i == selected)
            {
                selectedStart = body.size();
            }
            stream(body, rows.get(i), width, channel, history, i == selected);
            if (i == selected)
            {
                selectedEnd = body.size();
            }
        }
        final int room = Math.max(1, height - lines.size());
        // All of the selected stream, if there is room, else its start.
        final int first = Math.clamp(Math.min(selectedEnd - room, selectedStart), 0, Math.max(0, body.size() - 1));
        lines.addAll(body.subList(first, Math.min(body.size(), first + room)));
    }

    private void stream(
        final List<String> body,
        final StreamRow row,
        final int width,
        final int channel,
        final int history,
        final boolean selected)
    {
        body.add(line(width).right(Style.PLAIN, Integer.toString(row.streamId()), 11)
            .right(Style.PLAIN, Integer.toString(row.sessionId()), 12).add("  ")
            .left(Style.PLAIN, row.channel(), channel).right(Style.PLAIN, Numbers.bytes(row.rate()), 9)
            .right(Style.PLAIN, Numbers.bytes(row.lag()), 9)
            .right(row.heldMillis() > 0 ? Style.BAD : Style.PLAIN,
                row.heldMillis() > 0 ? Numbers.nanos(row.heldMillis() * 1_000_000) : "-", 7)
            .add(" ")
            .add(Style.MARK, last(model.bars(row, ascii), history)).text(selected ? Style.INVERSE : Style.PLAIN));
        for (final StreamRow.Reader reader : row.readers())
        {
            final Line line = line(width).to(4).left(Style.PLAIN, reader.name(), Math.max(20, width - 45))
                .right(Style.PLAIN, Numbers.bytes(reader.lag()), 9).add(" behind ");
            body.add((reader.holds() ? line.add(Style.BAD, "HOLDS PUBLISHERS ") : line)
                .add(Style.QUIET, reader.note()).text(Style.PLAIN));
        }
        if (row.readers().isEmpty())
        {
            body.add(line(width).to(4).add(Style.QUIET, "no subscriber").text(Style.PLAIN));
        }
    }

    private String keys(final int width)
    {
        final Line line = line(width);
        if (state.isTyping())
        {
            return line.add(Style.BOLD, "filter: ").add(state.filter()).add("_").text(Style.PLAIN);
        }
        line.add("q quit  s sort: " + state.sortText() + "  r reverse  / filter" +
            (state.filter().isEmpty() ? "" : ": " + state.filter()) + "  p pause  h help");
        return (state.isPaused() ? line.add(Style.WARN, "  PAUSED") : line).text(Style.QUIET);
    }
}

package io.gannet.samples.orderflow.demo;

import io.gannet.samples.marketdata.cli.Durations;
import io.gannet.samples.marketdata.cli.Prices;
import io.gannet.samples.marketdata.cli.StatusLine;
import io.gannet.samples.marketdata.demo.Child;
import io.gannet.samples.marketdata.demo.RateMeter;
import io.gannet.samples.marketdata.demo.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the demo shows while it runs: 80 columns, at most 23 lines.
 */
final class OrdersDemoScreen
{
    private static final int WIDTH = 79;
    private static final int TOPS = 4;
    private static final int DEPTH = 5;
    private static final int BAR = 16;

    private final Terminal terminal;
    private final String topCommand;
    private final Child driver;
    private final Child engine;
    private final Child gateway;
    private final Child feed;
    private final Child client;
    private final RateMeter sent = new RateMeter();

    OrdersDemoScreen(
        final Terminal terminal, final String topCommand, final Child driver, final Child engine,
        final Child gateway, final Child feed, final Child client)
    {
        this.terminal = terminal;
        this.topCommand = topCommand;
        this.driver = driver;
        this.engine = engine;
        this.gateway = gateway;
        this.feed = feed;
        this.client = client;
    }

    void update()
    {
        sent.update(client.status().number("sent"), client.statusTime());
    }

    /** One line for a log. */
    String line(final double elapsed)
    {
        final StatusLine status = client.status();
        return String.format(Locale.ROOT, "%4.0f s  sent %,d (%,.0f/s), answered %,d, trades %,d, order to ack p50 " +
            "%s p99 %s", elapsed, status.number("sent"), sent.perSecond(), status.number("answered"),
            status.number("taken"), Durations.text(status.number("ackp50")), Durations.text(status.number("ackp99")));
    }

    List<String> picture(final double elapsed, final double seconds)
    {
        final List<String> lines = new ArrayList<>();
        final String left = " gannet demo orders";
        final String right = seconds > 0 ? String.format(Locale.ROOT, "%.0f of %.0f s", elapsed, seconds) :
            String.format(Locale.ROOT, "%.0f s, Ctrl-C ends", elapsed);
        lines.add(terminal.styled(Terminal.Style.BOLD, left) +
            " ".repeat(Math.max(1, WIDTH - left.length() - right.length())) + right);
        lines.add(terminal.styled(Terminal.Style.DIM, (terminal.isUnicode() ? "\u2500" : "-").repeat(WIDTH)));
        final String arrow = terminal.isUnicode() ? " \u25c0\u2501\u25b6 " : " <=> ";
        lines.add(" clients " + client.pid() + arrow + "gateway " + gateway.pid() + arrow + "engine " +
            engine.pid() + (terminal.isUnicode() ? " \u2501\u25b6 " : " => ") + "feed " + feed.pid());
        lines.add(terminal.styled(Terminal.Style.DIM, " driver " + driver.pid() + ": beside the data path, not in it"));
        lines.add(terminal.styled(Terminal.Style.DIM, ' ' + topCommand));
        counts(lines);
        tops(lines);
        depth(lines);
        return lines;
    }

    private void counts(final List<String> lines)
    {
        final StatusLine status = client.status();
        lines.add(String.format(Locale.ROOT, " requests %,12d  %s %s", status.number("sent"),
            terminal.styled(Terminal.Style.BOLD, String.format(Locale.ROOT, "%,9.0f/s", sent.perSecond())),
            terminal.styled(Terminal.Style.CYAN, sent.graph(terminal.isUnicode()))));
        // Too late: cancels and replacements of what was filled meanwhile.
        final long refused = status.number("refused") + status.number("business");
        lines.add(String.format(Locale.ROOT, " answered %,12d  too late %,d%s  trades %,d  sessions %,d",
            status.number("answered"), status.number("late"),
            refused == 0 ? "" : String.format(Locale.ROOT, "  refused %,d", refused), status.number("taken"),
            gateway.status().number("established")));
        lines.add(String.format(Locale.ROOT, " order to ack  p50 %s  p99 %s  p99.9 %s  max %s",
            Durations.text(status.number("ackp50")), Durations.text(status.number("ackp99")),
            Durations.text(status.number("ackp999")), Durations.text(status.number("ackmax"))));
        lines.add("");
    }

    private void tops(final List<String> lines)
    {
        lines.add(terminal.styled(Terminal.Style.DIM, String.format(Locale.ROOT, " %-14s%9s%12s %s%12s%9s%12s%8s",
            "instrument", "qty", "bid", " ", "offer", "qty", "last", "trades")));
        for (int i = 0; i < TOPS; i++)
        {
            final String[] top = feed.status().text("top" + i).split(",", -1);
            if (top.length == 7)
            {
                lines.add(String.format(Locale.ROOT, " %-14.14s%9s%s %s%s%9s%12s%8s", top[0], top[2],
                    terminal.styled(Terminal.Style.GREEN, String.format(Locale.ROOT, "%12s", price(top[1]))),
                    terminal.isUnicode() ? "\u2502" : "|",
                    terminal.styled(Terminal.Style.RED, String.format(Locale.ROOT, "%12s", price(top[3]))), top[4],
                    price(top[5]), top[6]));
            }
        }
        lines.add("");
    }

    private void depth(final List<String> lines)
    {
        final String[] bids = feed.status().text("bids").split(",", -1);
        final String[] offers = feed.status().text("offers").split(",", -1);
        long most = 1;
        for (int i = 1; i < Math.max(bids.length, offers.length); i += 2)
        {
            most = Math.max(most, Math.max(number(bids, i), number(offers, i)));
        }
        final String symbol = feed.status().text("top0").split(",", -1)[0];
        for (int i = 0; i < DEPTH && 2 * i + 1 < Math.max(bids.length, offers.length); i++)
        {
            lines.add(String.format(Locale.ROOT, " %-8.8s%7s %s %s %s", i == 0 ? symbol : "", text(bids, 2 * i + 1),
                terminal.styled(Terminal.Style.GREEN, bar(number(bids, 2 * i + 1), most, true) +
                String.format(Locale.ROOT, "%11s", price(text(bids, 2 * i)))),
                terminal.styled(Terminal.Style.RED, String.format(Locale.ROOT, "%-11s", price(text(offers, 2 * i))) +
                bar(number(offers, 2 * i + 1), most, false)), text(offers, 2 * i + 1)));
        }
    }

    private String bar(final long quantity, final long most, final boolean toTheLeft)
    {
        final int length = (int) Math.min(BAR, (quantity * BAR + most - 1) / most);
        final String bar = (terminal.isUnicode() ? "\u2588" : "#").repeat(length);
        return toTheLeft ? " ".repeat(BAR - length) + bar : bar + " ".repeat(BAR - length);
    }

    private static String text(final String[] values, final int index)
    {
        return index < values.length ? values[index] : "";
    }

    private static long number(final String[] values, final int index)
    {
        return text(values, index).isEmpty() ? 0 : Long.parseLong(values[index]);
    }

    private static String price(final String nanos)
    {
        return nanos.isEmpty() ? "" : Prices.text(Long.parseLong(nanos));
    }
}

package io.gannet.samples.marketdata.demo;

import io.gannet.samples.marketdata.cli.Durations;
import io.gannet.samples.marketdata.cli.Prices;
import io.gannet.samples.marketdata.cli.StatusLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the demo shows while it runs, from the processes' latest status lines: 80 columns, at most 23 lines.
 */
final class DemoScreen
{
    private static final int WIDTH = 79;
    private static final int TOPS = 6;
    private static final int DEPTH = 5;
    private static final int BAR = 16;

    private final Terminal terminal;
    private final DemoLink link;
    private final Child publisher;
    private final List<Child> subscribers;
    private final RateMeter published = new RateMeter();
    private final List<RateMeter> received = new ArrayList<>();
    private final List<StatusLine> subscriberStatuses = new ArrayList<>();
    private StatusLine publisherStatus = new StatusLine();

    DemoScreen(
        final Terminal terminal, final DemoLink link, final Child publisher, final List<Child> subscribers)
    {
        this.terminal = terminal;
        this.link = link;
        this.publisher = publisher;
        this.subscribers = subscribers;
    }

    /**
     * Takes the latest numbers of the publisher, and those of the subscribers that are no newer: nobody is shown to
     * have received more than was published.
     */
    void update()
    {
        publisherStatus = publisher.status();
        final long at = publisherStatus.number(StatusLine.AT);
        while (subscriberStatuses.size() < subscribers.size())
        {
            subscriberStatuses.add(new StatusLine());
        }
        for (int i = 0; i < subscribers.size(); i++)
        {
            final StatusLine then = subscribers.get(i).statusBy(at);
            // A publisher that reports nothing for long: what was shown stays.
            subscriberStatuses.set(i, then.has(StatusLine.AT) ? then : subscriberStatuses.get(i));
        }
        published.update(publisherStatus.number("messages"), publisher.statusTime());
        while (received.size() < subscribers.size())
        {
            received.add(new RateMeter());
        }
        for (int i = 0; i < subscribers.size(); i++)
        {
            received.get(i).update(subscribers.get(i).status().number("messages"), subscribers.get(i).statusTime());
        }
    }

    /** One line for a log. */
    String line(final double elapsed)
    {
        final StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%4.0f s  published %,d (%,.0f/s)",
            elapsed, publisherStatus.number("messages"), published.perSecond()));
        for (int i = 0; i < subscriberStatuses.size(); i++)
        {
            final StatusLine status = subscriberStatuses.get(i);
            line.append(status.has("state") ? String.format(Locale.ROOT, "  %s: %,d, p50 %s, p99 %s, gaps %d",
                subscribers.get(i).name(), status.number("messages"), duration(status, "p50"),
                duration(status, "p99"), status.number("gaps")) : "  " + subscribers.get(i).name() + ": starting");
        }
        return line.toString();
    }

    /** The whole picture. */
    List<String> picture(final double elapsed, final double seconds)
    {
        final List<String> lines = new ArrayList<>();
        title(lines, elapsed, seconds);
        processes(lines);
        subscribers(lines);
        tops(lines);
        depth(lines);
        return lines;
    }

    private void title(final List<String> lines, final double elapsed, final double seconds)
    {
        final String right = seconds > 0 ? String.format(Locale.ROOT, "%.0f of %.0f s", elapsed, seconds) :
            String.format(Locale.ROOT, "%.0f s, Ctrl-C ends", elapsed);
        final String left = " gannet demo";
        final String subtitle = link.isRoce() ? "  market data over RoCE" : "  market data through shared memory";
        lines.add(terminal.styled(Terminal.Style.BOLD, left) +
            terminal.styled(Terminal.Style.DIM, subtitle) +
            " ".repeat(Math.max(1, WIDTH - left.length() - subtitle.length() - right.length())) + right);
        lines.add(terminal.styled(Terminal.Style.DIM, (terminal.isUnicode() ? "\u2500" : "-").repeat(WIDTH)));
    }

    private void processes(final List<String> lines)
    {
        final String arrow = terminal.isUnicode() ? " \u2501\u25b6 " : " => ";
        final StringBuilder flow = new StringBuilder(" publisher " + publisher.pid() + arrow);
        if (link.isRoce())
        {
            link.drivers().forEach(driver -> flow.append("driver ").append(driver.pid()).append(arrow));
        }
        else
        {
            flow.append("ring").append(arrow);
        }
        for (int i = 0; i < subscribers.size(); i++)
        {
            flow.append(i == 0 ? "" : ", ").append(subscribers.get(i).name()).append(' ')
                .append(subscribers.get(i).pid());
        }
        lines.add(flow.toString());
        lines.add(terminal.styled(Terminal.Style.DIM, link.isRoce() ?
            " RoCE v2 packets, " + link.route() + ", UDP port 4791" :
            " driver " + link.drivers().getFirst().pid() + ": beside the data path, not in it"));
        lines.add(terminal.styled(Terminal.Style.DIM, ' ' + link.topCommand()));
        final StatusLine status = publisherStatus;
        lines.add(String.format(Locale.ROOT, " published %,12d  %s %s  %.1f MB  waited %,dx",
            status.number("messages"),
            terminal.styled(Terminal.Style.BOLD, String.format(Locale.ROOT, "%,9.0f/s", published.perSecond())),
            terminal.styled(Terminal.Style.CYAN, published.graph(terminal.isUnicode())),
            status.number("bytes") / 1e6, status.number("backPressured")));
        lines.add("");
    }

    private void subscribers(final List<String> lines)
    {
        lines.add(terminal.styled(Terminal.Style.DIM, String.format(Locale.ROOT, " %-24s%11s%8s%9s%9s%9s%6s",
            "subscriber", "messages", "p50", "p99", "p99.9", "max", "gaps")));
        for (int i = 0; i < subscriberStatuses.size(); i++)
        {
            final StatusLine status = subscriberStatuses.get(i);
            final String state = status.has("state") ? status.text("state") +
                (status.number("late") > 0 ? ", joined late" : "") : "starting";
            final boolean good = status.number("gaps") == 0 && status.number("faulty") == 0;
            final String name = String.format(Locale.ROOT, "%s  %s", subscribers.get(i).name(), state);
            lines.add(' ' + terminal.styled(good ? Terminal.Style.GREEN : Terminal.Style.RED,
                String.format(Locale.ROOT, "%-24.24s", name)) + String.format(Locale.ROOT, "%,11d", status.number(
                "messages")) + terminal.styled(Terminal.Style.BOLD, String.format(Locale.ROOT, "%8s%9s",
                duration(status, "p50"), duration(status, "p99"))) + String.format(Locale.ROOT, "%9s%9s%6d",
                duration(status, "p999"), duration(status, "max"), status.number("gaps")));
        }
        lines.add("");
    }

    private static String duration(final StatusLine status, final String key)
    {
        return status.number("count") == 0 ? "-" : Durations.text(status.number(key));
    }

    private void tops(final List<String> lines)
    {
        final StatusLine status = subscriberStatuses.getFirst();
        lines.add(terminal.styled(Terminal.Style.DIM, String.format(Locale.ROOT, " %-14s%9s%12s %s%12s%9s%12s%8s",
            "instrument", "qty", "bid", " ", "offer", "qty", "last", "trades")));
        for (int i = 0; i < TOPS; i++)
        {
            final String[] top = status.text("top" + i).split(",", -1);
            if (top.length == 7)
            {
                lines.add(String.format(Locale.ROOT, " %-14.14s%9s%s %s%s%9s%12s%8s", top[0], top[2],
                    terminal.styled(Terminal.Style.GREEN, String.format(Locale.ROOT, "%12s", price(top[1]))),
                    terminal.isUnicode() ? "\u2502" : "|",
                    terminal.styled(Terminal.Style.RED, String.format(Locale.ROOT, "%12s", price(top[3]))),
                    top[4], price(top[5]), top[6]));
            }
        }
        lines.add("");
    }

    private void depth(final List<String> lines)
    {
        final StatusLine status = subscriberStatuses.getFirst();
        final String[] bids = status.text("bids").split(",", -1);
        final String[] offers = status.text("offers").split(",", -1);
        long most = 1;
        for (int i = 1; i < Math.max(bids.length, offers.length); i += 2)
        {
            most = Math.max(most, Math.max(number(bids, i), number(offers, i)));
        }
        final String symbol = status.text("top0").split(",", -1)[0];
        for (int i = 0; i < DEPTH && 2 * i + 1 < Math.max(bids.length, offers.length); i++)
        {
            lines.add(String.format(Locale.ROOT, " %-8.8s%7s %s%s", i == 0 ? symbol : "", text(bids, 2 * i + 1),
                terminal.styled(Terminal.Style.GREEN, bar(number(bids, 2 * i + 1), most, true) +
                    String.format(Locale.ROOT, "%11s", price(text(bids, 2 * i)))) + ' ',
                terminal.styled(Terminal.Style.RED, String.format(Locale.ROOT, "%-11s", price(text(offers, 2 * i))) +
                    bar(number(offers, 2 * i + 1), most, false)) + " " + text(offers, 2 * i + 1)));
        }
    }

    private String bar(final long quantity, final long most, final boolean toTheLeft)
    {
        final int length = (int) Math.min(BAR, (quantity * BAR + most - 1) / most);
        final String bar = (terminal.isUnicode() ? "\u2588" : "#").repeat(length);
        final String rest = " ".repeat(BAR - length);
        return toTheLeft ? rest + bar : bar + rest;
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

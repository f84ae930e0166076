package io.gannet.samples.orderflow.demo;

import io.gannet.samples.marketdata.cli.Durations;
import io.gannet.samples.marketdata.cli.StatusLine;
import io.gannet.samples.marketdata.demo.Child;
import io.gannet.samples.marketdata.demo.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What came out, from the processes' last words: was all answered, do books and trades of all agree.
 */
final class OrdersDemoResult
{
    private final StatusLine engine;
    private final StatusLine gateway;
    private final StatusLine feed;
    private final StatusLine client;
    private final List<String> faults = new ArrayList<>();

    OrdersDemoResult(final Child engine, final Child gateway, final Child feed, final Child client)
    {
        for (final Child child : List.of(engine, gateway, feed, client))
        {
            if (!child.isFinal())
            {
                faults.add(child.ending());
            }
        }
        this.engine = engine.status();
        this.gateway = gateway.status();
        this.feed = feed.status();
        this.client = client.status();
        check();
    }

    private void check()
    {
        final long missing = client.number("sent") - client.number("answered");
        if (missing != 0)
        {
            faults.add(missing + " requests have no answer");
        }
        if (client.number("lost") > 0)
        {
            faults.add(client.number("lost") + " reports were lost");
        }
        if (client.number("bought") != client.number("sold") || client.number("taken") != client.number("made") ||
            client.number("taken") != engine.number("trades"))
        {
            faults.add("bought " + client.number("bought") + ", sold " + client.number("sold") + "; trades taken " +
                client.number("taken") + ", made " + client.number("made") + ", by the engine " +
                engine.number("trades"));
        }
        if (feed.number("complete") == 0)
        {
            faults.add("the feed's subscriber did not see its end");
        }
        else if (!feed.text("digest").equals(engine.text("digest")))
        {
            faults.add("the books of the feed's subscriber differ from the engine's");
        }
        if (feed.number("faulty") > 0)
        {
            faults.add("the feed had " + feed.number("mismatches") + " entries that don't fit");
        }
    }

    boolean isGood()
    {
        return faults.isEmpty();
    }

    private double rate()
    {
        return client.number("millis") == 0 ? 0 : client.number("answered") * 1000.0 / client.number("millis");
    }

    List<String> summary(final Terminal terminal)
    {
        final List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add(String.format(Locale.ROOT, " clients       %,d requests, %,d answered, %,.0f/s, refused %,d",
            client.number("sent"), client.number("answered"), rate(),
            client.number("refused") + client.number("business")));
        if (client.number("late") > 0)
        {
            lines.add(String.format(Locale.ROOT, " too late      %,d cancels and replacements of orders that were " +
                "filled meanwhile", client.number("late")));
        }
        lines.add(" order to ack  " + percentiles("ackTotal"));
        lines.add(" order to trade " + percentiles("tradeTotal"));
        lines.add(String.format(Locale.ROOT, " engine        %,d commands, %,d reports, %,d trades",
            engine.number("commands"), engine.number("reports"), engine.number("trades")));
        if (isGood())
        {
            lines.add(terminal.styled(Terminal.Style.GREEN, String.format(Locale.ROOT,
                " books         equal in engine and feed: %,d orders, digest %s; bought = sold",
                engine.number("orders"), engine.text("digest"))));
            if (feed.number("gaps") > 0)
            {
                lines.add(String.format(Locale.ROOT, " feed          too slow %,d times, and back by snapshot",
                    feed.number("gaps")));
            }
        }
        else
        {
            faults.forEach(fault -> lines.add(terminal.styled(Terminal.Style.RED, " wrong         " + fault)));
        }
        return lines;
    }

    private String percentiles(final String prefix)
    {
        return String.format(Locale.ROOT, "p50 %s, p99 %s, p99.9 %s, p99.99 %s, max %s",
            Durations.text(client.number(prefix + "p50")), Durations.text(client.number(prefix + "p99")),
            Durations.text(client.number(prefix + "p999")), Durations.text(client.number(prefix + "p9999")),
            Durations.text(client.number(prefix + "max")));
    }

    String json()
    {
        return String.format(Locale.ROOT, "{\"transport\": \"ipc\", \"sent\": %d, \"answered\": %d, \"rate\": %.1f, " +
            "\"trades\": %d, \"refused\": %d, \"tooLate\": %d, \"orderToAckP50Nanos\": %d, " +
            "\"orderToAckP99Nanos\": %d, " +
            "\"orderToAckP9999Nanos\": %d, \"orderToTradeP50Nanos\": %d, \"orderToTradeP99Nanos\": %d, " +
            "\"sessions\": %d, \"booksEqual\": %b}%n", client.number("sent"), client.number("answered"), rate(),
            engine.number("trades"), client.number("refused") + client.number("business"),
            client.number("late"), client.number("ackTotalp50"), client.number("ackTotalp99"),
            client.number("ackTotalp9999"),
            client.number("tradeTotalp50"), client.number("tradeTotalp99"), gateway.number("disconnects"), isGood());
    }
}

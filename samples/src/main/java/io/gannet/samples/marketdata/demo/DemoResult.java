package io.gannet.samples.marketdata.demo;

import io.gannet.samples.marketdata.cli.Durations;
import io.gannet.samples.marketdata.cli.StatusLine;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * What came out, from the processes' last words: do the books of all agree, and the numbers of the whole run.
 */
final class DemoResult
{
    private final DemoLink link;
    private final StatusLine published;
    private final List<String> names = new ArrayList<>();
    private final List<StatusLine> received = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private final Histogram latency = new Histogram(3);

    DemoResult(final DemoLink link, final Child publisher, final List<Child> subscribers)
    {
        this.link = link;
        published = publisher.status();
        if (!publisher.isFinal())
        {
            faults.add(publisher.ending());
        }
        if (published.number("inconsistent") > 0)
        {
            faults.add(published.number("inconsistent") + " events of the source did not fit its own book");
        }
        for (final Child subscriber : subscribers)
        {
            final StatusLine status = subscriber.status();
            names.add(subscriber.name());
            received.add(status);
            check(subscriber, status);
            merge(status);
        }
    }

    private void check(final Child subscriber, final StatusLine status)
    {
        if (!subscriber.isFinal())
        {
            faults.add(subscriber.ending());
            return;
        }
        if (status.number("gaps") > 0)
        {
            faults.add(subscriber.name() + " missed " + status.number("missed") + " messages in " +
                status.number("gaps") + " gaps");
        }
        if (status.number("faulty") > 0)
        {
            faults.add(subscriber.name() + " saw " + status.number("malformed") + " malformed messages and " +
                status.number("mismatches") + " entries that don't fit");
        }
        if (cameTooLate(received.size() - 1))
        {
            return;
        }
        if (status.number("complete") == 0)
        {
            faults.add(subscriber.name() + " did not see the end of the feed");
        }
        else if (!status.text("digest").equals(published.text("digest")))
        {
            faults.add("the books of " + subscriber.name() + " differ from the publisher's");
        }
    }

    /** A short file may be over before the late subscriber, who is not the first, has started. */
    private boolean cameTooLate(final int index)
    {
        final StatusLine status = received.get(index);
        return index > 0 && status.number("complete") == 0 && status.number("messages") == 0;
    }

    private void merge(final StatusLine status)
    {
        if (status.has("histogram"))
        {
            try
            {
                final byte[] bytes = Base64.getDecoder().decode(status.text("histogram"));
                latency.add(Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0));
            }
            catch (final DataFormatException | IllegalArgumentException damaged)
            {
                faults.add("a latency histogram can't be read: " + damaged.getMessage());
            }
        }
    }

    boolean isGood()
    {
        return faults.isEmpty();
    }

    private double seconds()
    {
        return published.number("nanos") / 1e9;
    }

    private double rate()
    {
        return published.number("nanos") == 0 ? 0 : published.number("messages") / seconds();
    }

    private long gaps()
    {
        return received.stream().mapToLong(status -> status.number("gaps")).sum();
    }

    List<String> summary(final Terminal terminal)
    {
        final List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add(String.format(Locale.ROOT,
            " published     %,d messages in %.1f s, %,.0f/s, %.1f MB%n               waited for room %,d times, %s",
            published.number("messages"), seconds(), rate(), published.number("bytes") / 1e6,
            published.number("backPressured"), Durations.text(published.number("backPressuredNanos"))));
        for (int i = 0; i < received.size(); i++)
        {
            final StatusLine status = received.get(i);
            lines.add(String.format(Locale.ROOT, " subscriber %s  %,d messages, %,d gaps%s%n" +
                "               latency p50 %s, p99 %s, p99.9 %s, max %s", names.get(i),
                status.number("messages"), status.number("gaps"), joined(i),
                Durations.text(status.number("totalp50")), Durations.text(status.number("totalp99")),
                Durations.text(status.number("totalp999")), Durations.text(status.number("totalmax"))));
        }
        lines.add(terminal.styled(Terminal.Style.DIM,
            "               from intended time to effect on the book, start-up included"));
        if (isGood())
        {
            lines.add(terminal.styled(Terminal.Style.GREEN, String.format(Locale.ROOT,
                " books         equal in all processes: %,d orders, digest %s", published.number("orders"),
                published.text("digest"))));
        }
        else
        {
            faults.forEach(fault -> lines.add(terminal.styled(Terminal.Style.RED, " wrong         " + fault)));
        }
        return lines;
    }

    private String joined(final int index)
    {
        final StatusLine status = received.get(index);
        if (cameTooLate(index))
        {
            return ", came when the feed was over";
        }
        if (status.number("late") == 0)
        {
            return "";
        }
        final long snapshots = status.number("recoveries");
        return ", joined late, books by " + (snapshots == 0 ? "the next loop" : snapshots == 1 ? "1 snapshot" :
            snapshots + " snapshots");
    }

    /** For machines. Latencies are of all subscribers together; rate is that of the publisher. */
    String json()
    {
        final StringBuilder subscribers = new StringBuilder();
        for (int i = 0; i < received.size(); i++)
        {
            final StatusLine status = received.get(i);
            subscribers.append(i == 0 ? "" : ", ").append(String.format(Locale.ROOT,
                "{\"name\": \"%s\", \"messages\": %d, \"gaps\": %d, \"lateJoin\": %b, \"recoveries\": %d, " +
                "\"p50Nanos\": %d, \"p99Nanos\": %d}", names.get(i), status.number("messages"), status.number("gaps"),
                status.number("late") > 0, status.number("recoveries"), status.number("totalp50"),
                status.number("totalp99")));
        }
        return String.format(Locale.ROOT,
            "{\"transport\": \"%s\", \"messages\": %d, \"gaps\": %d, \"rate\": %.1f, \"p50Nanos\": %d, " +
            "\"p99Nanos\": %d, \"p999Nanos\": %d, \"maxNanos\": %d, \"seconds\": %.3f, \"backPressured\": %d, " +
            "\"booksEqual\": %b, \"subscribers\": [%s]}%n",
            link.transport(), published.number("messages"), gaps(), rate(), latency.getValueAtPercentile(50),
            latency.getValueAtPercentile(99), latency.getValueAtPercentile(99.9), latency.getMaxValue(), seconds(),
            published.number("backPressured"), isGood(), subscribers);
    }
}

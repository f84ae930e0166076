package io.gannet.perf.report;

import io.gannet.perf.chart.MarkdownTables;
import io.gannet.perf.orders.OrdersRun;
import io.gannet.perf.rig.Row;
import io.gannet.perf.rig.RunFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What order flow costs, as tables of a document.
 */
public final class OrdersTables
{
    private static final double NANOS_PER_MICRO = 1_000;

    private OrdersTables()
    {
    }

    /** The tables by their names in the document. */
    public static Map<String, String> of(final RunFile file)
    {
        final List<String[]> latencies = new ArrayList<>();
        final List<String[]> hops = new ArrayList<>();
        final List<String[]> rates = new ArrayList<>();
        final List<String[]> processors = new ArrayList<>();
        for (final Row row : file.rows())
        {
            if (row.metric().startsWith("orderTo"))
            {
                latencies.add(micros(row, row.metric()));
            }
            else if (row.metric().startsWith("hop "))
            {
                hops.add(micros(row, row.metric().substring(4)));
            }
            else if (row.metric().startsWith(OrdersRun.CPU) || row.metric().startsWith(OrdersRun.WAIT))
            {
                processors.add(new String[]{row.metric(), number(row.gannet()), number(row.peerValue()), ratio(row)});
            }
            else
            {
                rates.add(new String[]{row.metric(), number(row.gannet()), number(row.peerValue()), ratio(row)});
            }
        }
        final String[] columns = {"Gannet", "Aeron IPC", "ratio"};
        final Map<String, String> tables = new LinkedHashMap<>();
        final List<String[]> run = new ArrayList<>();
        file.machine().forEach((name, value) -> run.add(new String[]{name, value}));
        file.configuration().forEach((name, value) -> run.add(new String[]{name, value}));
        tables.put("orders-run", MarkdownTables.table("run", new String[]{""}, run));
        tables.put("orders-latency", MarkdownTables.table("us, medians of the rounds", columns, latencies));
        tables.put("orders-hops", MarkdownTables.table("us from hop to hop", columns, hops));
        tables.put("orders-rate", MarkdownTables.table("closed loop", columns, rates));
        tables.put("orders-processors", MarkdownTables.table("ns of processor per order; shares", columns, processors));
        return tables;
    }

    private static String[] micros(final Row row, final String name)
    {
        return new String[]{name, spread(row.gannet(), row.gannetLow(), row.gannetHigh()),
            spread(row.peerValue(), row.peerLow(), row.peerHigh()), ratio(row)};
    }

    /** A median with the quartiles around it. */
    private static String spread(final Double median, final Double low, final Double high)
    {
        return median == null ? "-" : low == null || high == null ? micros(median) :
            micros(median) + " (" + micros(low) + " .. " + micros(high) + ")";
    }

    private static String micros(final double nanos)
    {
        return String.format(Locale.ROOT, "%,.1f", nanos / NANOS_PER_MICRO);
    }

    private static String number(final Double value)
    {
        return value == null ? "-" : String.format(Locale.ROOT, value < 10 ? "%,.2f" : "%,.0f", value);
    }

    private static String ratio(final Row row)
    {
        return row.ratio() == null ? "" : String.format(Locale.ROOT, "%.2f", row.ratio());
    }
}

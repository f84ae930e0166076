package io.gannet.perf.report;

import io.gannet.perf.chart.MarkdownTables;
import io.gannet.perf.rig.Bars;
import io.gannet.perf.rig.Row;
import io.gannet.perf.rig.RunFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Gannet beside Aeron IPC, between two processes, as tables of a document.
 */
public final class IpcTables
{
    /** Of the tables. */
    public static final List<String> NAMES = List.of("ipc-run", "ipc-cells");

    private static final String OTHER = "aeron";
    private static final String PROCESSES = "-2proc";
    private static final double MILLION = 1e6;

    private IpcTables()
    {
    }

    /** The tables by their names in the document. */
    public static Map<String, String> of(final RunFile file)
    {
        final Map<String, String> tables = new LinkedHashMap<>();
        final List<String[]> run = new ArrayList<>();
        file.machine().forEach((name, value) -> run.add(new String[]{name, value}));
        tables.put(NAMES.getFirst(), MarkdownTables.table("run", new String[]{""}, run));
        final List<Bars.Bar> bars = Bars.of(file.rows());
        final List<String[]> cells = new ArrayList<>();
        for (final Row row : file.rows())
        {
            if (row.peer().startsWith(OTHER) && row.bench().endsWith(PROCESSES))
            {
                cells.add(cell(row, bars));
            }
        }
        tables.put(NAMES.getLast(), MarkdownTables.table("benchmark", new String[] {
            "bytes", "placement", "start", "", "Gannet", "Aeron", "ratio", "n", "bar"}, cells));
        return tables;
    }

    private static String[] cell(final Row row, final List<Bars.Bar> bars)
    {
        final boolean rate = row.metric().equals(Row.RATE);
        final String bar = bars.stream().filter(each -> isOf(each, row))
            .map(each -> each.condition() + " " + each.verdict().label()).findFirst().orElse("");
        return new String[] {row.bench().substring(0, row.bench().length() - PROCESSES.length()),
            Integer.toString(row.size()), row.placement(), row.start(),
            rate ? "M/s" : row.metric().replace("Nanos", "") + " ns",
            spread(row.gannet(), row.gannetLow(), row.gannetHigh(), rate),
            spread(row.peerValue(), row.peerLow(), row.peerHigh(), rate),
            row.ratio() == null ? "" : String.format(Locale.ROOT, "%.2f", row.ratio()),
            Integer.toString(row.n()), bar};
    }

    private static boolean isOf(final Bars.Bar bar, final Row row)
    {
        return bar.bench().equals(row.bench()) && bar.size() == row.size() && bar.start().equals(row.start()) &&
            bar.placement().equals(row.placement()) && bar.metric().equals(row.metric()) &&
            bar.peer().equals(row.peer());
    }

    /** A median with the quartiles around it. */
    private static String spread(final Double median, final Double low, final Double high, final boolean rate)
    {
        return median == null ? "not seen" : number(median, rate) +
            (low == null || high == null ? "" : " (" + number(low, rate) + " .. " + number(high, rate) + ")");
    }

    private static String number(final double value, final boolean rate)
    {
        return rate ? String.format(Locale.ROOT, "%.2f", value / MILLION) : String.format(Locale.ROOT, "%,.0f", value);
    }
}

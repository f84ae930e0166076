package io.gannet.perf.jmh;

import io.gannet.perf.chart.Axis;
import io.gannet.perf.chart.MarkdownTables;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * Results as one table: a row for each benchmark, a column for each value of its parameter, and what it allocates.
 */
public final class JmhTable
{
    private static final String ALLOCATED = "gc.alloc.rate.norm";
    private static final int MOST_COLUMNS = 4;

    private JmhTable()
    {
    }

    /** In Markdown. */
    public static String of(final Collection<RunResult> results)
    {
        final Map<String, List<RunResult>> benches = new TreeMap<>();
        for (final RunResult result : results)
        {
            benches.computeIfAbsent(name(result.getParams()), key -> new ArrayList<>()).add(result);
        }
        final List<String[]> rows = new ArrayList<>();
        benches.forEach((name, cells) ->
        {
            final String[] row = new String[MOST_COLUMNS + 2];
            row[0] = name + parameter(cells);
            for (int i = 0; i < MOST_COLUMNS; i++)
            {
                row[i + 1] = i < cells.size() ? time(cells.get(i).getPrimaryResult()) : "";
            }
            row[MOST_COLUMNS + 1] = allocated(cells);
            rows.add(row);
        });
        return MarkdownTables.table("benchmark", new String[] {"ns", "", "", "", "B allocated"}, rows);
    }

    private static String name(final BenchmarkParams params)
    {
        final String[] parts = params.getBenchmark().split("[.]", -1);
        return "`" + parts[parts.length - 2] + "." + parts[parts.length - 1] + "`";
    }

    private static String parameter(final List<RunResult> cells)
    {
        final Set<String> keys = new LinkedHashSet<>(cells.getFirst().getParams().getParamsKeys());
        return keys.isEmpty() ? "" : ", " + keys.stream().map(key -> key + " " + cells.stream()
            .map(cell -> cell.getParams().getParam(key)).collect(Collectors.joining(" / ")))
            .collect(Collectors.joining(", "));
    }

    private static String time(final Result<?> result)
    {
        final double error = result.getScoreError();
        return Axis.trim(result.getScore()) + (Double.isFinite(error) ? " ± " + Axis.trim(error) : "");
    }

    /** The most of all cells; below a thousandth of a byte it is what the harness does once. */
    private static String allocated(final List<RunResult> cells)
    {
        double most = Double.NaN;
        for (final RunResult cell : cells)
        {
            final Result<?> result = cell.getSecondaryResults().get(ALLOCATED);
            if (result != null)
            {
                most = Double.isNaN(most) ? result.getScore() : Math.max(most, result.getScore());
            }
        }
        return Double.isNaN(most) ? "" : Axis.trim(most);
    }
}

package io.gannet.perf.rig;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.HdrHistogram.Histogram;

/**
 * Everything that a run measured.
 */
public final class Results
{
    /** Peer that the others are compared with. */
    public static final String OURS = "gannet";

    private final List<Sample> samples = new ArrayList<>();
    private final Map<Series, Histogram> histograms = new LinkedHashMap<>();

    /**
     * Where samples are comparable.
     */
    public record Cell(String bench, int size, Placement placement, Sample.Start start)
    {
    }

    /**
     * The samples of one peer in one cell.
     */
    public record Series(Cell cell, String peer)
    {
    }

    void add(final Sample sample, final Histogram latencies)
    {
        samples.add(sample);
        if (latencies != null && sample.placement().counts())
        {
            final Series series = new Series(cell(sample), sample.scenario().peer());
            histograms.computeIfAbsent(series, key -> new Histogram(latencies)).add(latencies);
        }
    }

    /** All samples in order of time, those that don't count too. */
    public List<Sample> samples()
    {
        return List.copyOf(samples);
    }

    /** Latencies of all phases of a series together. */
    public Map<Series, Histogram> histograms()
    {
        return Map.copyOf(histograms);
    }

    /** Values of a metric by cell, peer and metric, of phases whose placement is known. */
    private Map<Cell, Map<String, Map<String, List<Double>>>> values()
    {
        final Map<Cell, Map<String, Map<String, List<Double>>>> values = new LinkedHashMap<>();
        for (final Sample sample : samples)
        {
            if (sample.placement().counts())
            {
                final Map<String, List<Double>> metrics = values
                    .computeIfAbsent(cell(sample), key -> new LinkedHashMap<>())
                    .computeIfAbsent(sample.scenario().peer(), key -> new LinkedHashMap<>());
                sample.metrics().forEach(
                    (name, value) -> metrics.computeIfAbsent(name, key -> new ArrayList<>()).add(value));
            }
        }
        return values;
    }

    /** One row for each cell, peer and metric; of a cell that only one side reached, too. */
    public List<Row> rows()
    {
        final List<Row> rows = new ArrayList<>();
        values().forEach((cell, peers) ->
        {
            final Map<String, List<Double>> ours = peers.getOrDefault(OURS, Map.of());
            for (final String peer : new TreeSet<>(peers.keySet()))
            {
                if (!peer.equals(OURS))
                {
                    peers.get(peer).forEach((metric, values) -> rows.add(Row.of(cell, peerName(cell, peer), metric,
                        Summary.of(ours.getOrDefault(metric, List.of())), Summary.of(values))));
                }
            }
            if (peers.size() == 1 && !ours.isEmpty())
            {
                ours.forEach((metric, values) ->
                    rows.add(Row.of(cell, "none", metric, Summary.of(values), Summary.of(List.of()))));
            }
        });
        // Stable, so that the metrics of a cell keep their order.
        rows.sort(Comparator.comparing(Row::bench).reversed().thenComparingInt(Row::size).thenComparing(Row::start)
            .thenComparing(Row::placement).thenComparing(Row::peer));
        return rows;
    }

    private static Cell cell(final Sample sample)
    {
        return new Cell(sample.scenario().bench(), sample.scenario().size(), sample.placement(), sample.start());
    }

    private static String peerName(final Cell cell, final String peer)
    {
        final boolean exclusive = cell.bench().contains("-exclusive-");
        return switch (peer)
        {
            case "aeron" -> exclusive ? "aeron-exclusive" : "aeron-concurrent";
            case "disruptor" -> exclusive ? "disruptor-single" : "disruptor-multi";
            case "agrona" -> exclusive ? "agrona-one-to-one" : "agrona-many-to-one";
            default -> peer;
        };
    }
}

package io.gannet.perf.rig;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What Gannet has to reach beside Aeron, between two processes with an external driver, offers and 16 MiB rings: same
 * run, same start, medians. A bar whose cell has fewer than {@value IpcOptions#FEWEST} phases on a side is not seen.
 */
public final class Bars
{
    private static final String OTHER = "aeron";
    private static final int LARGEST = 1024;

    private Bars()
    {
    }

    /** How a bar came out. */
    public enum Verdict
    {
        /** Met. */
        PASS("pass"),
        /** Not met. */
        FAIL("FAIL"),
        /** Too few phases to say. */
        NOT_SEEN("not seen");

        private final String label;

        Verdict(final String label)
        {
            this.label = label;
        }

        /** Word for tables. */
        public String label()
        {
            return label;
        }
    }

    /**
     * One bar.
     *
     * @param bench     benchmark.
     * @param size      payload bytes.
     * @param placement near, far or any.
     * @param start     even or backlog.
     * @param metric    of the rows.
     * @param peer      compared with.
     * @param atLeast   whether the ratio must be at least the limit; else at most.
     * @param limit     of Gannet's value over the peer's.
     * @param n         phases, of the side that has fewer.
     * @param ratio     measured, null if not seen.
     * @param verdict   the outcome.
     */
    public record Bar(
        String bench,
        int size,
        String placement,
        String start,
        String metric,
        String peer,
        boolean atLeast,
        double limit,
        int n,
        Double ratio,
        Verdict verdict)
    {
        /** The condition, as {@code >= 1.50}. */
        public String condition()
        {
            return String.format(Locale.ROOT, "%s %.2f", atLeast ? ">=" : "<=", limit);
        }
    }

    /**
     * The bars of everything that was run: both placements, those that were not seen too, or one for a cell of more
     * threads than processors.
     */
    public static List<Bar> of(final List<Row> rows)
    {
        final List<Bar> bars = new ArrayList<>();
        for (final Row row : rows)
        {
            final boolean any = row.placement().equals(Placement.ANY.label());
            for (final Placement placement : any ? List.of(Placement.ANY) : List.of(Placement.NEAR, Placement.FAR))
            {
                final Optional<Row> same = rows.stream().filter(other -> isSameCell(row, other) &&
                    other.placement().equals(placement.label())).findFirst();
                // A cell that only one placement reached has a row for it alone; the other is not seen.
                final boolean first = row.placement().equals(placement.label()) || same.isEmpty();
                if (first)
                {
                    bar(same.orElse(null), row, placement).ifPresent(bars::add);
                }
            }
        }
        return bars;
    }

    private static boolean isSameCell(final Row one, final Row other)
    {
        return one.bench().equals(other.bench()) && one.size() == other.size() && one.peer().equals(other.peer()) &&
            one.start().equals(other.start()) && one.metric().equals(other.metric());
    }

    private static Optional<Bar> bar(final Row measured, final Row cell, final Placement placement)
    {
        final double limit = limit(cell, placement);
        if (!cell.peer().startsWith(OTHER) || !cell.bench().endsWith("-2proc") || cell.size() > LARGEST || limit == 0)
        {
            return Optional.empty();
        }
        final boolean atLeast = cell.metric().equals(Row.RATE);
        final Double ratio = measured == null ? null : measured.ratio();
        final Verdict verdict = ratio == null ? Verdict.NOT_SEEN :
            (atLeast ? ratio >= limit : ratio <= limit) ? Verdict.PASS : Verdict.FAIL;
        return Optional.of(new Bar(cell.bench(), cell.size(), placement.label(), cell.start(), cell.metric(),
            cell.peer(), atLeast, limit, measured == null ? 0 : measured.n(), ratio, verdict));
    }

    /** 0 where there is no bar, as for p99, which interruptions make. */
    private static double limit(final Row row, final Placement placement)
    {
        final String bench = row.bench();
        if (row.metric().equals(Row.RATE) && bench.startsWith("throughput-"))
        {
            return throughputLimit(bench.substring("throughput-".length()), row.size(), placement);
        }
        final boolean middle = row.metric().equals("p50Nanos");
        final boolean ninety = row.metric().equals("p90Nanos");
        return (bench.startsWith("pingpong-exclusive-") && middle) ||
            (bench.startsWith("paced-1M-exclusive-") && (middle || ninety)) ? 1.1 : 0;
    }

    private static double throughputLimit(final String shape, final int size, final Placement placement)
    {
        if (shape.startsWith("exclusive-1p1s-"))
        {
            return switch (placement)
            {
                case NEAR -> size < LARGEST ? 2 : 1.3;
                case FAR -> size < LARGEST ? 1.5 : 1;
                // Two threads on one processor: the bar is of two.
                default -> 0;
            };
        }
        if (shape.startsWith("exclusive-1p") || shape.startsWith("concurrent-4p1s-"))
        {
            return 1;
        }
        return shape.startsWith("concurrent-2p1s-") ? 1.3 : 0;
    }
}

package io.gannet.perf.growth;

import java.util.List;

/**
 * What is measured. An empty list leaves that part out.
 *
 * @param streams     numbers of streams on one driver.
 * @param replicated  numbers of streams between two drivers.
 * @param subscribers numbers of subscribers of one ring, at most 64.
 * @param ringMiB     sizes of rings.
 * @param messages    payload bytes; the largest message of a ring of 16 MiB is added.
 * @param millis      for each point.
 */
public record GrowthOptions(
    List<Integer> streams,
    List<Integer> replicated,
    List<Integer> subscribers,
    List<Integer> ringMiB,
    List<Integer> messages,
    int millis)
{
    /** The whole range. */
    public static GrowthOptions all(final int millis)
    {
        return new GrowthOptions(List.of(1, 10, 100, 1_000, 10_000), List.of(1, 10, 100, 1_000),
            List.of(1, 2, 4, 8, 16, 32, 64), List.of(1, 2, 4, 8, 16, 32, 64, 128, 256),
            List.of(32, 96, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 8 << 20, (64 << 20) - 16),
            millis);
    }
}

package io.gannet.perf.rig;

import java.util.List;

/**
 * What is measured and for how long.
 *
 * @param quick           Aeron alone, even start.
 * @param peers           systems to compare with, and gannet.
 * @param sizes           payload bytes of the main matrix.
 * @param sweep           payload bytes of the sweep to large messages.
 * @param shapes          further throughput benchmarks of the matrix, by producers and subscribers.
 * @param benches         substrings of bench names to run; empty for all.
 * @param phaseMillis     length of one phase.
 * @param rounds          rounds of three phases for each cell, at least.
 * @param budgetSeconds   when no more rounds are begun.
 * @param ringBytes       ring, or term, size.
 * @param rate            messages per second of the paced load.
 * @param nearNanos       line round trips below this are near.
 * @param realTime        measure under first-in-first-out scheduling, resting three times as long after each phase: for
 *                        a machine that is busy with other work. Needs root.
 * @param boundsChecks    leave the bounds checks of Agrona on, for all peers.
 * @param workerFlags     further JVM flags of the workers.
 */
public record IpcOptions(
    boolean quick,
    List<String> peers,
    List<Integer> sizes,
    List<Integer> sweep,
    List<Shape> shapes,
    List<String> benches,
    int phaseMillis,
    int rounds,
    int budgetSeconds,
    int ringBytes,
    int rate,
    int nearNanos,
    boolean realTime,
    boolean boundsChecks,
    List<String> workerFlags)
{
    /** Phases of a round. */
    public static final int PHASES_PER_ROUND = 3;
    /** A cell with fewer phases is "not seen". */
    public static final int FEWEST = 10;

    /**
     * How many send and how many receive all of it.
     */
    public record Shape(int producers, int subscribers)
    {
    }

    /** Whether a peer takes part. */
    boolean has(final String peer)
    {
        return peers.contains(peer);
    }

    boolean wants(final String bench)
    {
        return benches.isEmpty() || benches.stream().anyMatch(bench::contains);
    }
}

package io.gannet.perf.rig;

import java.util.List;

/**
 * What is measured over the network and for how long.
 *
 * @param peers         gannet, aeron-1408, aeron-8192.
 * @param sizes         payload bytes.
 * @param benches       substrings of bench names to run; empty for all.
 * @param embedded      also with the drivers embedded in the two client processes.
 * @param phaseMillis   length of one phase.
 * @param rounds        phases of each cell, at least.
 * @param budgetSeconds when no more rounds are begun.
 * @param ringBytes     ring, or term, size; 0 for Gannet's default, and terms of that size.
 * @param idle          what Gannet's drivers do without work; an option value.
 * @param apart         whether each side has one half of the processors, as a host of its own.
 * @param workerFlags   further JVM flags of the workers.
 * @param driverFlags   further JVM flags of all drivers.
 */
public record NetOptions(
    List<String> peers,
    List<Integer> sizes,
    List<String> benches,
    boolean embedded,
    int phaseMillis,
    int rounds,
    int budgetSeconds,
    int ringBytes,
    String idle,
    boolean apart,
    List<String> workerFlags,
    List<String> driverFlags)
{
    boolean wants(final String bench)
    {
        return benches.isEmpty() || benches.stream().anyMatch(bench::contains);
    }
}

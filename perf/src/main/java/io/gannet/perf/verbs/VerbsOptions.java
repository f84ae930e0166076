package io.gannet.perf.verbs;

import java.util.List;

/**
 * What is measured of a device.
 *
 * @param sizes       bytes of a write.
 * @param queuePairs  numbers of queue pairs, for bandwidth.
 * @param depth       of each queue.
 * @param signalEvery writes by completion.
 * @param inline      bytes up to which a write goes inline, 0 for none.
 * @param millis      of each line.
 * @param oneThread   both ends' work in one thread, for bandwidth: processor time without waiting.
 * @param latency     whether latency of plain writes is measured.
 * @param immediate   whether latency of writes with immediates is.
 * @param bandwidth   whether bandwidth is measured.
 */
public record VerbsOptions(
    List<Integer> sizes,
    List<Integer> queuePairs,
    int depth,
    int signalEvery,
    int inline,
    int millis,
    boolean oneThread,
    boolean latency,
    boolean immediate,
    boolean bandwidth)
{
}

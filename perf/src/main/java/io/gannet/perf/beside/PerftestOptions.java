package io.gannet.perf.beside;

import java.util.List;

/**
 * What is compared, and how long.
 *
 * @param addresses  two of RDMA devices of this machine; may be equal.
 * @param fake       whether on the fake device.
 * @param sizes      bytes of a message.
 * @param inline     bytes up to which writes go inline.
 * @param rounds     runs of each side.
 * @param millis     of each run.
 * @param iterations of {@code ib_write_lat}.
 * @param messages   whether messages between publisher and subscriber are measured too.
 * @param flags      further JVM flags of measured processes.
 */
public record PerftestOptions(
    List<String> addresses,
    boolean fake,
    List<Integer> sizes,
    int inline,
    int rounds,
    long millis,
    int iterations,
    boolean messages,
    List<String> flags)
{
}

package io.gannet.perf.worker;

import java.util.List;

/**
 * What a worker is told at its start.
 *
 * @param side            which side it plays.
 * @param gannetDirectory the driver's directory.
 * @param aeronDirectory  Aeron's directory.
 * @param board           file of shared words.
 * @param processors      processors to place threads on.
 * @param scenarios       what it will run.
 * @param network         for scenarios over a network, else null.
 */
public record WorkerSettings(
    Program.Side side,
    String gannetDirectory,
    String aeronDirectory,
    String board,
    int processors,
    List<Scenario> scenarios,
    Network network)
{
}

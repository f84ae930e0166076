package io.gannet.perf.orders;

/**
 * What a run is asked for.
 *
 * @param rounds   phases of each peer.
 * @param rate     requests per second of the open loop.
 * @param burst    of each thousand requests so many come at once.
 * @param sessions multiplexed clients.
 * @param window   requests in flight of the closed loop that finds the sustained rate.
 * @param millis   length of a phase.
 * @param ring     bytes of a ring, or a term.
 * @param waiting  how threads wait, see the samples' Waiting.
 * @param journal  bytes of a file of the engine's journal, of which two are made ahead.
 * @param alone    processor that the engine's thread has for itself, all else being on those before it; -1 for none.
 */
public record OrdersOptions(
    int rounds, int rate, int burst, int sessions, int window, int millis, int ring, String waiting,
    int journal, int alone)
{
}

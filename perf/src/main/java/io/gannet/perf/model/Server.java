package io.gannet.perf.model;

/**
 * Something that serves one at a time, in the order of asking: a link, a pipeline stage, a processor.
 */
final class Server
{
    private double freeAt;
    private double busy;

    /** Takes the server for so long as soon as it is free; returns when that ends. */
    double occupy(final double now, final double nanos)
    {
        freeAt = Math.max(now, freeAt) + nanos;
        busy += nanos;
        return freeAt;
    }

    double busy()
    {
        return busy;
    }
}

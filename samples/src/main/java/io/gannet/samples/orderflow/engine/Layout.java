package io.gannet.samples.orderflow.engine;

import java.util.Locale;

/**
 * How the stages share threads. A hand-over between threads pays where each has a processor of its own; where they have
 * not it costs a context switch, and one thread is faster.
 */
public enum Layout
{
    /** All stages on the thread that polls. */
    ONE,
    /** One thread polls, one does the rest. */
    TWO,
    /** A thread for each stage, and one for the market-data feed. */
    FULL;

    private static final int CORES_FOR_TWO = 6;
    private static final int CORES_FOR_FULL = 12;

    /** What suits this machine, of which a gateway, clients and drivers want a part. */
    public static Layout forThisMachine()
    {
        final int cores = Runtime.getRuntime().availableProcessors();
        return cores >= CORES_FOR_FULL ? FULL : cores >= CORES_FOR_TWO ? TWO : ONE;
    }

    /** By its name in any case, or "auto". */
    public static Layout of(final String name)
    {
        return name.equalsIgnoreCase("auto") ? forThisMachine() : valueOf(name.toUpperCase(Locale.ROOT));
    }
}

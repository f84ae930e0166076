package io.gannet.cli.trace;

import io.gannet.ring.NativeMemory;

/**
 * A place that messages pass: a word of a ring that says up to which position they have. Keeps when the sampled message
 * was seen to have passed, and how long before that it was seen not to have.
 */
final class Stage
{
    private final String name;
    private final long address;
    private final Stage after;
    private final Durations fromBefore = new Durations();
    private final Durations fromStart = new Durations();
    private long seen;

    /** {@code after} is the stage that messages pass right before; null for the first. */
    Stage(final String name, final long address, final Stage after)
    {
        this.name = name;
        this.address = address;
        this.after = after;
    }

    String name()
    {
        return name;
    }

    Stage after()
    {
        return after;
    }

    Durations fromBefore()
    {
        return fromBefore;
    }

    Durations fromStart()
    {
        return fromStart;
    }

    boolean isPassed(final long position)
    {
        return NativeMemory.INSTANCE.getLongAcquire(address) >= position;
    }

    void seen(final long nanos)
    {
        seen = nanos;
    }

    long seen()
    {
        return seen;
    }

    /** Counts the sample in, of which {@code start} is the first time. */
    void count(final long start)
    {
        fromStart.add(Math.max(0, seen - start));
        fromBefore.add(Math.max(0, seen - (after == null ? start : after.seen())));
    }
}

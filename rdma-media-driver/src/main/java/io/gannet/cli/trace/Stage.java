package io.gannet.cli.trace;

import io.gannet.ring.NativeMemory;

/**
 * A place that messages pass: a word of a ring that says up to which position they have. Keeps when the sampled message
 * was seen to have passed, and how long before that it was seen not to have. Not thread-safe.
 */
public final class Stage
{
    private final String name;
    private final long address;
    private final Stage after;
    private final WatchedRing ring;
    private final int gate;
    private final long registration;
    private final Durations fromBefore = new Durations();
    private final Durations fromStart = new Durations();
    private long seen;
    private long missed;
    private long within;

    private Stage(final String name, final long address, final WatchedRing ring, final int gate, final Stage after)
    {
        this.name = name;
        this.address = address;
        this.after = after;
        this.ring = ring;
        this.gate = gate;
        registration = ring == null ? 0 : ring.gateRegistration(gate);
    }

    /** How far an image is received. {@code after} is the stage that messages pass right before; null for the first. */
    static Stage ofReceived(final String name, final WatchedRing image, final Stage after)
    {
        return new Stage(name, image.receivedAddress(), null, 0, after);
    }

    /** How far whoever has a ring's gate is. */
    static Stage ofGate(final String name, final WatchedRing ring, final int gate, final Stage after)
    {
        return new Stage(name, ring.gateAddress(gate), ring, gate, after);
    }

    /** Of the place, for people. */
    public String name()
    {
        return name;
    }

    /** The one that messages pass right before; null for the first. */
    public Stage after()
    {
        return after;
    }

    /** From there, or from the publisher, to here. */
    public Durations fromBefore()
    {
        return fromBefore;
    }

    /** From the publisher to here. */
    public Durations fromStart()
    {
        return fromStart;
    }

    /** Whether who had the gate has left, or another has it: what it says then is not about the stage. */
    boolean isGone()
    {
        return ring != null && (ring.isFree(gate) || ring.gateRegistration(gate) != registration);
    }

    /** Also of a stage that is gone. */
    boolean isPassed(final long position)
    {
        return NativeMemory.INSTANCE.getLongAcquire(address) >= position;
    }

    /** The sampled message did not come. */
    void missed()
    {
        missed++;
    }

    /** Sampled messages that did not come in time, since it was asked last. */
    long takeMissed()
    {
        final long count = missed;
        missed = 0;
        return count;
    }

    /** The sampled message has passed, and no two looks until then were further apart than {@code widest}. */
    void seen(final long nanos, final long widest)
    {
        seen = nanos;
        within = widest;
    }

    /** The widest distance of two looks until it was seen. */
    long within()
    {
        return within;
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

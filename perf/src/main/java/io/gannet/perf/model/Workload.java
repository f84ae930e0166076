package io.gannet.perf.model;

/**
 * What is sent and how.
 *
 * @param bytes           a message takes in the ring, header and alignment included: what one WRITE carries.
 * @param perSecond       messages that arrive, at random (Poisson); 0: there is always one more.
 * @param messages        to send.
 * @param inlineThreshold bytes up to which the engine's {@code InlinePolicy} inlines; 0 turns it off.
 * @param granted         largest inline size of the queue pair.
 * @param chain           requests of one post at most.
 * @param mergeCap        bytes of messages that are waiting and go in one WRITE; 0: one message each.
 * @param depth           of the send queue.
 * @param interval        every how many requests one is signaled; {@link #ADAPTIVE}: the engine's policy decides.
 * @param seed            of the arrivals.
 */
public record Workload(
    int bytes,
    double perSecond,
    int messages,
    int inlineThreshold,
    int granted,
    int chain,
    int mergeCap,
    int depth,
    int interval,
    long seed)
{
    /** The engine's {@code SendLedger} and {@code SignalPolicy}. */
    public static final int ADAPTIVE = 0;

    /** Bytes of a frame's header in the ring, and what frames are aligned to. */
    private static final int FRAME_HEADER = 16;
    private static final int FRAME_ALIGNMENT = 32;
    private static final int GRANTED = 220;
    private static final int DEPTH = 256;

    /** As the engine is set by default, but one message a WRITE, one WRITE a post, and always one more to send. */
    public static Workload saturated(final int bytes, final int messages)
    {
        return new Workload(bytes, 0, messages, GRANTED, GRANTED, 1, 0, DEPTH, ADAPTIVE, 1);
    }

    /** Bytes in the ring of a message with so many payload bytes. */
    public static int frame(final int payload)
    {
        return (payload + FRAME_HEADER + FRAME_ALIGNMENT - 1) & -FRAME_ALIGNMENT;
    }

    /** A copy with other arrivals. */
    public Workload at(final double rate)
    {
        return new Workload(bytes, rate, messages, inlineThreshold, granted, chain, mergeCap, depth, interval, seed);
    }

    /** A copy with other inlining. */
    public Workload inline(final int threshold, final int grant)
    {
        return new Workload(bytes, perSecond, messages, threshold, grant, chain, mergeCap, depth, interval, seed);
    }

    /** A copy with other posting. */
    public Workload posting(final int most, final int cap)
    {
        return new Workload(bytes, perSecond, messages, inlineThreshold, granted, most, cap, depth, interval, seed);
    }

    /** A copy with another queue. */
    public Workload queue(final int slots, final int every)
    {
        return new Workload(bytes, perSecond, messages, inlineThreshold, granted, chain, mergeCap, slots, every, seed);
    }
}

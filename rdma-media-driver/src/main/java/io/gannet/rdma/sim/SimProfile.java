package io.gannet.rdma.sim;

/**
 * How a fabric behaves. Times in virtual nanoseconds, probabilities in [0, 1]. Changed at any time, also in the middle
 * of a run; {@link #calm()} ends all faults.
 */
public final class SimProfile
{
    /** Least time of a packet on the wire. */
    public long latency = 2_000;
    /** Random addition to it, for each message. */
    public long jitter;
    /** What a port sends in a nanosecond. */
    public double bytesPerNano = 12.5;
    /** Largest delay between the end of a request and the visibility of its completion. */
    public long completionDelay;
    /** Chance that a completion, and so all behind it in its queue, becomes visible much later. */
    public double completionHeld;
    /** Largest delay of those. */
    public long longestHold;
    /** Chance that a write's bytes are placed in several pieces, in any order, before its completion. */
    public double partialPlacement;
    /** Chance that a message is lost once and sent again after the acknowledgement time-out. */
    public double messageLoss;
    /** Largest delay of a flush after the error state. */
    public long flushDelay;
    /** Chance that a queue pair never reports its flushes. */
    public double flushNever;
    /** Chance that completions of a closed queue pair stay in their queue. */
    public double staleCompletions;
    /** Largest delay of those. */
    public long staleDelay;
    /** Chance that a connection manager's message is lost. */
    public double cmLoss;
    /** Chance that it arrives twice. */
    public double cmDuplicate;
    /** Chance that an answer of a connection manager comes much later. */
    public double cmHeld;
    /** Chance that a request stays on the wire for much longer, and so all behind it on its connection. */
    public double requestHeld;
    /** Largest delay of those. */
    public long longestWire;
    /**
     * Whether a device that follows another one at its address gives queue pairs and connections the same numbers
     * again, so that what is late for the one may find the other.
     */
    public boolean repeatsNumbers;
    /** Chance that posts to a port that is down hang instead of failing. */
    public double portDownHangs;
    /** Time between two tries of a connection manager's message. */
    public long cmRetryInterval = 50_000_000;
    /** Tries of a connection manager's message. */
    public int cmTries = 8;
    /** Inline bytes that a queue pair is granted at most. */
    public int maxInline = 220;
    /** Whether writes carry immediates. */
    public boolean writeWithImm = true;
    /** Whether a device says that they do, and refuses the first one, if they don't. */
    public boolean claimsWriteWithImm;
    /** Whether a retry count of 7 means for ever, as with Soft-RoCE. */
    public boolean infiniteRetries = true;

    /**
     * Ends all faults; delay, bandwidth and limits stay.
     */
    public void calm()
    {
        completionHeld = 0;
        partialPlacement = 0;
        messageLoss = 0;
        flushNever = 0;
        staleCompletions = 0;
        cmLoss = 0;
        cmDuplicate = 0;
        cmHeld = 0;
        requestHeld = 0;
        portDownHangs = 0;
    }
}

package io.gannet.driver.stream;

/**
 * How far a replica has been posted, and how far it was before each request of the chain that is being made, as a
 * device may refuse the rest of a chain. Not thread-safe: owned by the sender.
 */
final class SendProgress
{
    private final long[] sentBefore = new long[ReplicationSettings.MAX_CHAIN];
    private final long[] writtenBefore = new long[ReplicationSettings.MAX_CHAIN];
    private final long[] runEnds = new long[ReplicationSettings.MAX_CHAIN];
    private final int[] frames = new int[ReplicationSettings.MAX_CHAIN];
    private long sent;
    private long written;
    private long runEnd;
    private int runFrames;
    private long receivesUsed;
    private int chain;

    /**
     * @param start position from which to send.
     */
    SendProgress(final long start)
    {
        sent = start;
        written = start;
        runEnd = start;
    }

    /** {@return position below which all frames have been posted with their immediate} */
    long sent()
    {
        return sent;
    }

    /** {@return position below which all bytes have been posted} */
    long written()
    {
        return written;
    }

    /** {@return end of the frames being posted, or {@link #sent()}} */
    long runEnd()
    {
        return runEnd;
    }

    /** {@return receives of the peer that posted requests use up} */
    long receivesUsed()
    {
        return receivesUsed;
    }

    /** {@return requests of the chain} */
    int chain()
    {
        return chain;
    }

    /** A new chain begins. */
    void beginChain()
    {
        chain = 0;
    }

    /** So many frames, up to there, are to be posted. */
    void run(final long end, final int framesOfRun)
    {
        runEnd = end;
        runFrames = framesOfRun;
    }

    /** {@return frames of the run being posted} */
    int runFrames()
    {
        return runFrames;
    }

    /** {@return whether no run is being posted in parts} */
    boolean isBetweenRuns()
    {
        return written == sent;
    }

    /** Another request of the run is added to the chain. */
    void addRequest()
    {
        sentBefore[chain] = sent;
        writtenBefore[chain] = written;
        runEnds[chain] = runEnd;
        frames[chain] = runFrames;
        chain++;
    }

    /** The request has so many bytes of the run. */
    void wrote(final int bytes)
    {
        written += bytes;
    }

    /** The request ends the run, and uses up a receive. */
    void endRun()
    {
        sent = runEnd;
        receivesUsed++;
    }

    /** A request without bytes of the ring was posted alone. */
    void postedOne(final boolean usesReceive)
    {
        chain = 1;
        receivesUsed += usesReceive ? 1 : 0;
    }

    /** {@return whether the chain has ended a run} */
    boolean hasEndedRun()
    {
        return sent != sentBefore[0];
    }

    /** The device has taken only so many requests of the chain: things are as they were before the others. */
    void undoBehind(final int accepted, final StreamCounters counters)
    {
        for (int i = chain - 1; i >= accepted; i--)
        {
            final boolean endedRun = sent != sentBefore[i];
            counters.messages -= endedRun ? frames[i] : 0;
            receivesUsed -= endedRun ? 1 : 0;
            sent = sentBefore[i];
            counters.bytes -= written - writtenBefore[i];
            written = writtenBefore[i];
            runEnd = runEnds[i];
            runFrames = frames[i];
        }
        chain = Math.min(chain, accepted);
    }
}

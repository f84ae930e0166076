package io.gannet.driver.stream;

/**
 * What one side of one connection has done. Written by its agent alone; others read values that may be a little old.
 */
public final class StreamCounters
{
    long bytes;
    long requests;
    long doorbells;
    long inlineRequests;
    long signaledRequests;
    long creditStalls;
    long windowStalls;
    long queueStalls;
    long refusedPosts;
    long receives;
    long feedbacks;
    long staleCompletions;

    /** {@return bytes of frames sent or received} */
    public long bytes()
    {
        return bytes;
    }

    /** {@return work requests posted} */
    public long requests()
    {
        return requests;
    }

    /** {@return doorbells rung} */
    public long doorbells()
    {
        return doorbells;
    }

    /** {@return work requests with their bytes inline} */
    public long inlineRequests()
    {
        return inlineRequests;
    }

    /** {@return work requests that asked for a completion} */
    public long signaledRequests()
    {
        return signaledRequests;
    }

    /** {@return duty cycles that had frames and no credits of the peer} */
    public long creditStalls()
    {
        return creditStalls;
    }

    /** {@return duty cycles that had a frame and no room in the peer's ring} */
    public long windowStalls()
    {
        return windowStalls;
    }

    /** {@return duty cycles that found the send queue full} */
    public long queueStalls()
    {
        return queueStalls;
    }

    /** {@return posts that the device refused although there should have been room} */
    public long refusedPosts()
    {
        return refusedPosts;
    }

    /** {@return receives completed} */
    public long receives()
    {
        return receives;
    }

    /** {@return writes of the consumed position} */
    public long feedbacks()
    {
        return feedbacks;
    }

    /** {@return completions of connections that had ended} */
    public long staleCompletions()
    {
        return staleCompletions;
    }
}

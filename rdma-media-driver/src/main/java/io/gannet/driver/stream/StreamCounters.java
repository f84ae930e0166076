package io.gannet.driver.stream;

/**
 * What one side of one image has done, over all its connections. Written by its agent alone, reconnects by control;
 * others read values that may be a little old, and no two of the same moment.
 */
public final class StreamCounters extends StreamCountersState
{
    /** What a sender that has frames waits for. */
    public enum Hold
    {
        /** It does not wait. */
        NONE,
        /** The peer's subscribers have not consumed enough. */
        SUBSCRIBER,
        /** The peer's driver has not posted enough receives. */
        CREDITS,
        /** The own device has not completed enough requests. */
        DEVICE,
        /** There is no connection. */
        CONNECTION
    }

    /** {@return bytes of frames sent or received} */
    public long bytes()
    {
        return bytes;
    }

    /** {@return frames sent; a receiver does not look at frames, and counts none} */
    public long messages()
    {
        return messages;
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

    /** {@return bytes of frames that were not inline, which the device reads from memory} */
    public long fetchedBytes()
    {
        return fetchedBytes;
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

    /** {@return words of the peer that could not be true, or were older than what was known} */
    public long ignoredFeedback()
    {
        return ignoredFeedback;
    }

    /**
     * {@return polls of the completion queue that serves it, by its agent and while it is connected; other streams may
     * have the same queue}
     */
    public long completionPolls()
    {
        return completionPolls;
    }

    /** {@return those {@link #completionPolls()} that found nothing} */
    public long emptyCompletionPolls()
    {
        return emptyCompletionPolls;
    }

    /** {@return connections that ended as the peer had no receive posted for too long, which credits should prevent} */
    public long rnrErrors()
    {
        return rnrErrors;
    }

    /** {@return connections after the first one} */
    public long reconnects()
    {
        return reconnects;
    }

    /** {@return work requests that no completion covers} */
    public long outstanding()
    {
        return outstanding;
    }

    /** {@return receives of the peer that are left} */
    public long credits()
    {
        return credits;
    }

    /** {@return position up to which frames were sent, or received} */
    public long position()
    {
        return position;
    }

    /** {@return position up to which the subscribers have consumed, as far as it is known} */
    public long consumed()
    {
        return consumed;
    }

    /** {@return what the sender waits for at present} */
    public Hold hold()
    {
        return hold;
    }

    /** {@return since when it waits, in nanoseconds of the agents' clock; meaningless with {@link Hold#NONE}} */
    public long holdSince()
    {
        return holdSince;
    }
}

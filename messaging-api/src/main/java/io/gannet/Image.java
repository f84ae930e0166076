package io.gannet;

/**
 * One publication as one subscription sees it. Polled by {@link Subscription#poll} or, by the same thread, alone.
 * After its end it answers the last values and polls return 0.
 */
public interface Image
{
    /** Its subscription. */
    Subscription subscription();

    /** The publication's session. */
    int sessionId();

    /** The stream. */
    int streamId();

    /** Where the stream comes from, for people. */
    String sourceIdentity();

    /** Whether the publication is on another host. */
    boolean isRemote();

    /** Where this subscription started in the stream: the publication's position when it joined. */
    long joinPosition();

    /** Everything below was consumed. */
    long position();

    /**
     * Whether the publication ended and all of it was consumed. False also of an image that broke off, as the
     * publication's host was lost, or its ring: more may have been published than this image can bring.
     */
    boolean isEndOfStream();

    /** Where the image ends, also if it broke off; or {@link Long#MAX_VALUE} when that isn't known yet. */
    long endOfStreamPosition();

    /** Whether the image can't be polled any more: it ended, or its subscription was closed. */
    boolean isClosed();

    /** As {@link Subscription#poll}, for this image alone. */
    int poll(FragmentHandler handler, int limit);

    /** As {@link Subscription#controlledPoll}, for this image alone. */
    int controlledPoll(ControlledFragmentHandler handler, int limit);

    /**
     * As {@link #poll}, but takes only messages that start before {@code limitPosition}.
     */
    int boundedPoll(FragmentHandler handler, long limitPosition, int limit);

    /**
     * As {@link #controlledPoll}, but takes only messages that start before {@code limitPosition}.
     */
    int boundedControlledPoll(ControlledFragmentHandler handler, long limitPosition, int limit);

    /** As {@link Subscription#blockPoll}, for this image alone. */
    int blockPoll(BlockHandler handler, int limitBytes);
}

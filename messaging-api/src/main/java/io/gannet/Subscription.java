package io.gannet;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Receives the messages of all publications of one stream of a channel, by one {@link Image} per ring, from the
 * position at which it joined each.
 * <p>
 * Polled by one thread at a time; another thread that polls at the same moment gets a
 * {@link ConcurrentPollException}. The other methods may be called by any thread. Publishers wait for what was not
 * polled.
 * <p>
 * An image whose ring can't be read any more, as something truncated or overwrote its file, ends by itself: polls take
 * nothing more from it, and the gap handler is told what is lost as far as that is known. In the moment in which the
 * file is cut the virtual machine may throw {@link InternalError} at compiled code that polls without a pause.
 */
public interface Subscription extends AutoCloseable
{
    /** The channel as it was given, normalised. */
    String channel();

    /** The stream within the channel. */
    int streamId();

    /** Names this subscription within its client. */
    long registrationId();

    /** Whether there is an image. */
    boolean isConnected();

    /** Whether {@link #close()} was called or the client was closed. */
    boolean isClosed();

    /**
     * Takes messages from the images in turn. Never blocks.
     *
     * @param handler called for each message, on this thread. Its exception reaches the caller; the position is then
     *                after the message that threw.
     * @param limit   most messages to take; 0 or less takes none.
     * @return how many were taken; 0 when there is none, or when closed.
     * @throws ConcurrentPollException if another thread is polling this subscription.
     */
    int poll(FragmentHandler handler, int limit);

    /**
     * As {@link #poll}; the handler says after each message how to go on.
     */
    int controlledPoll(ControlledFragmentHandler handler, int limit);

    /**
     * Takes a run of whole frames of each image.
     *
     * @param handler    called once per image that has frames.
     * @param limitBytes most bytes per image, headers and alignment counted; a first frame that is longer is taken
     *                   alone.
     * @return bytes taken.
     * @throws ConcurrentPollException if another thread is polling this subscription.
     */
    int blockPoll(BlockHandler handler, int limitBytes);

    /**
     * Sleeps until a poll may find something, by a bell that publishers ring: costs no CPU meanwhile and wakes within
     * microseconds. For one thread at a time, like polling. For several subscriptions at once there is
     * {@link MessageWaiter}.
     *
     * @return false if the time passed, the thread was interrupted (the interrupt stays pending) or the subscription
     *         was closed.
     */
    boolean awaitMessage(long timeout, TimeUnit unit);

    /** Number of images. */
    int imageCount();

    /** The images now; a snapshot. */
    List<Image> images();

    /** The image of a session, or null. */
    Image imageBySessionId(int sessionId);

    /** Calls for each image, without allocation. */
    void forEachImage(Consumer<Image> consumer);

    /**
     * Ends this subscription; publishers don't wait for it any more. A poll that is going on in another thread ends
     * with the message in hand. Doesn't wait for that. Idempotent; any thread.
     */
    @Override
    void close();
}

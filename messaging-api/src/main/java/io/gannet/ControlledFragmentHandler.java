package io.gannet;

import org.agrona.DirectBuffer;

/**
 * Receives one message at a time from {@link Subscription#controlledPoll} and says how to go on.
 */
@FunctionalInterface
public interface ControlledFragmentHandler
{
    /** What a poll does after a message. */
    enum Action
    {
        /** End the poll; the message was not consumed and comes again with the next poll. */
        ABORT,
        /** The message is consumed; end the poll. */
        BREAK,
        /** The message is consumed; tell the publisher now, then go on. */
        COMMIT,
        /** The message is consumed; go on. */
        CONTINUE
    }

    /**
     * One message. An exception ends the poll and reaches its caller; the position is then after this message.
     *
     * @param buffer the ring, valid only during this call. Read-only.
     * @param offset first payload byte.
     * @param length payload bytes, 0 or more.
     * @param header about the message; valid only during this call.
     * @return how to go on, not null.
     */
    Action onFragment(DirectBuffer buffer, int offset, int length, Header header);
}

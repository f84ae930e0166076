package io.gannet;

import org.agrona.DirectBuffer;

/**
 * Receives a run of whole frames at once from {@link Subscription#blockPoll}, for archiving or forwarding.
 */
@FunctionalInterface
public interface BlockHandler
{
    /**
     * A run of whole frames, headers and padding included.
     *
     * @param buffer    the ring, valid only during this call. Read-only.
     * @param offset    of the first frame's header.
     * @param length    bytes of all frames, a multiple of 32.
     * @param sessionId of the publication.
     * @param position  of the stream at the first frame.
     */
    void onBlock(DirectBuffer buffer, int offset, int length, int sessionId, long position);
}

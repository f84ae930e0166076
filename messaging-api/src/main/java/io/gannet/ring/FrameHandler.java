package io.gannet.ring;

import org.agrona.concurrent.UnsafeBuffer;

/** Takes the messages of a poll. */
@FunctionalInterface
public interface FrameHandler
{
    /**
     * One message, to be used before return.
     *
     * @param buffer   over the whole ring; only the message's bytes and, before them, its {@link FrameHeader} are to be
     *                 read, and nothing is to be written.
     * @param offset   of the payload; the header starts {@link FrameHeader#HEADER_LENGTH} before it.
     * @param length   of the payload.
     * @param position of the stream after the message.
     */
    void onFrame(UnsafeBuffer buffer, int offset, int length, long position);
}

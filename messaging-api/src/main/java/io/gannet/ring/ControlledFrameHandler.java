package io.gannet.ring;

import org.agrona.concurrent.UnsafeBuffer;

/** Takes the messages of a poll and says how it goes on. */
@FunctionalInterface
public interface ControlledFrameHandler
{
    /** What follows a message. */
    enum Action
    {
        /** End the poll; this message comes again. */
        ABORT,
        /** End the poll after this message. */
        BREAK,
        /** Tell the producer at once that all up to here is consumed, and go on. */
        COMMIT,
        /** Go on. */
        CONTINUE
    }

    /** As {@link FrameHandler#onFrame(UnsafeBuffer, int, int, long)}. */
    Action onFrame(UnsafeBuffer buffer, int offset, int length, long position);
}

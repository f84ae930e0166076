package io.gannet.perf.peer;

import org.agrona.DirectBuffer;

/**
 * Sending end of one stream, for one thread.
 */
public abstract class Sender
{
    /** Copies one message into the stream without blocking; false on back pressure. */
    public abstract boolean offer(DirectBuffer buffer, int offset, int length);

    /** Whether a subscriber is there. */
    public abstract boolean connected();
}

package io.gannet.samples.orderflow.link;

/**
 * Opens streams. For any thread.
 */
public abstract class Transport
{
    /** Opens a stream to read; may take milliseconds. */
    public abstract Inlet inlet(int stream);

    /** Opens a stream to write; may take milliseconds. */
    public abstract Sender sender(int stream);

    /**
     * Opens a stream to write that waits for no reader, where that is possible: who is too slow is cut off, and finds
     * that numbers are missing.
     */
    public Sender droppingSender(final int stream)
    {
        return sender(stream);
    }
}

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
}

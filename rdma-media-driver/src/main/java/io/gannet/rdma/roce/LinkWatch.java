package io.gannet.rdma.roce;

import io.gannet.rdma.AsyncEventType;
import java.net.SocketException;

/**
 * Notices that the interface of a port goes down or comes back, by asking now and then. Owned by the thread that reads
 * asynchronous events.
 */
final class LinkWatch
{
    private static final long INTERVAL = 500_000_000L;

    private final LocalPort port;
    private boolean wasUp = true;
    private boolean asked;
    private long lastAsked;

    LinkWatch(final LocalPort port)
    {
        this.port = port;
    }

    boolean isUp()
    {
        try
        {
            return port.network().isUp();
        }
        catch (final SocketException e)
        {
            return false;               // the interface is gone
        }
    }

    /** What changed since the last question, or null. */
    AsyncEventType change(final long now)
    {
        if (asked && now - lastAsked < INTERVAL)
        {
            return null;
        }
        asked = true;
        lastAsked = now;
        final boolean up = isUp();
        if (up == wasUp)
        {
            return null;
        }
        wasUp = up;
        return up ? AsyncEventType.PORT_ACTIVE : AsyncEventType.PORT_ERR;
    }
}

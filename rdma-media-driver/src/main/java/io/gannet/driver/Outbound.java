package io.gannet.driver;

import io.gannet.driver.stream.OutboundStream;
import io.gannet.driver.stream.Replication;

/**
 * The way of a publication ring to other hosts. Owned by the conductor.
 */
final class Outbound
{
    private final Replication replication;
    private final OutboundStream stream;
    private boolean ended;

    Outbound(final Replication replication, final OutboundStream stream)
    {
        this.replication = replication;
        this.stream = stream;
    }

    /** The publication has ended; idempotent. */
    void endAt(final long position)
    {
        if (!ended)
        {
            ended = true;
            replication.endPublication(stream, position);
        }
    }

    /** Whether every host knows the end and the ring is no longer in use. */
    boolean isDone()
    {
        return replication.isDone(stream);
    }
}

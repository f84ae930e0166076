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
    private final Runnable whenDone;
    private boolean ended;
    private boolean done;

    /**
     * @param whenDone called once the publication has ended on every host.
     */
    Outbound(final Replication replication, final OutboundStream stream, final Runnable whenDone)
    {
        this.replication = replication;
        this.stream = stream;
        this.whenDone = whenDone;
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

    /** The ring can't be read any more: hosts lose the connection and hear nothing of an end; idempotent. */
    void abandon()
    {
        ended = true;
        replication.abandon(stream);
    }

    /** Whether every host knows the end and the ring is no longer in use. */
    boolean isDone()
    {
        if (!done && replication.isDone(stream))
        {
            done = true;
            whenDone.run();
        }
        return done;
    }

    OutboundStream stream()
    {
        return stream;
    }
}

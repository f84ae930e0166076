package io.gannet.samples.orderflow.gateway;

import io.gannet.samples.orderflow.link.Sender;
import java.util.concurrent.CompletableFuture;

/**
 * A client process: one stream in, one stream out, any number of sessions.
 */
final class Connection
{
    final long source;
    final int reportStream;
    final CompletableFuture<Sender> opening;
    /** Null until the stream is open. */
    Sender sender;
    int sessions;
    /** The stream could not be opened. */
    boolean failed;
    long created;

    Connection(final long source, final int reportStream, final CompletableFuture<Sender> opening, final long now)
    {
        this.source = source;
        this.reportStream = reportStream;
        this.opening = opening;
        created = now;
    }
}

package io.gannet.cli.recording;

import io.gannet.BufferClaim;
import io.gannet.ExclusivePublication;
import io.gannet.Gannet;
import io.gannet.Header;
import io.gannet.Publication;
import io.gannet.cli.OperatorException;
import java.util.HashMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * Publishes messages again, those of each session by a publication of its own, with their reserved values. For one
 * thread.
 */
final class Republisher implements AutoCloseable
{
    private final Gannet gannet;
    private final String channel;
    private final int stream;
    private final Stop stop;
    private final Map<Integer, ExclusivePublication> publications = new HashMap<>();
    private final BufferClaim claim = BufferClaim.allocate();
    private final IdleStrategy idle = new BackoffIdleStrategy();
    private long messages;
    private long bytes;
    private boolean toldUnconnected;

    Republisher(final Gannet gannet, final String channel, final int stream, final Stop stop)
    {
        this.stop = stop;
        this.gannet = gannet;
        this.channel = channel;
        this.stream = stream;
    }

    /** Waits for subscribers, and for those that are slow; publishes nothing when it is stopped. */
    void publish(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        final ExclusivePublication publication = publications.computeIfAbsent(header.sessionId(),
            session -> gannet.addExclusivePublication(channel, stream));
        if (length > publication.maxMessageLength())
        {
            throw new OperatorException("the message before position " + header.position() + " has " + length +
                " bytes, and " + channel + " takes " + publication.maxMessageLength() + ": give it a larger ring, " +
                "such as ring=64m in the channel");
        }
        long result = stop.isStopped() ? Publication.BACK_PRESSURED : publication.tryClaim(length, claim);
        while (result < 0)
        {
            if (stop.isStopped())
            {
                return;
            }
            if (result == Publication.NOT_CONNECTED && !toldUnconnected)
            {
                toldUnconnected = true;
                Report.line("waiting for a subscriber of %s stream %d", channel, stream);
            }
            if (result != Publication.NOT_CONNECTED && result != Publication.BACK_PRESSURED)
            {
                throw new OperatorException("replaying ended: " + Publication.resultName(result));
            }
            idle.idle();
            result = publication.tryClaim(length, claim);
        }
        idle.reset();
        claim.buffer().putBytes(claim.offset(), buffer, offset, length);
        claim.reservedValue(header.reservedValue());
        claim.commit();
        messages++;
        bytes += length;
    }

    long messages()
    {
        return messages;
    }

    long bytes()
    {
        return bytes;
    }

    @Override
    public void close()
    {
        publications.values().forEach(ExclusivePublication::close);
    }
}

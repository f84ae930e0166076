package io.gannet;

import io.gannet.control.CommandWriter;
import io.gannet.control.ControlFile;
import io.gannet.control.ErrorCode;
import io.gannet.control.GannetDirectory;
import io.gannet.protocol.PublicationKind;
import io.gannet.ring.Ring;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;

/** A publication at the driver, from the add command on. */
final class PublicationRegistration extends Registration
{
    private final PublicationKind kind;
    private final String channel;
    private final int streamId;
    private long ringId;
    private RingPublication publication;

    PublicationRegistration(
        final ClientConductor conductor, final PublicationKind kind, final Channel channel, final int streamId)
    {
        super(conductor);
        this.kind = kind;
        this.channel = channel.toString();
        this.streamId = streamId;
    }

    String channel()
    {
        return channel;
    }

    int streamId()
    {
        return streamId;
    }

    GannetDirectory directory()
    {
        return conductor().directory();
    }

    ControlFile control()
    {
        return conductor().control();
    }

    /**
     * The ring is there: maps it, or checks that it is still the one.
     *
     * @throws RuntimeException if it can't be mapped or isn't what the event says.
     */
    RingPublication onReady(
        final PublicationKind readyKind, final int sessionId, final long readyRingId, final String ringFile)
    {
        if (readyKind != kind || (publication != null && readyRingId != ringId))
        {
            throw new GannetException("the driver answered " + this + " with a " + readyKind + " ring " + readyRingId);
        }
        if (publication == null)
        {
            publication = kind == PublicationKind.EXCLUSIVE ?
                makeSolo(sessionId, ringFile) : makeShared(sessionId, readyRingId, ringFile);
            ringId = readyRingId;
        }
        return publication;
    }

    /**
     * Lets go of a ring that can't be used any more: nobody touches its memory from now on, as its file may be cut.
     *
     * @param told position that the driver knows, or 0.
     * @return position that the publication has reached, as far as that is known.
     */
    long abandon(final long told)
    {
        if (publication == null)
        {
            return told;
        }
        // A shared one's position is in that memory, too.
        final long reached = told == 0 || kind == PublicationKind.EXCLUSIVE ?
            Math.max(told, publication.lastPosition()) : told;
        FaultedRings.close(publication.ring());
        return reached;
    }

    @Override
    void onClose()
    {
        if (publication != null && publication.isLost())
        {
            final long reached = abandon(0);
            conductor().report(new RegistrationException(ErrorCode.NOT_ADOPTED, this + " ended: its ring can't be " +
                "read any more; was its file truncated?" +
                (reached == 0 ? "" : " (the stream has all up to position " + reached + ")")));
        }
    }

    private RingPublication makeSolo(final int sessionId, final String ringFile)
    {
        final Ring ring = attach(RingKind.EXCLUSIVE, sessionId, ringFile);
        return new SoloPublication(
            this, ring, conductor().link().waker(), conductor().context().offerIdleStrategy());
    }

    private RingPublication makeShared(final int sessionId, final long readyRingId, final String ringFile)
    {
        final SharedRing shared = conductor().registrations().sharedRing(
            readyRingId,
            () -> new SharedRing(attach(RingKind.CONCURRENT, sessionId, ringFile), conductor().clientId(),
                conductor().link().waker()));
        return new SharedPublication(this, shared, conductor().context().offerIdleStrategy());
    }

    private Ring attach(final RingKind ringKind, final int sessionId, final String ringFile)
    {
        final Ring ring = RingFile.attach(directory().ringFile(ringFile), RingFile.Access.WRITE);
        FaultedRings.add(ring);
        if (ring.kind() != ringKind || ring.description().sessionId() != sessionId ||
            ring.description().streamId() != streamId)
        {
            FaultedRings.free(ring);
            throw new GannetException("the ring that the driver named for " + this + " is another one: " + ring);
        }
        return ring;
    }

    @Override
    boolean sendAdd(final CommandWriter out)
    {
        return out.addPublication(id(), id(), kind, streamId, channel, ringId);
    }

    @Override
    boolean sendRemove(final CommandWriter out, final long correlationId)
    {
        return out.removePublication(correlationId, id());
    }

    @Override
    void markClosed()
    {
        final RingPublication current = publication;
        if (current != null)
        {
            current.markClosed();
        }
    }

    @Override
    boolean tryRelease()
    {
        markClosed();
        return publication == null || publication.tryRelease();
    }

    @Override
    void forceRelease()
    {
        markClosed();
        if (publication != null)
        {
            publication.forceRelease();
        }
    }

    @Override
    public String toString()
    {
        return (kind == PublicationKind.EXCLUSIVE ? "exclusive publication of " : "publication of ") + channel +
            " stream " + streamId;
    }
}

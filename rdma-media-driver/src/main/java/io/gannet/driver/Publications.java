package io.gannet.driver;

import io.gannet.control.ErrorCode;
import io.gannet.os.LateFault;
import io.gannet.protocol.ImageEnd;
import io.gannet.ring.GatingList;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import java.io.IOException;
import java.util.List;
import org.agrona.ErrorHandler;

/**
 * Who publishes into which ring: makes or finds rings for publications, and ends a ring with its last one. Owned by the
 * conductor.
 */
final class Publications
{
    private final RingTable rings;
    private final RingMaker maker;
    private final RingRepairs repairs;
    private final RingEnding ending;
    private final LostRings lost;
    private final Subscriptions subscriptions;
    private final RemoteStreams remote;
    private final RingCounters counters;
    private final ErrorHandler errorHandler;

    /**
     * @param remote brings them to other hosts, null if there is no device.
     */
    Publications(
        final RingTable rings,
        final RingMaker maker,
        final RingRepairs repairs,
        final RingEnding ending,
        final LostRings lost,
        final Subscriptions subscriptions,
        final RemoteStreams remote,
        final RingCounters counters,
        final ErrorHandler errorHandler)
    {
        this.rings = rings;
        this.maker = maker;
        this.repairs = repairs;
        this.ending = ending;
        this.lost = lost;
        this.subscriptions = subscriptions;
        this.remote = remote;
        this.counters = counters;
        this.errorHandler = errorHandler;
    }

    /** Takes in a ring of the driver before. */
    void adopt(final StreamRing ring)
    {
        rings.add(ring);
        ring.users().forEach(user -> counters.publicationAdded());
        if (ring.kind() == RingKind.CONCURRENT)
        {
            repairs.start(ring);
        }
        if (ring.kind() == RingKind.IMAGE)
        {
            adoptImage(ring);
            return;
        }
        if (remote != null && (!ring.isEnded() || hasRemoteGates(ring)))
        {
            try
            {
                remote.publish(ring);
            }
            catch (final RefusedException failure)
            {
                errorHandler.onError(failure);
            }
        }
        if (ring.isEnded() || ring.users().isEmpty())
        {
            ending.end(ring);
        }
    }

    /** Whether subscribers of other hosts may not know the end yet. */
    private static boolean hasRemoteGates(final StreamRing ring)
    {
        for (int gate = 0; gate < RingLayout.MAX_ENTRIES; gate++)
        {
            if (ring.gates().kind(gate) == GatingList.Kind.REMOTE)
            {
                return true;
            }
        }
        return false;
    }

    private void adoptImage(final StreamRing ring)
    {
        if (ring.isEnded())
        {
            subscriptions.mayHaveBrokenOff(ring);
            ending.end(ring);
        }
        else if (remote == null || !remote.adopt(ring))
        {
            ring.endReason(ImageEnd.PEER_LOST);
            subscriptions.imageEnded(ring, ring.receivedPosition());
        }
        else if (ring.images().isEmpty())
        {
            // Its last reader left while no driver was there, or the one before died over it.
            ring.unread();
        }
    }

    /** Makes or finds the ring of a publication; answers its client now or later. */
    void add(final PublicationRequest request)
    {
        final StreamRing existing = request.kind == RingKind.CONCURRENT ? sharedRing(request) : null;
        if (existing != null)
        {
            SharedChannel.check(existing.channel(), existing.ring().capacity(), request);
            publish(existing, List.of(request));
        }
        else
        {
            maker.make(request, rings::isSessionTaken, this::ringReady, this::ringRefused);
        }
    }

    /** Ends one publication; the last one ends the stream. */
    void remove(final StreamRing ring, final RingUser user)
    {
        if (!ring.users().remove(user))
        {
            return;
        }
        counters.publicationRemoved();
        LateFault.discard();        // another file's; one that comes now is of this ring
        try
        {
            afterRemoval(ring);
        }
        catch (final InternalError fault)
        {
            lost.lose(ring, fault);
        }
    }

    private void afterRemoval(final StreamRing ring)
    {
        if (ring.kind() == RingKind.CONCURRENT)
        {
            repairs.start(ring);
        }
        if (ring.users().isEmpty())
        {
            ending.end(ring);
        }
        else
        {
            journal(ring);
        }
    }

    private StreamRing sharedRing(final PublicationRequest request)
    {
        for (final StreamRing ring : rings.all())
        {
            if (ring.kind() == RingKind.CONCURRENT && !ending.isEnding(ring) &&
                ring.streamId() == request.streamId && SharedChannel.isShared(ring.channel(), request.channel))
            {
                try
                {
                    if (!ring.isEnded())
                    {
                        return ring;
                    }
                }
                catch (final InternalError fault)
                {
                    lost.lose(ring, fault);
                    return null;
                }
            }
        }
        return null;
    }

    private void ringReady(final StreamRing ring, final List<PublicationRequest> requests)
    {
        rings.add(ring);
        try
        {
            if (remote != null)
            {
                remote.publish(ring);
            }
        }
        catch (final RefusedException failure)
        {
            requests.forEach(request -> ringRefused(request, failure));
            rings.destroy(ring);
            return;
        }
        if (requests.stream().allMatch(PublicationRequest::isCancelled))
        {
            ending.end(ring);
            return;
        }
        // Before anybody can publish: who subscribes by now gets all of it.
        subscriptions.joinAll(ring);
        if (!rings.holds(ring))
        {
            requests.forEach(request -> ringRefused(request, new RefusedException(ErrorCode.GENERIC,
                "the new ring was damaged or cut at once, see the driver's errors")));
            return;
        }
        publish(ring, requests);
    }

    private void ringRefused(final PublicationRequest request, final Throwable failure)
    {
        if (!(failure instanceof RefusedException))
        {
            errorHandler.onError(failure);
        }
        request.session.holdings().publicationRefused(request, failure);
    }

    private void publish(final StreamRing ring, final List<PublicationRequest> requests)
    {
        final List<PublicationRequest> wanted =
            requests.stream().filter(request -> !request.isCancelled()).toList();
        for (final PublicationRequest request : wanted)
        {
            ring.users().add(new RingUser(request.session.clientId(), request.registrationId, request.session));
            counters.publicationAdded();
        }
        if (!wanted.isEmpty() && !journal(ring))
        {
            wanted.forEach(request -> withdraw(ring, request));
            if (ring.users().isEmpty())
            {
                ending.end(ring);
            }
            return;
        }
        for (final PublicationRequest request : wanted)
        {
            request.session.holdings().publicationReady(request, ring);
        }
    }

    private void withdraw(final StreamRing ring, final PublicationRequest request)
    {
        ring.users().remove(ring.user(request.session.clientId(), request.registrationId));
        counters.publicationRemoved();
        request.session.holdings().publicationRefused(request, new RefusedException(ErrorCode.STORAGE_FULL,
            "the journal of rings can't be written, see the driver's errors: is the directory's file system full?"));
    }

    /** A failure is reported and leaves the entry before; at worst the next driver adopts a ring too many. */
    private boolean journal(final StreamRing ring)
    {
        try
        {
            maker.journal(ring);
            return true;
        }
        catch (final IOException failure)
        {
            errorHandler.onError(failure);
            return false;
        }
    }
}

package io.gannet.driver;

import io.gannet.control.ErrorCode;
import io.gannet.protocol.ImageEnd;
import io.gannet.protocol.PublicationKind;
import io.gannet.ring.RingKind;
import org.agrona.collections.IntArrayList;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * What one client has: its publications, also those that are being made, subscriptions and counters, by registration
 * id. Owned by the conductor.
 */
final class ClientHoldings
{
    private static final long NO_COUNTER = -1;

    private final ClientSession session;
    private final Streams streams;
    private final DriverCounters counters;
    private final Long2ObjectHashMap<PublicationRequest> requests = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<StreamRing> publications = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<Subscriber> subscribers = new Long2ObjectHashMap<>();
    private final Long2LongHashMap applicationCounters = new Long2LongHashMap(NO_COUNTER);
    /** Of a conversation that is over: the client may write to them as long as it has no others. */
    private final IntArrayList leftCounters = new IntArrayList();

    ClientHoldings(final ClientSession session, final Streams streams, final DriverCounters counters)
    {
        this.session = session;
        this.streams = streams;
        this.counters = counters;
    }

    /**
     * @throws RefusedException if the client uses a registration id twice.
     */
    void checkNew(final long registrationId)
    {
        if (requests.containsKey(registrationId) || publications.containsKey(registrationId) ||
            subscribers.containsKey(registrationId) || applicationCounters.containsKey(registrationId))
        {
            throw new RefusedException(ErrorCode.CONFLICT, "registration id " + registrationId + " is in use");
        }
    }

    /** Asks for a publication; the answer comes now or later. */
    void request(final PublicationRequest request)
    {
        requests.put(request.registrationId, request);
        try
        {
            streams.publications().add(request);
        }
        catch (final RefusedException e)
        {
            requests.remove(request.registrationId);
            throw e;
        }
    }

    /** The ring of a request is there. */
    void publicationReady(final PublicationRequest request, final StreamRing ring)
    {
        requests.remove(request.registrationId);
        publications.put(request.registrationId, ring);
        final PublicationKind kind =
            ring.kind() == RingKind.EXCLUSIVE ? PublicationKind.EXCLUSIVE : PublicationKind.CONCURRENT;
        session.events().send(out -> out.publicationReady(request.correlationId, request.registrationId, kind,
            ring.streamId(), ring.sessionId(), ring.ringId(), ring.fileName()));
    }

    /** A request that could not be served. */
    void publicationRefused(final PublicationRequest request, final Throwable failure)
    {
        if (!request.isCancelled())
        {
            requests.remove(request.registrationId);
            session.refuse(request.correlationId, failure);
        }
    }

    /** The ring of a publication is no more. */
    void publicationLost(final long registrationId, final StreamRing ring, final String reason)
    {
        if (publications.remove(registrationId) != null)
        {
            session.events().send(out -> out.publicationEnded(registrationId, ring.position(), ErrorCode.NOT_ADOPTED,
                "the stream can't go on with " + ring + ": " + reason));
        }
    }

    void removePublication(final long registrationId)
    {
        final PublicationRequest request = requests.remove(registrationId);
        if (request != null)
        {
            request.cancel();
        }
        final StreamRing ring = publications.remove(registrationId);
        if (ring != null)
        {
            streams.publications().remove(ring, ring.user(session.clientId(), registrationId));
        }
    }

    /** Enters a subscription that may not be ready yet. */
    void add(final Subscriber subscriber)
    {
        subscribers.put(subscriber.registrationId, subscriber);
    }

    boolean holds(final Subscriber subscriber)
    {
        return subscribers.get(subscriber.registrationId) == subscriber;
    }

    /** Null if there is none. */
    Subscriber subscriber(final long registrationId)
    {
        return subscribers.get(registrationId);
    }

    void removeSubscriber(final long registrationId)
    {
        final Subscriber subscriber = subscribers.remove(registrationId);
        if (subscriber != null)
        {
            streams.subscriptions().remove(subscriber);
        }
    }

    /** Joins the subscriptions to the rings that they have not joined yet. */
    void match()
    {
        subscribers.values().forEach(streams.subscriptions()::match);
    }

    void addCounter(final long registrationId, final int counterId)
    {
        applicationCounters.put(registrationId, counterId);
    }

    void removeCounter(final long registrationId)
    {
        final long id = applicationCounters.remove(registrationId);
        if (id != NO_COUNTER)
        {
            counters.free((int) id);
        }
    }

    /** Frees everything. */
    void release()
    {
        subscribers.values().forEach(streams.subscriptions()::remove);
        forget();
        freeLeftCounters();
        streams.releaseClient(session.clientId());
    }

    /** Keeps what the client has as after a driver restart: until it claims it again or says that it will not. */
    void detach()
    {
        subscribers.values().forEach(streams.subscriptions()::detach);
        publications.forEach(
            (registrationId, ring) -> ring.user(session.clientId(), registrationId).resumedBy(null));
        applicationCounters.forEachLong((registrationId, id) -> leftCounters.addInt((int) id));
        applicationCounters.clear();
        forget();
    }

    /** The client has claimed what it still has, its counters under other numbers. */
    void resumed()
    {
        streams.releaseUnresumed(session.clientId());
        freeLeftCounters();
    }

    private void freeLeftCounters()
    {
        leftCounters.forEachInt(counters::free);
        leftCounters.clear();
    }

    private void forget()
    {
        requests.values().forEach(PublicationRequest::cancel);
        requests.clear();
        subscribers.clear();
        publications.clear();
        applicationCounters.forEachLong((registrationId, id) -> counters.free((int) id));
        applicationCounters.clear();
        session.events().clear();
    }

    /** Gives a client the publication back that it had under the driver before; false if that is not possible. */
    boolean resume(final PublicationRequest request, final long ringId)
    {
        final StreamRing ring = streams.ring(ringId);
        final RingUser user = ring == null ? null : ring.user(session.clientId(), request.registrationId);
        if (user == null || ring.kind() != request.kind || ring.streamId() != request.streamId)
        {
            return false;
        }
        user.resumedBy(session);
        publicationReady(request, ring);
        return true;
    }

    /** Gives a client the image back that it had under the driver before; false if that is not possible. */
    boolean resumeImage(final long subscriptionId, final long ringId, final int gate)
    {
        final Subscriber subscriber = subscribers.get(subscriptionId);
        final StreamRing ring = streams.ring(ringId);
        final RingImage image = ring == null ? null : ring.image(session.clientId(), subscriptionId);
        if (subscriber == null || image == null || image.gate != gate || image.subscriber() != null)
        {
            return false;
        }
        image.resumedBy(subscriber);
        subscriber.images.add(image);
        if (image.droppedAt() != RingImage.NOT_DROPPED)
        {
            // The driver before has cut it off, and may not have come to say so.
            image.sendEnd(image.droppedAt(), ImageEnd.CUT_OFF);
        }
        return true;
    }
}

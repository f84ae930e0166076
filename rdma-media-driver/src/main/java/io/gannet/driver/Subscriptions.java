package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.control.ErrorCode;
import io.gannet.os.LateFault;
import io.gannet.protocol.ImageEnd;
import io.gannet.protocol.ImageKind;
import io.gannet.ring.CorruptRingException;
import io.gannet.ring.GatingList;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Who reads which ring: joins subscriptions to the rings of their streams, now and later, and lets them go. Owned by
 * the conductor.
 */
final class Subscriptions
{
    private final RingTable rings;
    private final RingEnding ending;
    private final LostRings lost;
    private final BrokenImages broken;
    private final RemoteStreams remote;
    private final RingCounters counters;
    private final List<Subscriber> subscribers = new ArrayList<>();

    /**
     * @param remote takes in publications of other hosts, null if there is no device.
     */
    Subscriptions(
        final RingTable rings,
        final RingEnding ending,
        final LostRings lost,
        final BrokenImages broken,
        final RemoteStreams remote,
        final RingCounters counters)
    {
        this.rings = rings;
        this.ending = ending;
        this.lost = lost;
        this.broken = broken;
        this.remote = remote;
        this.counters = counters;
    }

    /**
     * Prepares a subscription, which {@link #add} follows.
     *
     * @param answer gets null, or why it is refused; now or later.
     */
    void prepare(final Subscriber subscriber, final Consumer<Throwable> answer)
    {
        if (subscriber.channel.media() == Channel.Media.RDMA)
        {
            remote.listen(subscriber, answer);
        }
        else
        {
            answer.accept(null);
        }
    }

    /** Joins a subscription to every ring of its stream, now and later. Its client knows that it is there. */
    void add(final Subscriber subscriber)
    {
        subscriber.opened();
        subscribers.add(subscriber);
        counters.subscriptionAdded();
        match(subscriber);
    }

    void remove(final Subscriber subscriber)
    {
        if (subscribers.remove(subscriber))
        {
            counters.subscriptionRemoved();
        }
        broken.forget(subscriber.session.clientId(), subscriber.registrationId);
        for (final RingImage image : List.copyOf(subscriber.images))
        {
            release(image);
        }
    }

    /** Forgets a subscription but keeps its gates, until its client claims them again or is dead. */
    void detach(final Subscriber subscriber)
    {
        if (subscribers.remove(subscriber))
        {
            counters.subscriptionRemoved();
        }
        subscriber.images.forEach(image -> image.resumedBy(null));
        subscriber.images.clear();
    }

    /** Joins a subscription to the rings of its stream that it has not joined yet. */
    void match(final Subscriber subscriber)
    {
        if (subscriber.isOpen())
        {
            // A look at each ring must be cheap, joining is not.
            rings.list().stream().filter(ring -> ring.matches(subscriber)).toList()
                .forEach(ring -> joinUnlessBusy(ring, subscriber));
        }
    }

    /**
     * Joins all subscriptions of its stream to a ring that is new and into which nothing was published. Also those
     * whose clients read no events at the moment, or they miss its beginning: what waits for such a client is bounded
     * by the rings that there may be.
     */
    void joinAll(final StreamRing ring)
    {
        for (final Subscriber subscriber : subscribers)
        {
            if (ring.matches(subscriber))
            {
                join(ring, subscriber);
            }
        }
    }

    /** Removes a gate; its reader has ended. */
    void release(final RingImage image)
    {
        final StreamRing ring = image.ring;
        if (ring.images().remove(image))
        {
            if (image.subscriber() != null)
            {
                image.subscriber().images.remove(image);
            }
            counters.imageRemoved(image);
            LateFault.discard();    // another file's; one that comes now is of this ring
            try
            {
                leave(ring, image);
            }
            catch (final InternalError fault)
            {
                lost.lose(ring, fault);
            }
            if (ring.kind() == RingKind.IMAGE && image.subscriber() != null &&
                subscribers.contains(image.subscriber()))
            {
                // For the next image of the same publication.
                image.subscriber().session.matchLater();
            }
        }
    }

    private void leave(final StreamRing ring, final RingImage image)
    {
        ring.membership().leave(image.gate);
        if (image.droppedAt() != RingImage.NOT_DROPPED && ending.isEnding(ring) &&
            subscribers.contains(image.subscriber()))
        {
            // There is no live position any more at which it could go on.
            tellGap(ring, image.subscriber(), image.droppedAt(),
                ring.isEnded() ? ring.ring().endOfStreamPosition() : ring.membership().finalPosition());
        }
        ending.check(ring);
        if (rings.holds(ring))
        {
            joinAnew(ring, image);
            rejoin(image);
            joinNext(ring);
        }
        // Who joins may find that the ring is damaged.
        if (rings.holds(ring) && ring.images().isEmpty() && !ring.isEnded())
        {
            ring.unread();
        }
    }

    /** A subscription has given back an image that has not ended: it met damage, and goes on behind that. */
    private void joinAnew(final StreamRing ring, final RingImage image)
    {
        final Subscriber subscriber = image.subscriber();
        if (image.droppedAt() == RingImage.NOT_DROPPED && subscriber != null && subscribers.contains(subscriber) &&
            !ring.isEnded() && !ending.isEnding(ring))
        {
            if (ring.membership().leftAt() == ring.gates().joinPosition(image.gate))
            {
                subscriber.cannotRead(ring.ringId());
            }
            subscriber.session.matchLater();
        }
    }

    /** A gate is free again: for the first subscriber that found the ring full. */
    private void joinNext(final StreamRing ring)
    {
        if (ring.images().size() != RingLayout.MAX_ENTRIES - 1)
        {
            return;
        }
        for (final Subscriber subscriber : subscribers)
        {
            if (ring.matches(subscriber) && subscriber.imageOf(ring.ringId()) == null)
            {
                joinUnlessBusy(ring, subscriber);
                return;
            }
        }
    }

    /** Those that take a new image of a publication of another host. */
    List<Subscriber> ofNew(final Place place, final int streamId, final int sessionId, final long publicationId)
    {
        return subscribers.stream().filter(subscriber ->
            subscriber.wants(place, streamId, sessionId) && !subscriber.reads(publicationId)).toList();
    }

    /** Those that take a publication of another host. */
    List<Subscriber> of(final Place place, final int streamId, final int sessionId)
    {
        return subscribers.stream().filter(subscriber -> subscriber.wants(place, streamId, sessionId)).toList();
    }

    /** The driver before has ended an image but may have died before it noted why. */
    void mayHaveBrokenOff(final StreamRing ring)
    {
        broken.add(ring.origin().publicationId(), ring.receivedPosition(), ring.images());
    }

    /** Where the last image of another host's publication broke off, {@link BrokenImages#NONE} if none did. */
    long brokenOffAt(final long publicationId)
    {
        return broken.position(publicationId);
    }

    /** Adds where anybody subscribes. */
    void addPlaces(final Set<Place> places)
    {
        // By index: in the conductor's duty cycle, which makes no garbage.
        for (int i = 0; i < subscribers.size(); i++)
        {
            final Place place = subscribers.get(i).place();
            if (place != null)
            {
                places.add(place);
            }
        }
    }

    /** An image of another host's publication has its first position; nothing of it is visible yet. */
    void imageStarted(final StreamRing ring)
    {
        rings.add(ring);
        for (final Subscriber subscriber : subscribers)
        {
            // Also one whose client reads no events at the moment: the image starts with all that wanted it, or those
            // miss its beginning. What waits for such a client is bounded by the rings that there may be.
            join(ring, subscriber);
        }
        if (rings.holds(ring) && ring.images().isEmpty())
        {
            ring.unread();
        }
    }

    /**
     * Nothing comes to an image any more; its readers take what is there.
     *
     * @param position up to which it was received.
     */
    void imageEnded(final StreamRing ring, final long position)
    {
        if (ring.endReason() != ImageEnd.END_OF_STREAM)
        {
            broken.add(ring.origin().publicationId(), position, ring.images());
        }
        ending.end(ring);
    }

    /** A subscriber that was cut off goes on at the live position, and is told before what it missed. */
    private void rejoin(final RingImage image)
    {
        final Subscriber subscriber = image.subscriber();
        if (image.droppedAt() != RingImage.NOT_DROPPED && subscribers.contains(subscriber))
        {
            subscriber.missesFrom(image.ring.ringId(), image.droppedAt());
            joinUnlessBusy(image.ring, subscriber);
        }
    }

    private void joinUnlessBusy(final StreamRing ring, final Subscriber subscriber)
    {
        if (subscriber.session.events().isEmpty())
        {
            join(ring, subscriber);
        }
        else
        {
            subscriber.session.matchLater();
        }
    }

    private void join(final StreamRing ring, final Subscriber subscriber)
    {
        LateFault.discard();        // another file's; one that comes now is of this ring
        try
        {
            tryJoin(ring, subscriber);
        }
        catch (final InternalError fault)
        {
            lost.lose(ring, fault);
        }
        catch (final CorruptRingException damaged)
        {
            lost.damaged(ring, damaged.getMessage());
        }
    }

    private void tryJoin(final StreamRing ring, final Subscriber subscriber)
    {
        if (!rings.holds(ring) || !ring.matches(subscriber) || ring.isEnded() || ending.isEnding(ring) ||
            ring.image(subscriber.session.clientId(), subscriber.registrationId) != null ||
            !subscriber.canRead(ring.ringId()))
        {
            return;
        }
        if (ring.kind() == RingKind.IMAGE && subscriber.reads(ring.origin().publicationId()))
        {
            // It reads the image that broke off to its end before it joins the next one.
            return;
        }
        final int gate;
        try
        {
            gate = ring.membership().join(
                GatingList.Kind.LOCAL, subscriber.session.clientId(), subscriber.registrationId);
        }
        catch (final CorruptRingException damaged)
        {
            throw damaged;
        }
        catch (final IllegalStateException full)
        {
            subscriber.session.events().send(events ->
                events.operationFailed(0, ErrorCode.LIMIT_REACHED, ring + " has " + RingLayout.MAX_ENTRIES +
                    " subscribers, the most that a ring can have; this one joins when another leaves"));
            return;
        }
        final RingImage image = new RingImage(
            ring, gate, subscriber.session.clientId(), subscriber.registrationId, subscriber);
        ring.images().add(image);
        subscriber.images.add(image);
        counters.imageAdded(image);
        final long joinPosition = ring.gates().joinPosition(gate);
        final ImageKind kind = ring.kind() == RingKind.IMAGE ? ImageKind.REMOTE : ImageKind.LOCAL;
        // Gaps before the image, so that nothing behind one is seen earlier.
        if (ring.kind() == RingKind.IMAGE)
        {
            tellBrokenOff(ring, subscriber, joinPosition);
        }
        tellGap(ring, subscriber, subscriber.takeMissed(ring.ringId()), joinPosition);
        subscriber.session.events().send(events -> events.imageAvailable(subscriber.registrationId, kind,
            ring.streamId(), ring.sessionId(), ring.ringId(), gate, joinPosition, ring.fileName(), ring.source()));
    }

    /** Its last image of the same publication may have broken off before. */
    private void tellBrokenOff(final StreamRing ring, final Subscriber subscriber, final long to)
    {
        final long publicationId = ring.origin().publicationId();
        final long clientId = subscriber.session.clientId();
        tellGap(ring, subscriber, broken.position(publicationId, clientId, subscriber.registrationId), to);
        // A driver that dies in between has told it twice rather than never.
        broken.told(publicationId, clientId, subscriber.registrationId);
    }

    private static void tellGap(final StreamRing ring, final Subscriber subscriber, final long from, final long to)
    {
        if (from >= 0 && to > from)
        {
            subscriber.session.events().send(events ->
                events.gap(subscriber.registrationId, ring.ringId(), ring.sessionId(), from, to));
        }
    }
}

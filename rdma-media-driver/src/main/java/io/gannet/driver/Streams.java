package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.control.ErrorCode;
import io.gannet.protocol.ImageEnd;
import io.gannet.protocol.ImageKind;
import io.gannet.protocol.PublicationKind;
import io.gannet.ring.GatingList;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.ErrorHandler;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * All rings and subscriptions of the directory, and who is joined to whom. Owned by the conductor.
 */
final class Streams
{
    private final RingMaker maker;
    private final StreamCounters counters;
    private final ErrorHandler errorHandler;
    private final Long2ObjectHashMap<StreamRing> rings = new Long2ObjectHashMap<>();
    private final List<Subscriber> subscribers = new ArrayList<>();
    private final RingRepairs repairs;
    private final RingEnding ending;
    private final SlowSubscribers slow;
    private final RemoteStreams remote;

    /**
     * @param remote ties them to other hosts, null if there is no device.
     */
    Streams(
        final RingMaker maker,
        final StreamCounters counters,
        final ErrorHandler errorHandler,
        final RemoteStreams remote)
    {
        this.remote = remote;
        this.maker = maker;
        this.counters = counters;
        this.errorHandler = errorHandler;
        repairs = new RingRepairs(counters.repairedBytes(), errorHandler);
        slow = new SlowSubscribers(counters.dropped());
        ending = new RingEnding(repairs, errorHandler, this::destroy, this::lose);
    }

    /** Takes in a ring of the driver before. */
    void adopt(final StreamRing ring)
    {
        rings.put(ring.ringId(), ring);
        counters.ringAdded(ring);
        if (ring.kind() == RingKind.CONCURRENT)
        {
            repairs.start(ring);
        }
        if (ring.isEnded() || ring.users().isEmpty())
        {
            ending.end(ring);
        }
        else if (remote != null)
        {
            remote.publish(ring);
        }
    }

    StreamRing ring(final long ringId)
    {
        return rings.get(ringId);
    }

    Iterable<StreamRing> rings()
    {
        return rings.values();
    }

    /** Makes or finds the ring of a publication; answers its client now or later. */
    void addPublication(final PublicationRequest request)
    {
        final StreamRing existing = request.kind == RingKind.CONCURRENT ? sharedRing(request) : null;
        if (existing != null)
        {
            publish(existing, List.of(request));
        }
        else
        {
            maker.make(request, this::isSessionTaken, this::ringReady, this::ringRefused);
        }
    }

    /** Ends one publication; the last one ends the stream. */
    void removePublication(final StreamRing ring, final RingUser user)
    {
        if (!ring.users().remove(user))
        {
            return;
        }
        counters.publicationRemoved();
        try
        {
            afterRemoval(ring);
        }
        catch (final InternalError fault)
        {
            lose(ring, fault);
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

    /**
     * Prepares a subscription, which {@link #addSubscriber} follows.
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
    void addSubscriber(final Subscriber subscriber)
    {
        subscriber.opened();
        subscribers.add(subscriber);
        counters.subscriptionAdded();
        match(subscriber);
    }

    void removeSubscriber(final Subscriber subscriber)
    {
        if (subscribers.remove(subscriber))
        {
            counters.subscriptionRemoved();
        }
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
            for (final StreamRing ring : List.copyOf(rings.values()))
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
            try
            {
                ring.membership().leave(image.gate);
                ending.check(ring);
                // Destroyed with its last gate, the resource thread may have unmapped it by now.
                if (rings.get(ring.ringId()) == ring)
                {
                    rejoin(image);
                    joinNext(ring);
                    if (ring.images().isEmpty() && !ring.isEnded())
                    {
                        ring.unread();
                    }
                }
            }
            catch (final InternalError fault)
            {
                lose(ring, fault);
            }
        }
    }

    /**
     * A ring's memory is gone, as its file was truncated: what can be done is to keep that from everybody else.
     */
    private void lose(final StreamRing ring, final InternalError fault)
    {
        if (rings.get(ring.ringId()) != ring)
        {
            return;
        }
        errorHandler.onError(new DriverException(
            ring + " can't be read any more and ends here; was its file " + ring.fileName() + " truncated?", fault));
        repairs.forget(ring);
        ending.forget(ring);
        for (final RingImage image : ring.images())
        {
            counters.imageRemoved(image);
            if (image.subscriber() != null)
            {
                sendEnd(image, 0, ImageEnd.NOT_ADOPTED);
                image.subscriber().images.remove(image);
            }
        }
        ring.images().clear();
        for (final RingUser user : ring.users())
        {
            counters.publicationRemoved();
            if (user.session() != null)
            {
                user.session().publicationLost(user.registrationId, ring);
            }
        }
        ring.users().clear();
        destroy(ring);
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
                join(ring, subscriber);
                return;
            }
        }
    }

    /** Whether anybody subscribes to a stream of another host. */
    boolean isWanted(final InetSocketAddress address, final int streamId, final int sessionId)
    {
        return subscribers.stream().anyMatch(subscriber -> subscriber.wants(address, streamId, sessionId));
    }

    /**
     * An image of another host's publication has its first position; nothing of it is visible yet.
     *
     * @param gapFrom where the image of the same publication before it broke off, negative if there was none.
     */
    void imageStarted(final StreamRing ring, final long publicationId, final long gapFrom, final long start)
    {
        rings.put(ring.ringId(), ring);
        counters.ringAdded(ring);
        for (final Subscriber subscriber : subscribers)
        {
            join(ring, subscriber);
            if (subscriber.imageOf(ring.ringId()) != null && subscriber.interrupted.remove(publicationId) &&
                gapFrom >= 0 && start > gapFrom)
            {
                subscriber.session.events().send(events -> events.gap(
                    subscriber.registrationId, ring.ringId(), ring.sessionId(), gapFrom, start));
            }
        }
        if (ring.images().isEmpty())
        {
            ring.unread();
        }
    }

    /** Nothing comes to an image any more; its readers take what is there. */
    void imageEnded(final StreamRing ring, final long publicationId)
    {
        for (final RingImage image : ring.images())
        {
            if (image.subscriber() != null && ring.endReason() != ImageEnd.END_OF_STREAM)
            {
                image.subscriber().interrupted.add(publicationId);
            }
        }
        ending.end(ring);
    }

    /** A subscriber that was cut off goes on at the live position, and is told what it missed. */
    private void rejoin(final RingImage image)
    {
        final Subscriber subscriber = image.subscriber();
        if (image.droppedAt() == RingImage.NOT_DROPPED || !subscribers.contains(subscriber))
        {
            return;
        }
        join(image.ring, subscriber);
        final RingImage next = subscriber.imageOf(image.ring.ringId());
        if (next != null)
        {
            final long to = image.ring.gates().joinPosition(next.gate);
            subscriber.session.events().send(events -> events.gap(subscriber.registrationId,
                image.ring.ringId(), image.ring.sessionId(), image.droppedAt(), to));
        }
    }

    /** Frees everything of a client that has no session in this driver or is leaving it. */
    void releaseClient(final long clientId)
    {
        for (final StreamRing ring : List.copyOf(rings.values()))
        {
            for (final RingImage image : List.copyOf(ring.images()))
            {
                if (image.clientId == clientId)
                {
                    release(image);
                }
            }
            for (final RingUser user : List.copyOf(ring.users()))
            {
                if (user.clientId == clientId)
                {
                    removePublication(ring, user);
                }
            }
        }
    }

    /** Frees what a client held under the driver before and has not asked for again. */
    void releaseUnresumed(final long clientId)
    {
        for (final StreamRing ring : List.copyOf(rings.values()))
        {
            for (final RingImage image : List.copyOf(ring.images()))
            {
                if (image.clientId == clientId && image.subscriber() == null)
                {
                    release(image);
                }
            }
            for (final RingUser user : List.copyOf(ring.users()))
            {
                if (user.clientId == clientId && user.session() == null)
                {
                    removePublication(ring, user);
                }
            }
        }
    }

    /** Goes on with endings and repairs; returns how much was done. */
    int poll()
    {
        int work = repairs.poll() + ending.poll();
        StreamRing current = null;
        try
        {
            for (final StreamRing ring : rings.values())
            {
                current = ring;
                work += slow.check(ring);
            }
        }
        catch (final InternalError fault)
        {
            lose(current, fault);
        }
        return work;
    }

    /** Takes positions into the counters. */
    void sample()
    {
        StreamRing current = null;
        try
        {
            for (final StreamRing ring : rings.values())
            {
                current = ring;
                counters.sample(ring);
            }
        }
        catch (final InternalError fault)
        {
            lose(current, fault);
        }
    }

    private StreamRing sharedRing(final PublicationRequest request)
    {
        for (final StreamRing ring : rings.values())
        {
            if (ring.kind() == RingKind.CONCURRENT && !ending.isEnding(ring) &&
                ring.streamId() == request.streamId && ring.channel().equals(request.channel))
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
                    lose(ring, fault);
                    return null;
                }
            }
        }
        return null;
    }

    private boolean isSessionTaken(final int sessionId)
    {
        for (final StreamRing ring : rings.values())
        {
            if (ring.sessionId() == sessionId && ring.kind() != RingKind.IMAGE)
            {
                return true;
            }
        }
        return false;
    }

    private void ringReady(final StreamRing ring, final List<PublicationRequest> requests)
    {
        rings.put(ring.ringId(), ring);
        counters.ringAdded(ring);
        publish(ring, requests);
        if (ring.users().isEmpty())
        {
            ending.end(ring);
        }
        else
        {
            if (remote != null)
            {
                remote.publish(ring);
            }
            for (final Subscriber subscriber : subscribers)
            {
                join(ring, subscriber);
            }
        }
    }

    private void ringRefused(final PublicationRequest request, final Throwable failure)
    {
        if (!(failure instanceof RefusedException))
        {
            errorHandler.onError(failure);
        }
        request.session.publicationRefused(request, failure);
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
            return;
        }
        for (final PublicationRequest request : wanted)
        {
            request.session.publicationReady(request, ring);
        }
    }

    private void withdraw(final StreamRing ring, final PublicationRequest request)
    {
        ring.users().remove(ring.user(request.session.clientId(), request.registrationId));
        counters.publicationRemoved();
        request.session.publicationRefused(request, new RefusedException(ErrorCode.STORAGE_FULL,
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

    private void join(final StreamRing ring, final Subscriber subscriber)
    {
        try
        {
            tryJoin(ring, subscriber);
        }
        catch (final InternalError fault)
        {
            lose(ring, fault);
        }
    }

    private void tryJoin(final StreamRing ring, final Subscriber subscriber)
    {
        if (!ring.matches(subscriber) || ring.isEnded() || ending.isEnding(ring) ||
            ring.image(subscriber.session.clientId(), subscriber.registrationId) != null)
        {
            return;
        }
        if (!subscriber.session.events().isEmpty())
        {
            subscriber.session.matchLater();
            return;
        }
        final int gate;
        try
        {
            gate = ring.membership().join(
                GatingList.Kind.LOCAL, subscriber.session.clientId(), subscriber.registrationId);
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
        subscriber.session.events().send(events -> events.imageAvailable(subscriber.registrationId, kind,
            ring.streamId(), ring.sessionId(), ring.ringId(), gate, joinPosition, ring.fileName(), ring.source()));
    }

    private void destroy(final StreamRing ring)
    {
        rings.remove(ring.ringId());
        counters.ringRemoved(ring);
        maker.destroy(ring, errorHandler);
    }

    static RingKind ringKind(final PublicationKind kind)
    {
        return kind == PublicationKind.EXCLUSIVE ? RingKind.EXCLUSIVE : RingKind.CONCURRENT;
    }

    static PublicationKind publicationKind(final RingKind kind)
    {
        return kind == RingKind.EXCLUSIVE ? PublicationKind.EXCLUSIVE : PublicationKind.CONCURRENT;
    }

    /** Parses a channel that a client sent. */
    Channel channel(final String text)
    {
        final Channel channel;
        try
        {
            channel = Channel.parse(text);
        }
        catch (final IllegalArgumentException e)
        {
            throw new RefusedException(ErrorCode.INVALID_CHANNEL, e.getMessage());
        }
        if (channel.media() == Channel.Media.RDMA)
        {
            checkRemote(channel);
        }
        return channel;
    }

    /**
     * Checks that an rdma channel can be served.
     *
     * @throws RefusedException if it can't, with the remedy.
     */
    void checkRemote(final Channel channel)
    {
        if (remote == null)
        {
            throw new RefusedException(ErrorCode.INVALID_CHANNEL, "channel " + channel +
                ": this driver has no RDMA device; start it with " + DriverOptions.DEVICE +
                "=roce, or use gannet:ipc on one host");
        }
        remote.check(channel);
    }

    static void sendEnd(final RingImage image, final long position, final ImageEnd reason)
    {
        final Subscriber subscriber = image.subscriber();
        image.endWasSent();
        subscriber.session.events().send(events ->
            events.imageUnavailable(subscriber.registrationId, image.ring.ringId(), position, reason));
    }
}

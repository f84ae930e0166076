package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.control.ErrorCode;
import io.gannet.ring.RingKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.function.IntPredicate;
import org.agrona.ErrorHandler;

/**
 * Makes rings for publications: checks the budget, has the ring made on the resource thread and brings requests for the
 * same shared ring together. Owned by the conductor.
 */
final class RingMaker
{
    /** Ring ids of one driver follow its epoch, in milliseconds since 1970, so that no two drivers give the same. */
    private static final int EPOCH_SHIFT = 20;

    private final RingFactory factory;
    private final RingBudget budget;
    private final ResourceExecutor resources;
    private final Addresses addresses;
    private final Map<String, List<PublicationRequest>> shared = new HashMap<>();
    private final List<StreamRing> condemned = new ArrayList<>();
    private long nextRingId;
    private int nextSessionId = ThreadLocalRandom.current().nextInt();

    RingMaker(
        final RingFactory factory,
        final RingBudget budget,
        final ResourceExecutor resources,
        final Addresses addresses,
        final long epoch)
    {
        this.addresses = addresses;
        this.factory = factory;
        this.budget = budget;
        this.resources = resources;
        nextRingId = epoch << EPOCH_SHIFT;
    }

    /**
     * Makes a ring for {@code request}.
     *
     * @param sessionTaken whether a session id is in use.
     * @param ready        gets the ring and all requests that it serves; runs later, on the conductor's thread.
     * @throws RefusedException if there is no room, or the failure of a later request comes to {@code refused}.
     */
    void make(
        final PublicationRequest request,
        final IntPredicate sessionTaken,
        final BiConsumer<StreamRing, List<PublicationRequest>> ready,
        final BiConsumer<PublicationRequest, Throwable> refused)
    {
        final boolean sharedRing = request.kind == RingKind.CONCURRENT;
        if (sharedRing && shared.containsKey(request.sharingKey()))
        {
            final List<PublicationRequest> waiting = shared.get(request.sharingKey());
            SharedChannel.check(waiting.getFirst().channel, capacity(waiting.getFirst()), request);
            waiting.add(request);
            return;
        }
        final int sessionId = sessionId(request, sessionTaken);
        final int capacity = capacity(request);
        final long fileLength = factory.fileLength(capacity);
        final RefusedException shortage = budget.take(fileLength);
        if (shortage != null)
        {
            throw shortage;
        }
        final List<PublicationRequest> requests = new ArrayList<>(List.of(request));
        if (sharedRing)
        {
            shared.put(request.sharingKey(), requests);
        }
        final long ringId = nextRingId++;
        whenPlaced(
            request.channel,
            place ->
            {
                final StreamRing ring = factory.create(
                    ringId, request.kind, request.channel, request.streamId, sessionId, capacity);
                ring.place(place);
                return ring;
            },
            (ring, failure) ->
            {
                shared.remove(request.sharingKey(), requests);
                if (failure != null)
                {
                    budget.release(fileLength);
                    requests.forEach(waiting -> refused.accept(waiting, failure));
                }
                else
                {
                    ready.accept(ring, requests);
                }
            });
    }

    /** Makes a ring, on the resource thread, once it is known where its publication goes. */
    private void whenPlaced(
        final Channel channel, final Making making, final BiConsumer<StreamRing, Throwable> completion)
    {
        if (!Addresses.isByName(channel))
        {
            resources.submit(() -> making.at(addresses.ofPublication(channel)), completion);
            return;
        }
        resources.lookUp(() -> addresses.ofPublication(channel), (place, failure) ->
        {
            if (failure != null)
            {
                completion.accept(null, failure);
            }
            else
            {
                resources.submit(() -> making.at(place), completion);
            }
        });
    }

    /** Makes a ring. */
    @FunctionalInterface
    private interface Making
    {
        StreamRing at(Place place) throws IOException;
    }

    private int capacity(final PublicationRequest request)
    {
        final int wanted = request.channel.ringLength();
        return wanted == 0 ? budget.defaultCapacity(request.channel.media()) : wanted;
    }

    /** {@return why no ring of the default capacity fits now, or null} */
    String shortage()
    {
        return budget.shortage(factory.fileLength(budget.defaultCapacity(Channel.Media.IPC)));
    }

    /** {@return bytes that the device registers for a ring of the default capacity, which is mapped twice} */
    long registeredBytes()
    {
        return 2L * budget.defaultCapacity(Channel.Media.RDMA);
    }

    /**
     * Takes room for an image.
     *
     * @return the id of its ring.
     * @throws RefusedException if there is no room.
     */
    long reserve(final int capacity)
    {
        final RefusedException shortage = budget.take(factory.fileLength(capacity));
        if (shortage != null)
        {
            throw shortage;
        }
        return nextRingId++;
    }

    /** Gives the room of an image back that could not be made. */
    void release(final int capacity)
    {
        budget.release(factory.fileLength(capacity));
    }

    /** Makes an image, whose room is taken. On the resource thread. */
    StreamRing createImage(
        final long ringId, final Channel channel, final int streamId, final int sessionId, final int capacity)
        throws IOException
    {
        return factory.create(ringId, RingKind.IMAGE, channel, streamId, sessionId, capacity);
    }

    /** Writes a ring's users down, for the driver that comes next. */
    void journal(final StreamRing ring) throws IOException
    {
        factory.journal().write(ring.journalEntry());
    }

    /** Whether a ring can't be read any more, as its file was cut. */
    boolean isTruncated(final StreamRing ring)
    {
        return factory.isTruncated(ring);
    }

    /**
     * Gives up a ring. Whoever is in the middle of something with it may end that: its memory goes with the next
     * {@link #destroyCondemned}.
     */
    void condemn(final StreamRing ring)
    {
        budget.release(ring.fileLength());
        condemned.add(ring);
    }

    /** Removes files and memory of the rings that were given up, on the resource thread. */
    int destroyCondemned(final ErrorHandler errorHandler)
    {
        int count = 0;
        for (; !condemned.isEmpty(); count++)
        {
            final StreamRing ring = condemned.removeLast();
            resources.submit(() ->
            {
                factory.destroy(ring);
                return ring;
            }, (gone, failure) ->
            {
                if (failure != null)
                {
                    errorHandler.onError(failure);
                }
            });
        }
        return count;
    }

    private int sessionId(final PublicationRequest request, final IntPredicate sessionTaken)
    {
        final Integer wanted = request.channel.sessionId();
        if (wanted != null)
        {
            if (sessionTaken.test(wanted))
            {
                throw new RefusedException(ErrorCode.CONFLICT, "session-id=" + wanted +
                    " is used by another publication: choose another one, or none");
            }
            return wanted;
        }
        while (sessionTaken.test(nextSessionId))
        {
            nextSessionId++;
        }
        return nextSessionId++;
    }
}

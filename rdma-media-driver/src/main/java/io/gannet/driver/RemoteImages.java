package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.driver.stream.ImageSession;
import io.gannet.driver.stream.ReplicationResources;
import io.gannet.driver.stream.SetupRequest;
import io.gannet.ring.Ring;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;

/**
 * The rings of images of other hosts' publications: makes them for replication, and knows them until they end. Owned by
 * the conductor, but for {@link #createImage} and {@link #lookUp}.
 */
final class RemoteImages implements ReplicationResources
{
    private final RingMaker maker;
    private final ResourceExecutor resources;
    private final ConductorInbox conductor;
    private final Addresses addresses;
    private final HostAnswers answers;
    /** Images that are to be made, by the request that asked for them; the resource thread takes them out. */
    private final Map<SetupRequest, Reservation> reservations =
        Collections.synchronizedMap(new IdentityHashMap<>());
    private final Map<StreamRing, ImageSession> sessions = new HashMap<>();
    /** Images that were made and have not ended; the resource thread puts them in. */
    private final Map<Ring, StreamRing> images = Collections.synchronizedMap(new IdentityHashMap<>());

    private record Reservation(long ringId, Channel channel, Place place)
    {
    }

    RemoteImages(
        final RingMaker maker,
        final ResourceExecutor resources,
        final ConductorInbox conductor,
        final Addresses addresses,
        final HostAnswers answers)
    {
        this.answers = answers;
        this.maker = maker;
        this.resources = resources;
        this.conductor = conductor;
        this.addresses = addresses;
    }

    /**
     * Takes room for an image, which is then asked for.
     *
     * @param channel of the image: what of its subscriptions' channels the next driver is to know.
     * @param place   where it comes in.
     * @throws RefusedException if there is no room.
     */
    void reserve(final SetupRequest request, final Channel channel, final Place place)
    {
        reservations.put(request, new Reservation(maker.reserve(request.capacity()), channel, place));
    }

    @Override
    public Ring createImage(final SetupRequest request)
    {
        final Reservation reservation = reservations.get(request);
        try
        {
            final StreamRing ring = maker.createImage(reservation.ringId, reservation.channel,
                request.streamId(), request.sessionId(), request.capacity());
            ring.place(reservation.place);
            images.put(ring.ring(), ring);
            return ring.ring();
        }
        catch (final IOException failure)
        {
            conductor.execute(() -> maker.release(request.capacity()));
            throw new UncheckedIOException(failure);
        }
        catch (final RuntimeException failure)
        {
            conductor.execute(() -> maker.release(request.capacity()));
            throw failure;
        }
        finally
        {
            reservations.remove(request);
        }
    }

    /** Takes in an image that the driver before has left. */
    void adopt(final StreamRing ring)
    {
        images.put(ring.ring(), ring);
    }

    /** The image comes in as that ring from now on. */
    void started(final StreamRing ring, final ImageSession image)
    {
        sessions.put(ring, image);
    }

    /** What brings a ring in; null for other rings. */
    ImageSession session(final StreamRing ring)
    {
        return sessions.get(ring);
    }

    StreamRing get(final ImageSession image)
    {
        return images.get(image.ring());
    }

    /** The image has ended. */
    StreamRing remove(final ImageSession image)
    {
        final StreamRing ring = images.remove(image.ring());
        sessions.remove(ring);
        return ring;
    }

    /** Lets go of images that have not started, whose files belong to nobody: the driver closes. */
    void unmapUnstarted()
    {
        images.values().forEach(ring ->
        {
            if (!sessions.containsKey(ring))
            {
                ring.unmap();
            }
        });
        images.clear();
    }

    /** Adds where images live, or are being made, of publications that come in there. */
    void addPlaces(final Set<Place> places)
    {
        if (!reservations.isEmpty())
        {
            synchronized (reservations)
            {
                reservations.values().forEach(reservation -> places.add(reservation.place));
            }
        }
        if (!images.isEmpty())
        {
            synchronized (images)
            {
                for (final StreamRing ring : images.values())
                {
                    places.add(ring.place());
                }
            }
        }
    }

    @Override
    public InetSocketAddress lookUp(final InetSocketAddress name) throws UnknownHostException
    {
        return addresses.lookUp(name);
    }

    @Override
    public byte[] hostFacts(final boolean again)
    {
        return answers.get(again);
    }

    @Override
    public void wakeControl()
    {
        conductor.wake();
    }

    @Override
    public <T> void submitLookUp(final Callable<T> task, final BiConsumer<T, Throwable> completion)
    {
        resources.lookUp(task, completion);
    }

    @Override
    public <T> void submit(final Callable<T> task, final BiConsumer<T, Throwable> completion)
    {
        resources.submit(task, completion);
    }
}

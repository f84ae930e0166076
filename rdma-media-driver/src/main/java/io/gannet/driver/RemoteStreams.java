package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.control.ErrorCode;
import io.gannet.driver.stream.FailureKind;
import io.gannet.driver.stream.ImageSession;
import io.gannet.driver.stream.OutboundStream;
import io.gannet.driver.stream.Replication;
import io.gannet.driver.stream.ReplicationListener;
import io.gannet.driver.stream.ReplicationResources;
import io.gannet.driver.stream.SetupRequest;
import io.gannet.driver.stream.StreamFailure;
import io.gannet.protocol.ImageEnd;
import io.gannet.rdma.RdmaException;
import io.gannet.ring.Ring;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Ties the rings and subscriptions of this host to replication: publications go out, images of other hosts'
 * publications come in as rings of their own. Owned by the conductor, but for {@link #createImage}.
 */
final class RemoteStreams implements ReplicationListener, ReplicationResources
{
    private final BiConsumer<InetAddress, InetAddress> opener;
    private final RingMaker maker;
    private final ResourceExecutor resources;
    private final ConductorInbox conductor;
    private final DriverErrors errors;
    private final Set<InetSocketAddress> listening = new HashSet<>();
    /** Images that are to be made, by the request that asked for them; the resource thread takes them out. */
    private final Map<SetupRequest, Reservation> reservations =
        Collections.synchronizedMap(new IdentityHashMap<>());
    /** Images that were made and have not ended; the resource thread puts them in. */
    private final Map<Ring, StreamRing> images = Collections.synchronizedMap(new IdentityHashMap<>());
    private String deviceName;
    private InetAddress deviceAddress;
    private Replication replication;
    private Streams streams;
    private boolean stopped;

    /**
     * @param opener opens the device if it isn't yet, which calls {@link #opened}; gets the address that is this host's
     *               and the one that is another's, each or both null, and throws {@link RdmaException}.
     */
    RemoteStreams(
        final BiConsumer<InetAddress, InetAddress> opener,
        final RingMaker maker,
        final ResourceExecutor resources,
        final ConductorInbox conductor,
        final DriverErrors errors)
    {
        this.opener = opener;
        this.maker = maker;
        this.resources = resources;
        this.conductor = conductor;
        this.errors = errors;
    }

    /** Before anything else. */
    void connect(final Streams all)
    {
        streams = all;
    }

    /** There is a device now. */
    void opened(final Replication engine, final String name, final InetAddress address)
    {
        replication = engine;
        deviceName = name;
        deviceAddress = address;
    }

    /** Nothing goes out or comes in any more. */
    void stop()
    {
        stopped = true;
    }

    /**
     * Checks what a channel asks of the device.
     *
     * @param here whether it is a subscription's, whose endpoint is this host.
     * @throws RefusedException with the remedy.
     */
    void check(final Channel channel, final boolean here)
    {
        final InetAddress address = Endpoint.loopback(channel);
        try
        {
            opener.accept(here ? address : null, here ? null : address);
        }
        catch (final RdmaException failure)
        {
            throw new RefusedException(
                ErrorCode.INVALID_CHANNEL, "channel " + channel + ": " + failure.getMessage());
        }
        String problem = null;
        if (channel.endpoint() == null)
        {
            problem = "this driver has no fan-out by control=; use endpoint=host:port of the subscribers' driver";
        }
        else if (channel.device() != null && !channel.device().equals(deviceName))
        {
            problem = "this driver's device is " + deviceName + "; name that one, or none";
        }
        else if (channel.imageTimeoutNanos() != 0)
        {
            problem = "this driver has one image timeout for all channels; leave image-timeout= out";
        }
        if (problem != null)
        {
            throw new RefusedException(ErrorCode.INVALID_CHANNEL, "channel " + channel + ": " + problem);
        }
    }

    /**
     * Takes publications for a subscription from now on.
     *
     * @param answer gets null, or why that is not possible; later, on the conductor's thread.
     */
    void listen(final Subscriber subscriber, final Consumer<Throwable> answer)
    {
        resources.submit(() -> Endpoint.resolve(subscriber.channel), (address, failure) ->
            answer.accept(failure != null ? failure : listen(subscriber, address)));
    }

    private RefusedException listen(final Subscriber subscriber, final InetSocketAddress address)
    {
        subscriber.address(address);
        if (!address.getAddress().equals(deviceAddress))
        {
            errors.tell("subscription to " + subscriber.channel + " gets publications of this host only, as " +
                deviceName + " does not have that address; give the driver that address by " +
                DriverOptions.DEVICE_ADDRESS);
        }
        else if (!stopped && !listening.contains(address))
        {
            try
            {
                replication.listen(address);
                listening.add(address);
            }
            catch (final RdmaException failure)
            {
                return new RefusedException(
                    ErrorCode.INVALID_CHANNEL, "channel " + subscriber.channel + ": " + failure.getMessage());
            }
        }
        return null;
    }

    /** Starts to bring a publication to its host, unless that is this one, whose subscribers read the ring itself. */
    void publish(final StreamRing ring)
    {
        if (!stopped && ring.address() != null && !ring.address().getAddress().equals(deviceAddress))
        {
            final OutboundStream stream = replication.addPublication(ring.ring(), ring.membership(),
                publicationId(ring), ring.address(), ring.channel().slow() == Channel.SlowPolicy.DROP);
            ring.outbound(new Outbound(replication, stream));
        }
    }

    /** Ring ids follow the driver's start in milliseconds, which drivers may share; the session starts at random. */
    private static long publicationId(final StreamRing ring)
    {
        return ring.ringId() ^ ((long) ring.sessionId() << Integer.SIZE);
    }

    @Override
    public boolean isWanted(final InetSocketAddress address, final SetupRequest request)
    {
        if (stopped || !streams.subscriptions().isWanted(address, request.streamId(), request.sessionId()))
        {
            return false;
        }
        try
        {
            reservations.put(request, new Reservation(maker.reserve(request.capacity()), address));
            return true;
        }
        catch (final RefusedException shortage)
        {
            errors.onError(new DriverException("no image of " + request + ": " + shortage.getMessage(), shortage));
            return false;
        }
    }

    @Override
    public Ring createImage(final SetupRequest request)
    {
        final Reservation reservation = reservations.remove(request);
        try
        {
            final StreamRing ring = maker.createImage(reservation.ringId, channel(reservation.address),
                request.streamId(), request.sessionId(), request.capacity());
            ring.address(reservation.address);
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
    }

    private static Channel channel(final InetSocketAddress address)
    {
        final String host = address.getAddress().getHostAddress();
        return Channel.rdma().endpoint(
            (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort()).build();
    }

    @Override
    public void wakeControl()
    {
        conductor.wake();
    }

    @Override
    public <T> void submit(final Callable<T> task, final BiConsumer<T, Throwable> completion)
    {
        resources.submit(task, completion);
    }

    @Override
    public void onImageStarted(final ImageSession image)
    {
        final StreamRing ring = images.get(image.ring());
        ring.source(image.publisher().toString());
        ring.whenUnread(() -> replication.endImage(image));
        streams.subscriptions().imageStarted(
            ring, image.request().publicationId(), image.gapFrom(), image.startPosition());
    }

    @Override
    public void onImageEnded(final ImageSession image, final StreamFailure reason)
    {
        final StreamRing ring = images.remove(image.ring());
        if (streams.ring(ring.ringId()) == null)
        {
            maker.destroy(ring, errors);
            return;
        }
        final boolean whole = reason.kind() == FailureKind.END_OF_STREAM;
        ring.endReason(whole ? ImageEnd.END_OF_STREAM : ImageEnd.PEER_LOST);
        streams.subscriptions().imageEnded(ring, image.request().publicationId());
    }

    @Override
    public void onReplicaStarted(
        final OutboundStream stream, final InetSocketAddress destination, final long position)
    {
        // The gates of the ring and the replication's counters say it.
    }

    @Override
    public void onReplicaEnded(
        final OutboundStream stream,
        final InetSocketAddress destination,
        final long position,
        final StreamFailure reason)
    {
        if (reason != null && reason.kind() != FailureKind.END_OF_STREAM)
        {
            errors.tell(stream.ring() + " no longer goes to " + destination + ", which has consumed it up to " +
                position + ": " + reason);
        }
    }

    @Override
    public void onError(final String message)
    {
        errors.onError(new DriverException(message));
    }

    private record Reservation(long ringId, InetSocketAddress address)
    {
    }
}

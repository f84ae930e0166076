package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.control.ErrorCode;
import io.gannet.driver.stream.AddressText;
import io.gannet.driver.stream.FailureKind;
import io.gannet.driver.stream.ImageSession;
import io.gannet.driver.stream.OutboundStream;
import io.gannet.driver.stream.Replication;
import io.gannet.driver.stream.ReplicationListener;
import io.gannet.driver.stream.ReplicationSettings;
import io.gannet.driver.stream.SetupRequest;
import io.gannet.driver.stream.StreamFailure;
import io.gannet.errors.OperatorError;
import io.gannet.os.OsException;
import io.gannet.protocol.ImageEnd;
import io.gannet.rdma.RdmaException;
import io.gannet.ring.GatingList;
import io.gannet.ring.RingKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Ties the rings and subscriptions of this host to replication: publications go out, images of other hosts'
 * publications come in as rings of their own, and whoever is concerned is told. Owned by the conductor.
 */
final class RemoteStreams implements ReplicationListener
{
    private final BiConsumer<InetAddress, InetAddress> opener;
    private final RemoteImages images;
    private final RingMaker maker;
    private final ResourceExecutor resources;
    private final Addresses addresses;
    private final DriverErrors errors;
    private final FlightEvents recorder = new FlightEvents(ringId -> streams().ring(ringId));
    private final RemoteCounters counters;
    private final Consumer<Set<Place>> users = this::addUsed;
    private ChannelCheck channels;
    private RemotePublications publications;
    private RemoteSubscriptions subscriptions;
    private Replication replication;
    private Streams streams;
    /** The image that is gone on with just now, or null. */
    private StreamRing adopting;
    private boolean stopped;

    /**
     * @param opener opens the device if it isn't yet, which calls {@link #opened}; gets the address that is this host's
     *               and the one that is another's, each or both null, and throws
     *               {@link RdmaException} or {@link OsException}.
     */
    RemoteStreams(
        final BiConsumer<InetAddress, InetAddress> opener,
        final RemoteImages images,
        final RingMaker maker,
        final ResourceExecutor resources,
        final Addresses addresses,
        final DriverErrors errors,
        final RemoteCounters counters)
    {
        this.counters = counters;
        this.opener = opener;
        this.images = images;
        this.maker = maker;
        this.resources = resources;
        this.addresses = addresses;
        this.errors = errors;
    }

    private Streams streams()
    {
        return streams;
    }

    /** Before anything else. */
    void connect(final Streams all)
    {
        streams = all;
    }

    /** There is a device now. */
    void opened(
        final Replication engine, final ReplicationSettings settings, final String name, final InetAddress address)
    {
        replication = engine;
        addresses.own(address);
        channels = new ChannelCheck(name, settings);
        publications = new RemotePublications(engine, addresses, channels);
        subscriptions = new RemoteSubscriptions(
            engine, addresses, resources, errors, channels, name, publications::giveUp);
    }

    /** Nothing goes out or comes in any more. */
    void stop()
    {
        stopped = true;
    }

    /**
     * Checks what a channel asks of the device, which is opened if it isn't yet.
     *
     * @param subscribes whether it is a subscription's; the host of its endpoint is this one, that of a control address
     *                   is the publication's.
     * @throws RefusedException with the remedy.
     */
    void check(final Channel channel, final boolean subscribes)
    {
        Addresses.check(channel);
        final InetAddress address = Addresses.literal(channel);
        final boolean here = subscribes == (channel.control() == null);
        try
        {
            opener.accept(here ? address : null, here ? null : address);
        }
        catch (final RdmaException failure)
        {
            throw new RefusedException(
                ErrorCode.INVALID_CHANNEL, "channel " + channel + ": " + failure.getMessage());
        }
        catch (final OsException shortage)
        {
            throw new RefusedException(
                ErrorCode.SHORTAGE, "channel " + channel + " needs the device: " + shortage.getMessage());
        }
        channels.check(channel);
    }

    /**
     * Takes publications for a subscription from now on.
     *
     * @param answer gets null, or why that is not possible; later, on the conductor's thread.
     */
    void listen(final Subscriber subscriber, final Consumer<Throwable> answer)
    {
        subscriptions.add(subscriber, streams::hasPublication, answer);
    }

    /**
     * Starts to bring a publication to other hosts, if its channel says so.
     *
     * @throws RefusedException if that is not possible, with the remedy.
     */
    void publish(final StreamRing ring)
    {
        if (!stopped && ring.place() != null)
        {
            publications.publish(ring);
        }
    }

    /**
     * Goes on with an image that the driver before has left.
     *
     * @return false if it can't come in any more.
     */
    boolean adopt(final StreamRing ring)
    {
        final SetupRequest request = new SetupRequest(SetupRequest.VERSION, true, ring.streamId(), ring.sessionId(),
            ring.ring().capacity(), 0, ring.origin().publicationId());
        try
        {
            adopting = ring;
            if (!ring.place().fanOut())
            {
                // The device may have another address now, under which publishers that know its name come.
                ring.place(new Place(addresses.ownAt(ring.place().address().getPort()), false));
            }
            images.adopt(ring);
            final InetSocketAddress from = Addresses.parse(ring.origin().publisher());
            ring.source(ring.origin().publisher());
            final ImageSession image;
            if (ring.place().fanOut())
            {
                image = subscriptions.subscribe(ring.channel(), ring.place(), ring.streamId())
                    .adopt(ring.ring(), request);
            }
            else
            {
                image = subscriptions.listen(ring.place()).adopt(ring.ring(), request, from);
            }
            ring.whenUnread(() -> replication.endImage(image));
            images.started(ring, image);
            return true;
        }
        catch (final RdmaException failure)
        {
            errors.onError(new DriverException(OperatorError.NOT_GONE_ON,
                ring + " can't be gone on with: " + failure.getMessage(), failure));
            return false;
        }
        finally
        {
            adopting = null;
        }
    }

    /** The conductor's part of a duty cycle; returns how much was done. */
    int check(final long now)
    {
        if (stopped || subscriptions == null)
        {
            return 0;
        }
        publications.check(now);
        subscriptions.check(now, users);
        return counters.onTime(now, streams.rings(), images);
    }

    private void addUsed(final Set<Place> places)
    {
        streams.subscriptions().addPlaces(places);
        images.addPlaces(places);
    }

    @Override
    public boolean isWanted(final InetSocketAddress address, final SetupRequest request)
    {
        final Place place = subscriptions.place(address);
        if (stopped || place == null)
        {
            return false;
        }
        final List<Subscriber> subscribers = streams.subscriptions().ofNew(
            place, request.streamId(), request.sessionId(), request.publicationId());
        if (subscribers.isEmpty())
        {
            return false;
        }
        try
        {
            images.reserve(request, imageChannel(address, place, subscribers), place);
            return true;
        }
        catch (final RefusedException shortage)
        {
            errors.onError(new DriverException(OperatorError.NO_IMAGE, "no image of stream " + request.streamId() +
                ", session " + request.sessionId() + ": " + shortage.getMessage(), shortage));
            return false;
        }
    }

    /** What the driver that comes next goes on with, before any subscription is there again. */
    private static Channel imageChannel(
        final InetSocketAddress address, final Place place, final List<Subscriber> subscribers)
    {
        final Channel.Builder channel = Channel.rdma();
        final String text = Addresses.text(address);
        final Channel first = subscribers.getFirst().channel;
        if (place.fanOut())
        {
            channel.control(text);
            if (first.trafficClass() >= 0)
            {
                channel.trafficClass(first.trafficClass());
            }
            if (first.connectTimeoutNanos() > 0)
            {
                channel.connectTimeout(first.connectTimeoutNanos(), TimeUnit.NANOSECONDS);
            }
        }
        else
        {
            channel.endpoint(text);
        }
        final long timeout = longestTimeout(subscribers);
        return (timeout > 0 ? channel.imageTimeout(timeout, TimeUnit.NANOSECONDS) : channel).build();
    }

    private static long longestTimeout(final List<Subscriber> subscribers)
    {
        return subscribers.stream().mapToLong(subscriber -> subscriber.channel.imageTimeoutNanos()).max().orElse(0);
    }

    @Override
    public long imageTimeout(final InetSocketAddress address, final SetupRequest request)
    {
        if (adopting != null)
        {
            return adopting.channel().imageTimeoutNanos();
        }
        final Place place = subscriptions.place(address);
        return place == null ? 0 :
            longestTimeout(streams.subscriptions().of(place, request.streamId(), request.sessionId()));
    }

    @Override
    public long lastPosition(final SetupRequest request)
    {
        return streams.subscriptions().brokenOffAt(request.publicationId());
    }

    @Override
    public void onImageStarted(final ImageSession image)
    {
        final StreamRing ring = images.get(image);
        ring.source(Addresses.text(image.publisher()));
        ring.origin(
            new JournalEntry.Origin(image.request().publicationId(), Addresses.text(image.publisher())));
        ring.whenUnread(() -> replication.endImage(image));
        images.started(ring, image);
        recorder.imageConnected(ring, image, false);
        streams.subscriptions().imageStarted(ring);
        try
        {
            maker.journal(ring);
        }
        catch (final IOException failure)
        {
            // The next driver does not know the image then.
            errors.onError(failure);
        }
    }

    @Override
    public void onImageEnded(final ImageSession image, final StreamFailure reason)
    {
        final StreamRing ring = images.remove(image);
        if (streams.ring(ring.ringId()) == null)
        {
            maker.condemn(ring);
            return;
        }
        recorder.imageFailed(ring, image, reason);
        final boolean whole = reason.kind() == FailureKind.END_OF_STREAM;
        ring.endReason(whole ? ImageEnd.END_OF_STREAM : ImageEnd.PEER_LOST);
        if (!whole && reason.kind() != FailureKind.CLOSED)
        {
            errors.tell(ring + " ends at " + image.receivedPosition() + " as " + Addresses.text(image.publisher()) +
                " has not come back");
        }
        streams.subscriptions().imageEnded(ring, image.receivedPosition());
    }

    @Override
    public void onImageRefused(final ImageSession image, final String reason)
    {
        final SetupRequest request = image.request();
        final String message = "no image of stream " + request.streamId() + ", session " + request.sessionId() +
            " of " + Addresses.text(image.publisher()) + ": " + reason;
        onError(message);
        final Place place = subscriptions.place(image.address());
        if (place != null)
        {
            streams.subscriptions().of(place, request.streamId(), request.sessionId()).forEach(subscriber ->
                subscriber.session.events().send(events ->
                    events.operationFailed(0, ErrorCode.LIMIT_REACHED, message)));
        }
    }

    @Override
    public void onUnreachable(
        final OutboundStream stream, final InetSocketAddress destination, final String reason)
    {
        final StreamRing ring = streams.ring(stream.ring().description().registrationId());
        errors.tell((ring == null ? stream.ring() : ring) + " does not go to " + Addresses.text(destination) +
            " yet: " + reason + "; it is tried again");
    }

    @Override
    public void onReplicaStarted(
        final OutboundStream stream, final InetSocketAddress destination, final long position)
    {
        recorder.replicaConnected(stream, destination, position, false);
        GateHosts.note(stream, destination);
    }

    @Override
    public void onReplicaEnded(
        final OutboundStream stream,
        final InetSocketAddress destination,
        final long position,
        final StreamFailure reason)
    {
        if (reason == null || reason.kind() == FailureKind.END_OF_STREAM || reason.kind() == FailureKind.CLOSED)
        {
            return;
        }
        final StreamRing ring = streams.ring(stream.ring().description().registrationId());
        if (AddressText.NOT_BACK_YET.equals(destination) && ring != null && !ring.tellsOfUnknownHosts())
        {
            return;
        }
        recorder.replicaFailed(stream, destination, position, reason);
        final String message = (ring == null ? stream.ring() : ring) + " no longer goes to " +
            Addresses.text(destination) + ", which has consumed it up to " + position + ": " + reason;
        errors.tell(message);
        if (ring != null && ring.kind() != RingKind.IMAGE)
        {
            ring.users().forEach(user -> user.tell(events ->
                events.operationFailed(0, ErrorCode.PEER_UNREACHABLE, message)));
        }
    }

    @Override
    public InetSocketAddress hostAt(final OutboundStream stream, final int gate)
    {
        return GateHosts.of(new GatingList(stream.ring()), gate);
    }

    @Override
    public void onReplicaInterrupted(
        final OutboundStream stream, final InetSocketAddress destination, final StreamFailure reason)
    {
        recorder.replicaFailed(stream, destination, 0, reason);
        // The peer may just have nobody left who subscribes, which it says to the next attempt.
        if (reason.kind() != FailureKind.DISCONNECTED)
        {
            ReplicationListener.super.onReplicaInterrupted(stream, destination, reason);
        }
    }

    @Override
    public void onReplicaResumed(
        final OutboundStream stream, final InetSocketAddress destination, final long position)
    {
        recorder.replicaConnected(stream, destination, position, true);
        final StreamRing ring = streams.ring(stream.ring().description().registrationId());
        GateHosts.note(stream, destination);
        errors.tell((ring == null ? stream.ring() : ring) + " goes to " + Addresses.text(destination) +
            " again, from " + position);
    }

    @Override
    public void onImageResumed(final ImageSession image)
    {
        recorder.imageConnected(images.get(image), image, true);
        errors.tell(images.get(image) + " comes from " + Addresses.text(image.publisher()) + " again, from " +
            image.receivedPosition());
    }

    @Override
    public void onImageInterrupted(final ImageSession image, final StreamFailure reason)
    {
        recorder.imageFailed(images.get(image), image, reason);
        if (reason.kind() != FailureKind.DISCONNECTED)
        {
            ReplicationListener.super.onImageInterrupted(image, reason);
        }
    }

    @Override
    public void onRingDamaged(final OutboundStream stream, final String problem)
    {
        final StreamRing ring = streams.ring(stream.ring().description().registrationId());
        if (ring != null)
        {
            streams.damaged(ring, problem);
        }
    }

    @Override
    public void onError(final String message)
    {
        errors.onError(new DriverException(OperatorError.PEER, message));
    }
}

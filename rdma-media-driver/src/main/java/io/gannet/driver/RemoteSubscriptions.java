package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.control.ErrorCode;
import io.gannet.driver.stream.FanOutSubscription;
import io.gannet.driver.stream.ImageListener;
import io.gannet.driver.stream.Replication;
import io.gannet.rdma.RdmaException;
import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.agrona.collections.Object2ObjectHashMap;
import org.agrona.collections.ObjectHashSet;

/**
 * Where subscriptions get publications of other hosts from: an address of this device, to which publishers' drivers
 * connect, or a publisher's control address, to which this one does. Each is kept as long as anybody subscribes there
 * or an image of it lives. Owned by the conductor.
 */
final class RemoteSubscriptions
{
    private static final long CHECK_INTERVAL = TimeUnit.MILLISECONDS.toNanos(500);

    private final Replication replication;
    private final Addresses addresses;
    private final ResourceExecutor resources;
    private final DriverErrors errors;
    private final String deviceName;
    private final ChannelCheck channels;
    /** Their iterators are kept: the check makes no garbage. */
    private final Map<Place, ImageListener> listeners = new Object2ObjectHashMap<>();
    private final Map<FanOutKey, FanOutSubscription> fanOuts = new Object2ObjectHashMap<>();
    private final Set<Place> used = new ObjectHashSet<>();
    private long nextCheck = System.nanoTime();

    /** A stream of a publisher's control address. */
    private record FanOutKey(Place place, int streamId)
    {
    }

    RemoteSubscriptions(
        final Replication replication,
        final Addresses addresses,
        final ResourceExecutor resources,
        final DriverErrors errors,
        final ChannelCheck channels,
        final String deviceName)
    {
        this.channels = channels;
        this.replication = replication;
        this.addresses = addresses;
        this.resources = resources;
        this.errors = errors;
        this.deviceName = deviceName;
    }

    /**
     * Takes publications for a subscription from now on.
     *
     * @param hasPublication whether a publication of this host is there for it.
     * @param answer         gets null, or why that is not possible; later, on the conductor's thread.
     */
    void add(
        final Subscriber subscriber, final Predicate<Subscriber> hasPublication, final Consumer<Throwable> answer)
    {
        resources.submit(() -> addresses.resolve(subscriber.channel), (place, failure) ->
            answer.accept(failure != null ? failure : add(subscriber, place, hasPublication)));
    }

    private RefusedException add(
        final Subscriber subscriber, final Place place, final Predicate<Subscriber> hasPublication)
    {
        subscriber.place(place);
        try
        {
            if (place.fanOut() && !addresses.isOwn(place))
            {
                subscriber.place(known(subscriber, place));
                subscribe(subscriber.channel, subscriber.place(), subscriber.streamId);
            }
            else if (!place.fanOut() && addresses.isOwn(place))
            {
                listen(place);
            }
            else if (!place.fanOut() && !hasPublication.test(subscriber))
            {
                tellThatItIsElsewhere(subscriber, place);
            }
            return null;
        }
        catch (final RdmaException failure)
        {
            return new RefusedException(
                ErrorCode.INVALID_CHANNEL, "channel " + subscriber.channel + ": " + failure.getMessage());
        }
    }

    /** Nothing is wrong if a publication of this host comes, as its subscribers here read its ring itself. */
    private void tellThatItIsElsewhere(final Subscriber subscriber, final Place place)
    {
        final String message = "subscription to " + subscriber.channel + ", stream " + subscriber.streamId +
            ", gets publications of this host only, as " + deviceName + " does not have that address; subscribe " +
            "where " + Addresses.text(place.address()) + " is, or give this driver that address by " +
            DriverOptions.DEVICE_ADDRESS;
        errors.tell(message);
        subscriber.session.events().send(events ->
            events.operationFailed(0, ErrorCode.INVALID_CHANNEL, message));
    }

    /** A name may have changed its meaning since others subscribed to it: what it names is the same publisher. */
    private Place known(final Subscriber subscriber, final Place place)
    {
        final InetSocketAddress named = Addresses.named(subscriber.channel);
        for (final Map.Entry<FanOutKey, FanOutSubscription> entry : fanOuts.entrySet())
        {
            if (entry.getKey().streamId() == subscriber.streamId && entry.getValue().control().equals(named))
            {
                return entry.getKey().place();
            }
        }
        return place;
    }

    /** Listens at an address of the device, if that isn't done yet. */
    ImageListener listen(final Place place)
    {
        return listeners.computeIfAbsent(place, key -> replication.listen(key.address()));
    }

    /**
     * Asks a publisher's driver for a stream, if that isn't done yet; its host's name is looked up anew before each
     * connection.
     */
    FanOutSubscription subscribe(final Channel channel, final Place place, final int streamId)
    {
        return fanOuts.computeIfAbsent(new FanOutKey(place, streamId), key ->
            replication.subscribe(Addresses.named(channel), streamId, channels.settings(channel)));
    }

    /** The place of an address as replication names it: an own one, or control= as a channel has it; or null. */
    Place place(final InetSocketAddress address)
    {
        final Place own = new Place(address, false);
        if (listeners.containsKey(own))
        {
            return own;
        }
        for (final Map.Entry<FanOutKey, FanOutSubscription> entry : fanOuts.entrySet())
        {
            if (entry.getValue().control().equals(address))
            {
                return entry.getKey().place();
            }
        }
        return null;
    }

    /**
     * Lets go of what nobody needs any more.
     *
     * @param users adds the places where anybody subscribes, or has an image from.
     */
    void check(final long now, final Consumer<Set<Place>> users)
    {
        if (now - nextCheck < 0)
        {
            return;
        }
        nextCheck = now + CHECK_INTERVAL;
        used.clear();
        users.accept(used);
        final Iterator<Map.Entry<Place, ImageListener>> listening = listeners.entrySet().iterator();
        while (listening.hasNext())
        {
            final Map.Entry<Place, ImageListener> entry = listening.next();
            if (!used.contains(entry.getKey()))
            {
                replication.close(entry.getValue());
                listening.remove();
            }
        }
        final Iterator<Map.Entry<FanOutKey, FanOutSubscription>> asking = fanOuts.entrySet().iterator();
        while (asking.hasNext())
        {
            final Map.Entry<FanOutKey, FanOutSubscription> entry = asking.next();
            if (!used.contains(entry.getKey().place()))
            {
                replication.unsubscribe(entry.getValue());
                asking.remove();
            }
        }
    }
}

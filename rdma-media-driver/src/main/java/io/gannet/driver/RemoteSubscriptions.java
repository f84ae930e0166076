package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.control.ErrorCode;
import io.gannet.driver.stream.FanOutSubscription;
import io.gannet.driver.stream.ImageListener;
import io.gannet.driver.stream.Replication;
import io.gannet.rdma.RdmaException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
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
    /** Checks for which a listener that nobody uses stays, to tell publishers that their image has ended. */
    private static final int GRACE_CHECKS = 6;
    /** Checks for which a publication of this host may be on its way, before a subscriber elsewhere is told. */
    private static final int PATIENT_CHECKS = 2;

    private final Replication replication;
    private final Addresses addresses;
    private final ResourceExecutor resources;
    private final DriverErrors errors;
    private final String deviceName;
    private final ChannelCheck channels;
    private final IntConsumer portNeeded;
    /** Their iterators are kept: the check makes no garbage. */
    private final Map<Place, Listening> listeners = new Object2ObjectHashMap<>();
    private final Map<FanOutKey, FanOutSubscription> fanOuts = new Object2ObjectHashMap<>();
    private final List<Alone> alone = new ArrayList<>();
    private final Set<Place> used = new ObjectHashSet<>();
    private long nextCheck = System.nanoTime();

    /** A subscriber at an address that is not the device's. */
    private static final class Alone
    {
        private final Subscriber subscriber;
        private final Predicate<Subscriber> hasPublication;
        private final String message;
        private int checks;

        Alone(final Subscriber subscriber, final Predicate<Subscriber> hasPublication, final String message)
        {
            this.subscriber = subscriber;
            this.hasPublication = hasPublication;
            this.message = message;
        }
    }

    private static final class Listening
    {
        private final ImageListener listener;
        private int unusedChecks;

        Listening(final ImageListener listener)
        {
            this.listener = listener;
        }
    }

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
        final String deviceName,
        final IntConsumer portNeeded)
    {
        this.portNeeded = portNeeded;
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
        final Callable<Place> task = () -> addresses.resolve(subscriber.channel);
        final BiConsumer<Place, Throwable> then = (place, failure) ->
            answer.accept(failure != null ? failure : add(subscriber, place, hasPublication));
        if (Addresses.isByName(subscriber.channel))
        {
            resources.lookUp(task, then);
        }
        else
        {
            resources.submit(task, then);
        }
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
                waitForPublication(subscriber, place, hasPublication);
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
    private void waitForPublication(
        final Subscriber subscriber, final Place place, final Predicate<Subscriber> hasPublication)
    {
        final String message = "subscription to " + subscriber.channel + ", stream " + subscriber.streamId +
            ", gets publications of this host only, as " + deviceName + " does not have that address; subscribe " +
            "where " + Addresses.text(place.address()) + " is, or give this driver that address by " +
            DriverOptions.DEVICE_ADDRESS;
        errors.tell(message);
        alone.add(new Alone(subscriber, hasPublication, message));
    }

    /** Tells subscribers for which no publication of this host has come meanwhile that others' can't. */
    private void tellAlone()
    {
        for (int i = alone.size() - 1; i >= 0; i--)
        {
            final Alone waiting = alone.get(i);
            final Subscriber subscriber = waiting.subscriber;
            if (!subscriber.session.holdings().holds(subscriber) || waiting.hasPublication.test(subscriber))
            {
                alone.remove(i);
            }
            else if (++waiting.checks > PATIENT_CHECKS)
            {
                alone.remove(i);
                subscriber.session.events().send(events ->
                    events.operationFailed(0, ErrorCode.INVALID_CHANNEL, waiting.message));
            }
        }
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
        final Listening listening =
            listeners.computeIfAbsent(place, key ->
            {
                portNeeded.accept(key.address().getPort());
                return new Listening(replication.listen(key.address()));
            });
        listening.unusedChecks = 0;
        return listening.listener;
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
        tellAlone();
        used.clear();
        users.accept(used);
        final Iterator<Map.Entry<Place, Listening>> all = listeners.entrySet().iterator();
        while (all.hasNext())
        {
            final Map.Entry<Place, Listening> entry = all.next();
            final Listening listening = entry.getValue();
            listening.unusedChecks = used.contains(entry.getKey()) ? 0 : listening.unusedChecks + 1;
            if (listening.unusedChecks > GRACE_CHECKS)
            {
                replication.close(listening.listener);
                all.remove();
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

package io.gannet.driver.stream;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

import io.gannet.rdma.AsyncEventHandler;
import io.gannet.rdma.AsyncEventType;
import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.RdmaDevice;
import io.gannet.ring.Bell;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;

/**
 * Replication over one device: the control plane's entrance. All calls on one thread, whose duty cycle calls
 * {@link #doWork}; {@link Sender} and {@link Receiver} run where the driver wants them to. What waits for the clock has
 * its turn now and then (see {@link Turns}), what waits for an event none.
 */
public final class Replication
{
    private final AsyncEventHandler asyncEvents = this::onAsyncEvent;
    private final ReplicationContext context;
    private final List<OutboundStream> streams = new ArrayList<>();
    private final Turns streamTurns = new Turns();
    private final List<ImageListener> listeners = new ArrayList<>();
    /** No longer listening, with images that are not all over. */
    private final List<ImageListener> closing = new ArrayList<>();
    private final List<FanOutListener> fanOuts = new ArrayList<>();
    private final List<DoctorListener> doctors = new ArrayList<>();
    private final List<FanOutSubscription> subscriptions = new ArrayList<>();
    private final Turns subscriptionTurns = new Turns();

    /**
     * @param waker    wakes subscribers of images.
     * @param driverId names this driver to publishers, and should be the same after its restart: it tells them that the
     *                 images which the driver had before are gone, unless it goes on with them.
     */
    public Replication(
        final RdmaDevice device,
        final ReplicationSettings settings,
        final Sender sender,
        final Receiver receiver,
        final ReplicationListener listener,
        final ReplicationResources resources,
        final Bell.Waker waker,
        final long driverId)
    {
        this(device, settings, sender, receiver, listener, resources, waker, driverId, new SecureRandom().nextInt());
    }

    /**
     * As above.
     *
     * @param life number of this driver's life, of which the lower 16 bits count: drivers that follow each other in a
     *             directory should have different ones.
     */
    public Replication(
        final RdmaDevice device,
        final ReplicationSettings settings,
        final Sender sender,
        final Receiver receiver,
        final ReplicationListener listener,
        final ReplicationResources resources,
        final Bell.Waker waker,
        final long driverId,
        final int life)
    {
        this(device, settings, List.of(sender), List.of(receiver), listener, resources, waker, driverId, life);
    }

    /** As above, with agents that share the connections. */
    public Replication(
        final RdmaDevice device,
        final ReplicationSettings settings,
        final List<Sender> senders,
        final List<Receiver> receivers,
        final ReplicationListener listener,
        final ReplicationResources resources,
        final Bell.Waker waker,
        final long driverId)
    {
        this(device, settings, senders, receivers, listener, resources, waker, driverId,
            new SecureRandom().nextInt());
    }

    private Replication(
        final RdmaDevice device,
        final ReplicationSettings settings,
        final List<Sender> senders,
        final List<Receiver> receivers,
        final ReplicationListener listener,
        final ReplicationResources resources,
        final Bell.Waker waker,
        final long driverId,
        final int life)
    {
        context = new ReplicationContext(
            device, settings, senders, receivers, listener, resources, waker, driverId, life);
    }

    /** As above, for a driver that publishers do not know again after a restart. */
    public Replication(
        final RdmaDevice device,
        final ReplicationSettings settings,
        final Sender sender,
        final Receiver receiver,
        final ReplicationListener listener,
        final ReplicationResources resources,
        final Bell.Waker waker)
    {
        this(device, settings, sender, receiver, listener, resources, waker, new SecureRandom().nextLong());
    }

    /**
     * Starts to bring a publication to a host, as soon as somebody subscribes there.
     *
     * @param ring          of the publication.
     * @param membership    through which the conductor changes the ring's gating list.
     * @param publicationId names the publication for ever.
     * @param destination   resolved address of the subscribers' driver.
     * @param dropsSlow     whether a subscriber that is three quarters of the window behind is cut off.
     */
    public OutboundStream addPublication(
        final Ring ring,
        final Membership membership,
        final long publicationId,
        final InetSocketAddress destination,
        final boolean dropsSlow)
    {
        return addPublication(ring, membership, publicationId, destination, dropsSlow, context.settings);
    }

    /**
     * As above, with settings of its own; the depths and intervals of the agents are the driver's. Subscribers that the
     * driver before has left in the ring's gating list go on where they are.
     *
     * @param destination of the subscribers' driver; if unresolved, it is looked up before each connection.
     */
    public OutboundStream addPublication(
        final Ring ring,
        final Membership membership,
        final long publicationId,
        final InetSocketAddress destination,
        final boolean dropsSlow,
        final ReplicationSettings settings)
    {
        final OutboundStream stream =
            new OutboundStream(context, ring, membership, publicationId, dropsSlow, settings);
        stream.adopt(destination);
        register(stream);
        return stream;
    }

    /**
     * Lets subscribers' drivers join a publication: one ring, as many images as come.
     *
     * @param ring          of the publication.
     * @param membership    through which the conductor changes the ring's gating list.
     * @param publicationId names the publication for ever; not 0.
     * @param fanOut        the control address at which it is found.
     * @param dropsSlow     whether a subscriber that is three quarters of the window behind is cut off.
     */
    public OutboundStream addPublication(
        final Ring ring,
        final Membership membership,
        final long publicationId,
        final FanOutListener fanOut,
        final boolean dropsSlow)
    {
        return addPublication(ring, membership, publicationId, fanOut, dropsSlow, context.settings);
    }

    /**
     * As above, with settings of its own. Subscribers that the driver before has left in the ring's gating list go on
     * where they are, if they come back within the image timeout.
     */
    public OutboundStream addPublication(
        final Ring ring,
        final Membership membership,
        final long publicationId,
        final FanOutListener fanOut,
        final boolean dropsSlow,
        final ReplicationSettings settings)
    {
        final OutboundStream stream =
            new OutboundStream(context, ring, membership, publicationId, dropsSlow, settings);
        stream.adopt(null);
        fanOut.add(stream);
        register(stream);
        return stream;
    }

    /**
     * Takes subscribers' drivers at a control address.
     *
     * @throws io.gannet.rdma.RdmaException if the address is taken, or not one of the device.
     */
    public FanOutListener listenForSubscribers(final InetSocketAddress control)
    {
        final FanOutListener fanOut = new FanOutListener(context, control);
        fanOuts.add(fanOut);
        return fanOut;
    }

    /**
     * Tells other hosts' doctors what this host is like, at an address where nothing else is done; listeners of
     * channels tell it as well.
     *
     * @return the address with the port that was really taken.
     * @throws io.gannet.rdma.RdmaException if the address is taken, or not one of the device.
     */
    public InetSocketAddress answerDoctors(final InetSocketAddress address)
    {
        final DoctorListener doctor = new DoctorListener(context, address);
        doctors.add(doctor);
        return doctor.address();
    }

    /** Takes nobody at a control address any more; its publications go on to those that have joined. */
    public void close(final FanOutListener fanOut)
    {
        if (fanOuts.remove(fanOut))
        {
            fanOut.close();
        }
    }

    /**
     * Gets images of all publications of a stream from a fan-out publisher, as far as
     * {@link ReplicationListener#isWanted} says, with the control address as given here.
     *
     * @param control address of the publisher's driver; if unresolved, it is looked up before each connection.
     */
    public FanOutSubscription subscribe(final InetSocketAddress control, final int streamId)
    {
        return subscribe(control, streamId, context.settings);
    }

    /** As above, with settings of its own for attempts to connect. */
    public FanOutSubscription subscribe(
        final InetSocketAddress control, final int streamId, final ReplicationSettings settings)
    {
        final FanOutSubscription subscription = new FanOutSubscription(context, control, streamId, settings);
        subscriptions.add(subscription);
        return subscription;
    }

    /** Nobody wants a stream of a fan-out publisher any more: its images end. */
    public void unsubscribe(final FanOutSubscription subscription)
    {
        subscription.end();
    }

    private void register(final OutboundStream stream)
    {
        context.resources.submit(stream::register, (registered, failure) -> onRegistered(stream, failure));
        streams.add(stream);
    }

    private void onRegistered(final OutboundStream stream, final Throwable failure)
    {
        stream.registered(failure != null);
        if (failure != null)
        {
            context.listener.onError("cannot replicate " + stream.ring() + ": " + failure.getMessage());
        }
    }

    /** Brings a publication to one more host. */
    public void addDestination(final OutboundStream stream, final InetSocketAddress destination)
    {
        stream.connectTo(destination);
    }

    /**
     * The publication has ended. Its ring stays in use until {@link #isDone(OutboundStream)}.
     *
     * @param position behind its last frame.
     */
    public void endPublication(final OutboundStream stream, final long position)
    {
        stream.end(position);
    }

    /** A publication's ring can't be read any more: its connections end without a word, and it is done. */
    public void abandon(final OutboundStream stream)
    {
        stream.stop();
    }

    /** {@return whether nothing of a publication that has ended is in use any more} */
    public boolean isDone(final OutboundStream stream)
    {
        return stream.isClosed();
    }

    /**
     * Takes publications at an address.
     *
     * @throws io.gannet.rdma.RdmaException if the address is taken, or not one of the device.
     */
    public ImageListener listen(final InetSocketAddress address)
    {
        final ImageListener listener = new ImageListener(context, address);
        listeners.add(listener);
        return listener;
    }

    /** Takes nothing at an address any more; what came in there ends. */
    public void close(final ImageListener listener)
    {
        listener.stop();
        listener.close();
        closing.add(listener);
        listeners.remove(listener);
    }

    /** Nobody reads an image any more: its publisher is released. */
    public void endImage(final ImageSession image)
    {
        image.end();
    }

    /** {@return whether the connection manager has news for {@link #doWork}, as far as it tells; any thread} */
    public boolean hasConnectionEvents()
    {
        return context.device.connectionManager().hasEvents();
    }

    /**
     * One duty cycle.
     *
     * @param now nanoseconds of the same clock as the agents'.
     * @return how much was done; 0 means idle.
     */
    public int doWork(final long now)
    {
        context.now(now);
        int work = context.inbox.drain();
        work += context.device.connectionManager().pollEvents(Replication::onCmEvent);
        work += context.device.pollAsyncEvents(asyncEvents);
        work += publicationTurns(now);
        work += context.images.doWork(now);
        for (int i = closing.size() - 1; i >= 0; i--)
        {
            if (closing.get(i).isDone())
            {
                closing.remove(i);
            }
        }
        for (int due = subscriptionTurns.due(subscriptions.size(), now); due > 0; due--)
        {
            final int index = subscriptionTurns.next(subscriptions.size());
            work += subscriptions.get(index).doWork();
            if (subscriptions.get(index).isDone())
            {
                subscriptions.remove(index);
            }
        }
        return work;
    }

    private int publicationTurns(final long now)
    {
        int work = 0;
        for (int due = streamTurns.due(streams.size(), now); due > 0; due--)
        {
            final int index = streamTurns.next(streams.size());
            final OutboundStream stream = streams.get(index);
            work += stream.doWork();
            if (stream.isDone())
            {
                stream.close();
                streams.remove(index);
                fanOuts.forEach(fanOut -> fanOut.remove(stream));
            }
        }
        return work;
    }

    private static void onCmEvent(final CmEvent event)
    {
        final Object owner = event.listener() != null ? event.listener().context() : event.id().context();
        if (owner instanceof final CmEventOwner handler)
        {
            handler.onCmEvent(event);
        }
    }

    private void onAsyncEvent(final AsyncEventType type, final int number, final CompletionQueue queue)
    {
        // Connections notice by completions, deadlines and heartbeats; events differ too much to rely on.
        context.listener.onError(
            context.device.name() + " reports: " + type.text() + (number == 0 ? "" : ", number " + number));
    }

    /** {@return descriptor for poll(2), readable when something completed for that sender, armed; -1 without one} */
    public int senderDescriptor(final int index)
    {
        return context.senders.descriptor(index);
    }

    /** {@return descriptor for poll(2), readable when something completed for that receiver, armed; -1 without one} */
    public int receiverDescriptor(final int index)
    {
        return context.receivers.descriptor(index);
    }

    /** {@return publications of each sender} */
    public int[] senderShares()
    {
        return context.senders.sizes();
    }

    /** {@return connected images of each receiver} */
    public int[] receiverShares()
    {
        return context.receivers.sizes();
    }

    /** Ends everything; {@link #doWork} goes on until {@link #isStopped()}. */
    public void stop()
    {
        streams.forEach(OutboundStream::stop);
        listeners.forEach(ImageListener::stop);
        subscriptions.forEach(FanOutSubscription::end);
    }

    /**
     * Ends all connections, but neither publications nor images: gates stay in their rings, and images are neither
     * ended nor reported as such, for the driver that comes next; {@link #doWork} goes on until {@link #isStopped()}.
     */
    public void suspend()
    {
        streams.forEach(OutboundStream::suspend);
        listeners.forEach(ImageListener::suspend);
        subscriptions.forEach(FanOutSubscription::suspend);
    }

    /** {@return whether everything has ended after {@link #stop()} or {@link #suspend()}} */
    public boolean isStopped()
    {
        return streams.isEmpty() && subscriptions.isEmpty() && closing.isEmpty() &&
            listeners.stream().allMatch(ImageListener::isDone);
    }

    /** Gives all that is left back to the device; stopped, and the agents no longer running. */
    public void close()
    {
        listeners.forEach(ImageListener::close);
        listeners.clear();
        fanOuts.forEach(FanOutListener::close);
        doctors.forEach(DoctorListener::close);
        doctors.clear();
        // Who has asked meanwhile gets no answer.
        context.device.connectionManager().pollEvents(event ->
        {
            if (event.type() == CmEventType.CONNECT_REQUEST)
            {
                event.id().close();
            }
        });
        fanOuts.clear();
        context.close();
    }
}

package io.gannet.driver.stream.simulation;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

import io.gannet.driver.stream.FailureKind;
import io.gannet.driver.stream.ImageSession;
import io.gannet.driver.stream.OutboundStream;
import io.gannet.driver.stream.Receiver;
import io.gannet.driver.stream.Replication;
import io.gannet.driver.stream.ReplicationListener;
import io.gannet.driver.stream.ReplicationResources;
import io.gannet.driver.stream.ReplicationSettings;
import io.gannet.driver.stream.Sender;
import io.gannet.driver.stream.SetupRequest;
import io.gannet.driver.stream.StreamFailure;
import io.gannet.rdma.sim.SimDevice;
import io.gannet.rdma.sim.SimFabric;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingMemory;

/**
 * A host: its NIC, its driver's replication, and at most one subscriber.
 */
final class SimulatedHost implements ReplicationListener, ReplicationResources
{
    private final SimFabric fabric;
    private final SimDevice device;
    private final RingMemory memory;
    private final Sender sender = new Sender(this::wakeSender);
    private final Receiver receiver = new Receiver(this::wakeReceiver);
    private AgentActor senderActor;
    private AgentActor receiverActor;
    private final Replication replication;
    /** Who was there when a gate was entered. */
    private final Map<List<Object>, SimulatedSubscriber> joined = new HashMap<>();
    private final GateWatch gateWatch;
    private final SimulatedNetwork network;
    private final int index;
    /** Where images ended, as the driver's journal has it. */
    private final Map<Long, Long> ends = new HashMap<>();
    private final List<Ring> imageRings = new ArrayList<>();
    private final Map<Long, SimulatedSubscriber> subscribers = new LinkedHashMap<>();
    private final Map<Long, ImageSession> images = new HashMap<>();
    private final ArrayDeque<Runnable> asked = new ArrayDeque<>();
    private final Interleaving interleaving;
    private boolean controlling;
    private boolean crashed;
    private boolean clientsCrashed;
    private int errors;
    private int completionErrors;
    private boolean protocolError;
    private long pausedUntil;
    private final long startedAt;

    /**
     * @param index    of the host.
     * @param driverId of its driver, over restarts.
     * @param life     of this one.
     */
    SimulatedHost(
        final SimFabric fabric,
        final SimulatedNetwork network,
        final int index,
        final ReplicationSettings settings,
        final RingMemory memory,
        final long driverId,
        final int life,
        final Interleaving interleaving,
        final GateWatch gateWatch)
    {
        this.interleaving = interleaving;
        this.gateWatch = gateWatch;
        this.fabric = fabric;
        this.memory = memory;
        this.network = network;
        this.index = index;
        startedAt = fabric.scheduler().now();
        device = fabric.addDevice(network.address(index));
        replication =
            new Replication(device, settings, sender, receiver, this, this, (bell, waiters) -> { }, driverId, life);
        // What it takes over from the driver before was lost now, not at the beginning of time.
        replication.doWork(startedAt);
    }

    SimDevice device()
    {
        return device;
    }

    Replication replication()
    {
        return replication;
    }

    void subscribe(final long publicationId, final SimulatedSubscriber reader)
    {
        subscribers.put(publicationId, reader);
    }

    /** The subscriber of a publication goes; its image ends. */
    void unsubscribe(final long publicationId)
    {
        subscribers.remove(publicationId).leave();
        ends.remove(publicationId);
        final ImageSession image = images.remove(publicationId);
        if (image != null)
        {
            ask(() -> replication.endImage(image));
        }
    }

    /**
     * Takes over the subscribers of the driver that this one follows, and goes on with their images.
     *
     * @param adoption goes on with a ring.
     */
    void follow(final SimulatedHost before, final BiFunction<Ring, SetupRequest, ImageSession> adoption)
    {
        subscribers.putAll(before.subscribers);
        ends.putAll(before.ends);
        before.images.forEach((publicationId, image) ->
        {
            final ImageSession after = adoption.apply(image.ring(), image.request());
            images.put(publicationId, after);
            subscribers.get(publicationId).adopted(image, after);
        });
    }

    Collection<SimulatedSubscriber> subscribers()
    {
        return subscribers.values();
    }

    SimulatedSubscriber subscriber(final long publicationId)
    {
        return subscribers.get(publicationId);
    }

    /** {@return whether it has had an image of the publication since before that time} */
    boolean hasImage(final long publicationId, final long since)
    {
        return !crashed && startedAt < since && images.containsKey(publicationId);
    }

    Sender sender()
    {
        return sender;
    }

    Receiver receiver()
    {
        return receiver;
    }

    /** What is woken when there is something for an agent; null if it polls for ever. */
    void actors(final AgentActor sends, final AgentActor receives)
    {
        senderActor = sends;
        receiverActor = receives;
        device.onSignal(() ->
        {
            sends.onSignal();
            receives.onSignal();
        });
    }

    /** A publisher's bell rings for the sender. */
    void ringSender()
    {
        sender.rang();
        wakeSender();
    }

    /** Control has something for the sender. */
    private void wakeSender()
    {
        if (senderActor != null)
        {
            senderActor.ring();
        }
    }

    private void wakeReceiver()
    {
        if (receiverActor != null)
        {
            receiverActor.ring();
        }
    }

    int control()
    {
        if (!isRunning())
        {
            return 0;
        }
        controlling = true;
        final int work = replication.doWork(fabric.scheduler().now());
        controlling = false;
        while (!asked.isEmpty())
        {
            asked.poll().run();
        }
        return work;
    }

    /** Asks something of control, between two of its steps. */
    void ask(final Runnable request)
    {
        if (controlling)
        {
            asked.add(request);
        }
        else
        {
            request.run();
        }
    }

    int send()
    {
        return isRunning() ? sender.doWork(fabric.scheduler().now()) : 0;
    }

    int receive()
    {
        return isRunning() ? receiver.doWork(fabric.scheduler().now()) : 0;
    }

    int read()
    {
        int work = 0;
        for (final SimulatedSubscriber subscriber :
            crashed ? List.<SimulatedSubscriber>of() : List.copyOf(subscribers.values()))
        {
            work += subscriber.step();
        }
        return work;
    }

    /** {@return virtual nanoseconds} */
    long now()
    {
        return fabric.scheduler().now();
    }

    /** {@return whether the publication is this driver's} */
    boolean owns(final SimulatedPublication publication)
    {
        return publication.replication() == replication;
    }

    /** {@return nanoseconds until the driver runs again} */
    long pauseLeft()
    {
        return crashed ? Long.MAX_VALUE : Math.max(0, pausedUntil - now());
    }

    boolean isRunning()
    {
        return !crashed && fabric.scheduler().now() >= pausedUntil;
    }

    /** The driver gets no processor for a while. */
    void pause(final long nanos)
    {
        pausedUntil = fabric.scheduler().now() + nanos;
    }

    /** The whole host dies. */
    void crash()
    {
        clientsCrashed = true;
        crashDriver();
    }

    /** The driver's process dies; its clients and their rings live on. */
    void crashDriver()
    {
        crashed = true;
        device.crash();
    }

    /** {@return 0, or {@link Long#MAX_VALUE} if clients are gone} */
    long clientPauseLeft()
    {
        return clientsCrashed ? Long.MAX_VALUE : 0;
    }

    boolean isCrashed()
    {
        return crashed;
    }

    @Override
    public boolean isWanted(final InetSocketAddress address, final SetupRequest request)
    {
        return subscribers.containsKey(request.publicationId());
    }

    @Override
    public long lastPosition(final SetupRequest request)
    {
        return ends.getOrDefault(request.publicationId(), ImageSession.NO_GAP);
    }

    @Override
    public void onImageStarted(final ImageSession image)
    {
        note("image started", image.startPosition());
        final SimulatedSubscriber subscriber = subscribers.get(image.request().publicationId());
        if (subscriber == null)
        {
            replication.endImage(image);
            return;
        }
        gateWatch.onImageStarted(index, image.request().publicationId(), image.startPosition());
        images.put(image.request().publicationId(), image);
        interleaving.atomically(() -> subscriber.join(image, image.ring()));
    }

    @Override
    public void onImageEnded(final ImageSession image, final StreamFailure reason)
    {
        note("image ended " + reason, image.receivedPosition());
        if (images.remove(image.request().publicationId(), image))
        {
            ends.put(image.request().publicationId(), image.receivedPosition());
        }
        final SimulatedSubscriber subscriber = subscribers.get(image.request().publicationId());
        if (subscriber != null)
        {
            subscriber.ended(image);
        }
    }

    @Override
    public void onReplicaStarted(
        final OutboundStream stream, final InetSocketAddress destination, final long position)
    {
        note("replica started", position);
        gateWatch.onGateEntered(stream.publicationId(), gateWatch.hostAt(destination), position);
        joined.put(gate(stream, destination), gateWatch.subscriber(stream, destination));
    }

    @Override
    public void onReplicaEnded(
        final OutboundStream stream,
        final InetSocketAddress destination,
        final long position,
        final StreamFailure reason)
    {
        note("replica ended " + reason, position);
        gateWatch.onGateLeft(stream.publicationId(), gateWatch.hostAt(destination));
        final SimulatedSubscriber subscriber = joined.remove(gate(stream, destination));
        // If it was waited for too long, publishers are told so; of an image that is closed nobody is told anything.
        // Who has written nonsense into its gate is not waited for.
        if (subscriber != null && !gateWatch.hasLied() &&
            subscriber == gateWatch.subscriber(stream, destination) && subscriber.images() == 0 &&
            reason.kind() != FailureKind.TOO_SLOW && reason.kind() != FailureKind.END_OF_STREAM &&
            (!gateWatch.mayTimeOut() || reason.kind() == FailureKind.CLOSED))
        {
            throw new SimulationFailure("a gate was given up before its subscriber had an image: " + reason);
        }
    }

    @Override
    public void onError(final String message)
    {
        errors++;
        note(message, 0);
    }

    @Override
    public void onImageInterrupted(final ImageSession image, final StreamFailure reason)
    {
        onInterrupted("image from " + image.publisher(), reason);
    }

    @Override
    public void onReplicaInterrupted(
        final OutboundStream stream, final InetSocketAddress destination, final StreamFailure reason)
    {
        onInterrupted("replica at " + destination, reason);
    }

    private void onInterrupted(final String what, final StreamFailure reason)
    {
        errors++;
        completionErrors += reason.kind() == FailureKind.COMPLETION_ERROR ? 1 : 0;
        protocolError |= reason.kind() == FailureKind.PROTOCOL;
        note(what + " lost its connection: " + reason, 0);
    }

    boolean sawProtocolError()
    {
        return protocolError;
    }

    /** {@return whether more connections ended for an error of a completion than queue pairs had one} */
    boolean tookAnothersError()
    {
        return completionErrors > device.queuePairsWithErrors();
    }

    int errors()
    {
        return errors;
    }

    private void note(final String what, final long position)
    {
        fabric.trace().add(fabric.scheduler().now(), device.name(), what, position, 0);
    }

    @Override
    public Ring createImage(final SetupRequest request)
    {
        final Ring mapped = RingFile.createAnonymous(new RingDescription(
            RingKind.IMAGE,
            request.capacity(),
            request.sessionId(),
            request.streamId(),
            request.publicationId(),
            0,
            true));
        imageRings.add(mapped);
        return mapped.accessedBy(memory);
    }

    @Override
    public <T> void submit(final Callable<T> task, final BiConsumer<T, Throwable> completion)
    {
        T result = null;
        Throwable failure = null;
        try
        {
            result = task.call();
        }
        catch (final Exception ex)
        {
            failure = ex;
        }
        completion.accept(result, failure);
    }

    private List<Object> gate(final OutboundStream stream, final InetSocketAddress destination)
    {
        return List.of(stream.publicationId(), gateWatch.hostAt(destination));
    }

    @Override
    public InetSocketAddress lookUp(final InetSocketAddress name)
    {
        return network.lookUp(name);
    }

    /** Knows the other hosts. */
    interface GateWatch
    {
        /** {@return which host has, or had, the address; -1 if it is none's} */
        int hostAt(InetSocketAddress destination);

        /** {@return who subscribes at the destination at present, or null} */
        SimulatedSubscriber subscriber(OutboundStream stream, InetSocketAddress destination);

        /** A host gates a publication from a position on. */
        default void onGateEntered(final long publicationId, final int host, final long position)
        {
            // For runs that watch where streams begin.
        }

        /** It no longer does. */
        default void onGateLeft(final long publicationId, final int host)
        {
            // For runs that watch where streams begin.
        }

        /** A host's image of a publication starts. */
        default void onImageStarted(final int host, final long publicationId, final long position)
        {
            // For runs that watch where streams begin.
        }

        /** {@return whether a peer ever wrote nonsense where its consumed position belongs} */
        default boolean hasLied()
        {
            return false;
        }

        /** {@return whether images time out so soon that faults outlast it} */
        boolean mayTimeOut();
    }

    /** Unmaps all images; nothing runs any more. */
    void free()
    {
        for (final Ring ring : imageRings)
        {
            ring.close();
            ring.free();
        }
    }
}

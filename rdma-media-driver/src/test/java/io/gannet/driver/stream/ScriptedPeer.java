package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.Access;
import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.MemoryRegion;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.QueuePair;
import io.gannet.rdma.sim.SimDevice;
import io.gannet.rdma.sim.SimFabric;
import io.gannet.rdma.sim.SimProfile;
import io.gannet.rdma.sim.SimTrace;
import io.gannet.ring.NativeMemory;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;

/** A driver's replication, in virtual time, and another host that says and does what a test lets it. */
abstract class ScriptedPeer
{
    static final int STREAM = 1001;
    static final long PUBLICATION = 9;
    static final int CAPACITY = 64 * 1024;
    static final int DEPTH = 16;
    static final int PORT = 4000;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
    private static final long STEP = 10_000;

    final SimFabric fabric = new SimFabric(1, new SimProfile(), NativeMemory.INSTANCE, new SimTrace(0));
    final SimDevice device = fabric.addDevice(InetAddress.ofLiteral("10.1.0.1"));
    final SimDevice other = fabric.addDevice(InetAddress.ofLiteral("10.1.0.2"));
    final ReplicationSettings settings = ReplicationSettings.defaults();
    final Told told = new Told();
    final Sender sender = new Sender();
    final Receiver receiver = new Receiver();
    final Replication replication = new Replication(
        device, settings, sender, receiver, told, new Resources(), (bell, waiters) -> { }, 5, 1);
    final ProtectionDomain domain = other.allocateProtectionDomain();
    final CompletionQueue queue = other.createCompletionQueue(8 * DEPTH, null);
    final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(CAPACITY));
    final MemoryRegion region =
        domain.register(memory.addressOffset(), CAPACITY, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
    final List<Ring> images = new ArrayList<>();
    final List<CmEvent> events = new ArrayList<>();
    CmId id;
    QueuePair queuePair;
    /** Why nothing can be made or registered, if so. */
    RuntimeException shortage;

    @AfterEach
    void free()
    {
        hangUp();
        events.forEach(event -> event.id().close());
        events.clear();
        replication.stop();
        await(replication::isStopped);
        replication.close();
        assertThat(device.resources().open()).isZero();
        region.close();
        queue.close();
        domain.close();
        images.forEach(Ring::close);
        images.forEach(Ring::free);
    }

    /** Lets time pass until something is so. */
    final void await(final BooleanSupplier condition)
    {
        final long deadline = fabric.scheduler().now() + PATIENCE;
        while (!condition.getAsBoolean())
        {
            final long next = fabric.scheduler().now() + STEP;
            fabric.scheduler().after(STEP, () -> { });
            while (fabric.scheduler().now() < next)
            {
                fabric.scheduler().runNext();
            }
            replication.doWork(next);
            sender.doWork(next);
            receiver.doWork(next);
            other.connectionManager().pollEvents(events::add);
            assertThat(next).as("virtual time").isLessThan(deadline);
        }
    }

    /** The other side's next event. */
    final CmEvent nextEvent()
    {
        await(() -> !events.isEmpty());
        return events.removeFirst();
    }

    /** Makes a queue pair with receives in the memory, from its beginning on. */
    final void createQueuePair()
    {
        queuePair = id.createQueuePair(domain, new QpAttributes(queue, queue, DEPTH, DEPTH, 0, 1));
        for (int i = 0; i < DEPTH; i++)
        {
            queuePair.addReceive(i, memory.addressOffset() + 64L * i, 64, region.lkey());
        }
        assertThat(queuePair.postReceives()).isZero();
    }

    /** The other side's next request; what else it has heard is dropped. */
    final CmEvent nextRequest()
    {
        await(() ->
        {
            events.removeIf(event -> event.type() != CmEventType.CONNECT_REQUEST);
            return !events.isEmpty();
        });
        return events.removeFirst();
    }

    /** The other side takes a publication, as one of which it has no image. {@return what was asked} */
    final SetupRequest acceptPublication()
    {
        final CmEvent event = nextRequest();
        id = event.id();
        createQueuePair();
        final SetupRequest request = SetupRequest.decode(event.privateData());
        id.accept(ConnectParameters.DEFAULT, new SetupReply(request.generation(), region.rkey(), DEPTH,
            memory.addressOffset(), SetupReply.NEW_IMAGE).encode());
        return request;
    }

    /** The other side hears where the stream starts. {@return that position} */
    final long awaitStart()
    {
        await(() -> ControlMessage.type(memory) == ControlMessage.START);
        final long position = ControlMessage.position(memory);
        memory.putInt(0, 0);
        return position;
    }

    /** Ends the connection there is, if any. */
    final void hangUp()
    {
        if (id != null)
        {
            if (queuePair != null)
            {
                queuePair.close();
                queuePair = null;
            }
            id.close();
            id = null;
        }
    }

    private final class Resources implements ReplicationResources
    {
        @Override
        public Ring createImage(final SetupRequest request)
        {
            final Ring image = RingFile.createAnonymous(new RingDescription(RingKind.IMAGE, request.capacity(),
                request.sessionId(), request.streamId(), request.publicationId(), 0, true));
            images.add(image);
            return image;
        }

        @Override
        public <T> void submit(final Callable<T> task, final BiConsumer<T, Throwable> completion)
        {
            if (shortage != null)
            {
                completion.accept(null, shortage);
                return;
            }
            try
            {
                completion.accept(task.call(), null);
            }
            catch (final Exception ex)
            {
                completion.accept(null, ex);
            }
        }

        @Override
        public InetSocketAddress lookUp(final InetSocketAddress name)
        {
            return name;
        }
    }

    /** What the driver was told. */
    static final class Told implements ReplicationListener
    {
        final List<String> lines = new ArrayList<>();
        final List<String> refused = new ArrayList<>();
        final List<String> unreachable = new ArrayList<>();
        final List<String> damaged = new ArrayList<>();
        final List<FailureKind> ended = new ArrayList<>();
        final List<ImageSession> started = new ArrayList<>();
        boolean wanted = true;
        long lastPosition = ImageSession.NO_GAP;

        @Override
        public boolean isWanted(final InetSocketAddress address, final SetupRequest request)
        {
            return wanted;
        }

        @Override
        public long lastPosition(final SetupRequest request)
        {
            return lastPosition;
        }

        @Override
        public void onImageStarted(final ImageSession image)
        {
            started.add(image);
        }

        @Override
        public void onImageRefused(final ImageSession image, final String reason)
        {
            refused.add(reason);
        }

        @Override
        public void onRingDamaged(final OutboundStream stream, final String problem)
        {
            damaged.add(problem);
        }

        @Override
        public void onUnreachable(
            final OutboundStream stream, final InetSocketAddress destination, final String reason)
        {
            unreachable.add(reason);
        }

        @Override
        public void onImageEnded(final ImageSession image, final StreamFailure reason)
        {
            ended.add(reason.kind());
        }

        @Override
        public void onReplicaStarted(
            final OutboundStream stream, final InetSocketAddress destination, final long position)
        {
            // The gate shows it.
        }

        @Override
        public void onReplicaEnded(final OutboundStream stream, final InetSocketAddress destination,
            final long position, final StreamFailure reason)
        {
            ended.add(reason.kind());
        }

        @Override
        public void onError(final String message)
        {
            lines.add(message);
        }
    }
}

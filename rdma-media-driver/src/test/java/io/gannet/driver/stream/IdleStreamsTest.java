package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.os.LateFault;
import io.gannet.rdma.sim.SimDevice;
import io.gannet.rdma.sim.SimFabric;
import io.gannet.rdma.sim.SimProfile;
import io.gannet.rdma.sim.SimTrace;
import io.gannet.ring.Bell;
import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.FrameHandler;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.NativeMemory;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Many streams of which few move, in virtual time: what agents visit in a cycle, counted, and how soon a stream is
 * found that begins to move. A cycle takes a microsecond.
 */
class IdleStreamsTest
{
    private static final int STREAMS = 300;
    private static final int ACTIVE = 3;
    /** The one of a file with a name, which a test truncates. */
    private static final int LOST = 40;
    private static final int CAPACITY = 64 * 1024;
    private static final int PORT = 4100;
    private static final long CYCLE = 1_000;
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1_000 * MILLISECOND;
    /** Beside the active ones: those whose sign of life is due, or has come. */
    private static final int MOST_OTHERS = 64;

    private final SimFabric fabric =
        new SimFabric(1, new SimProfile(), NativeMemory.INSTANCE, new SimTrace(0));
    private Path file;
    private final List<Ring> rings = new ArrayList<>();
    private final List<ExclusiveProducer> producers = new ArrayList<>();
    private final List<OutboundStream> streams = new ArrayList<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
    /** Whether the sender is told of bells, as one that has waited is. */
    private boolean hears = true;
    private Host from;
    private Host to;

    @BeforeEach
    void connect() throws IOException
    {
        file = Files.createTempDirectory(Path.of("/dev/shm"), "gannet-test-idle").resolve("lost");
        from = new Host(InetAddress.getByAddress(new byte[] {10, 0, 0, 1}));
        to = new Host(InetAddress.getByAddress(new byte[] {10, 0, 0, 2}));
        final InetSocketAddress endpoint = to.replication.listen(new InetSocketAddress(to.address, PORT)).address();
        for (int i = 1; i <= STREAMS; i++)
        {
            final RingDescription description =
                new RingDescription(RingKind.EXCLUSIVE, CAPACITY, 7, i, i, 0, true);
            final Ring ring = i - 1 == LOST ?
                RingFile.create(file, description) : RingFile.createAnonymous(description);
            rings.add(ring);
            producers.add(new ExclusiveProducer(ring, this::onBell));
            streams.add(from.replication.addPublication(ring, new Membership(ring), i, endpoint, false));
        }
        await(SECOND, () -> to.readers.size() == STREAMS &&
            streams.stream().allMatch(stream -> stream.subscribers().getFirst().isConnected()));
        run(50 * MILLISECOND);
    }

    @AfterEach
    void free() throws IOException
    {
        from.replication.stop();
        to.replication.stop();
        await(5 * SECOND, () -> from.replication.isStopped() && to.replication.isStopped());
        from.replication.close();
        to.replication.close();
        assertThat(from.errors).isEmpty();
        assertThat(to.errors).isEmpty();
        rings.forEach(Ring::close);
        rings.forEach(Ring::free);
        to.images.forEach(Ring::close);
        to.images.forEach(Ring::free);
        Files.deleteIfExists(file);
        Files.delete(file.getParent());
    }

    private void onBell(final long bell, final long waiters)
    {
        if (hears && (waiters & Bell.WAITER_PIPE) != 0)
        {
            from.sender.rang();
        }
    }

    @Test
    void aCycleVisitsTheActiveOnesAndFewOthers()
    {
        final long begun = now();
        int cycles = 0;
        long visits = 0;
        while (now() - begun < SECOND / 2)
        {
            if (cycles % 100 == 0)
            {
                offer(ACTIVE);
            }
            final long senders = from.sender.visits();
            final long receivers = to.receiver.visits();
            final long looks = from.sender.looks();
            cycle();
            assertThat(from.sender.visits() - senders).isLessThanOrEqualTo(ACTIVE + MOST_OTHERS);
            assertThat(to.receiver.visits() - receivers).isLessThanOrEqualTo(ACTIVE + MOST_OTHERS);
            assertThat(from.sender.looks() - looks).isLessThanOrEqualTo(RestingWatch.MOST_LOOKS);
            visits += from.sender.visits() - senders + to.receiver.visits() - receivers;
            cycles++;
        }
        // On average next to nothing but the active ones, at both ends.
        assertThat(visits / (double) cycles).isLessThan(2 * ACTIVE + 4);
        assertThat(from.sender.resting()).isGreaterThan(STREAMS - ACTIVE - MOST_OTHERS);
        assertThat(to.receiver.resting()).isGreaterThan(STREAMS - ACTIVE - MOST_OTHERS);
        assertThat(to.received).isEqualTo(producedFrames());
    }

    @Test
    void aStreamThatBeginsToMoveIsFoundWithinARound()
    {
        for (int i = 0; i < STREAMS; i += 7)
        {
            final long begun = now();
            final OutboundStream stream = streams.get(i);
            final long before = stream.subscribers().getFirst().counters().position();
            // Its bell is not heard: the sender polls.
            offerSilently(i);
            await(RestingWatch.ROUND + 10 * CYCLE, () ->
                stream.subscribers().getFirst().counters().position() > before);
            assertThat(now() - begun).isLessThanOrEqualTo(RestingWatch.ROUND + 10 * CYCLE);
        }
    }

    @Test
    void aBellMakesTheSenderLookAtAllBeforeItWaitsAgain()
    {
        for (int i = 0; i < STREAMS; i += 7)
        {
            final int stream = i;
            final long before = streams.get(stream).subscribers().getFirst().counters().position();
            offer(stream, stream + 1);
            int cycles = 0;
            while (streams.get(stream).subscribers().getFirst().counters().position() == before)
            {
                cycle();
                assertThat(++cycles).isLessThanOrEqualTo(STREAMS / RestingWatch.MOST_LOOKS + 1);
            }
            // What it found is sent with the next signs of life left over; nobody is left resting with a frame.
            run(MILLISECOND);
        }
        assertThat(to.received).isEqualTo(producedFrames());
    }

    /** The frame was sent before its publisher came to ring: the bell has to be armed again. */
    @Test
    void aPublisherThatRingsLateDoesNotDisarmForGood()
    {
        final int stream = 5;
        final Bell late = new Bell(rings.get(stream), this::onBell);
        assertThat(late.isAnnounced(Bell.WAITER_PIPE)).isTrue();
        late.ringIfAwaited();
        assertThat(late.isAnnounced(Bell.WAITER_PIPE)).isFalse();
        await(20 * MILLISECOND, () -> late.isAnnounced(Bell.WAITER_PIPE));
    }

    @Test
    void signsOfLifeGoOnAndConnectionsStay()
    {
        final long before = streams.stream().mapToLong(
            stream -> stream.subscribers().getFirst().counters().requests()).sum();
        run(3 * SECOND, 50 * CYCLE);
        final long signs = streams.stream().mapToLong(
            stream -> stream.subscribers().getFirst().counters().requests()).sum() - before;
        // One each 100 ms, at most an eighth earlier, and nothing beside it.
        assertThat(signs).isBetween(27L * STREAMS, 35L * STREAMS);
        assertThat(streams).allMatch(stream -> stream.subscribers().getFirst().isConnected() &&
            stream.subscribers().getFirst().counters().reconnects() == 0);
    }

    /** In interpreted code and compiled, which meets a fault later. The memory comes back, for a plain end. */
    @Test
    void aRingWhoseMemoryIsGoneDisturbsNoneOfTheOthers() throws IOException
    {
        int faults = 0;
        for (int round = 0; round < 300; round++)
        {
            final int other = round % ACTIVE;
            try (RandomAccessFile lost = new RandomAccessFile(file.toFile(), "rw"))
            {
                final byte[] content = new byte[(int) lost.length()];
                lost.readFully(content);
                lost.setLength(0);
                for (int i = 0; i < STREAMS / RestingWatch.MOST_LOOKS + 1; i++)
                {
                    final StreamCounters counters = streams.get(other).subscribers().getFirst().counters();
                    final long before = counters.position();
                    offer(other, other + 1);
                    faults += senderFaults() ? 1 : 0;
                    assertThat(counters.position()).as("round %s, cycle %s", round, i).isGreaterThan(before);
                }
                from.sender.arm();
                from.sender.hasNews();
                assertThat(from.sender.waitLimit(now())).as("wait while a fault is untold").isZero();
                assertThat(LateFault.discard()).as("a fault that comes up elsewhere").isFalse();
                assertThat(senderFaults()).isTrue();
                lost.seek(0);
                lost.write(content);
            }
            run(20 * CYCLE);
        }
        assertThat(faults).isGreaterThanOrEqualTo(300);
        assertThat(to.received).isEqualTo(producedFrames());
        run(MILLISECOND);
        assertThat(streams.subList(0, LOST)).allMatch(stream -> stream.subscribers().getFirst().isConnected());
    }

    private boolean senderFaults()
    {
        try
        {
            from.sender.doWork(now());
            return false;
        }
        catch (final InternalError gone)
        {
            return true;
        }
    }

    private long producedFrames()
    {
        run(MILLISECOND);
        return producers.stream().mapToLong(ExclusiveProducer::position).sum() / 128;
    }

    private void offer(final int count)
    {
        offer(0, count);
    }

    private void offer(final int first, final int end)
    {
        for (int i = first; i < end; i++)
        {
            assertThat(producers.get(i).offer(message, 0, message.capacity())).isPositive();
        }
    }

    private void offerSilently(final int stream)
    {
        hears = false;
        offer(stream, stream + 1);
        hears = true;
    }

    private long now()
    {
        return fabric.scheduler().now();
    }

    private void run(final long nanos)
    {
        run(nanos, CYCLE);
    }

    private void run(final long nanos, final long cycle)
    {
        for (final long end = now() + nanos; now() < end;)
        {
            cycle(cycle);
        }
    }

    private void await(final long nanos, final BooleanSupplier condition)
    {
        for (final long end = now() + nanos; !condition.getAsBoolean();)
        {
            cycle();
            assertThat(now()).as("errors %s %s, images %s", from.errors, to.errors, to.readers.size())
                .isLessThanOrEqualTo(end);
        }
    }

    private void cycle()
    {
        cycle(CYCLE);
    }

    private void cycle(final long nanos)
    {
        fabric.scheduler().runUntil(now() + nanos);
        from.doWork();
        to.doWork();
    }

    /** A host: NIC, replication, a subscriber for each image. */
    private final class Host implements ReplicationListener, ReplicationResources
    {
        private final InetAddress address;
        private final SimDevice device;
        private final Sender sender = new Sender();
        private final Receiver receiver = new Receiver();
        private final Replication replication;
        private final List<String> errors = new ArrayList<>();
        private final List<Ring> images = new ArrayList<>();
        private final Map<ImageSession, RingReader> readers = new HashMap<>();
        private final List<RingReader> polled = new ArrayList<>();
        private final FrameHandler handler = this::onFrame;
        private int received;

        Host(final InetAddress address)
        {
            this.address = address;
            device = fabric.addDevice(address);
            replication = new Replication(device, ReplicationSettings.defaults(), sender, receiver, this, this,
                (bell, waiters) -> { });
            replication.doWork(now());
        }

        void doWork()
        {
            replication.doWork(now());
            sender.doWork(now());
            receiver.doWork(now());
            for (int i = 0; i < polled.size(); i++)
            {
                polled.get(i).poll(handler, 64);
            }
        }

        private void onFrame(final UnsafeBuffer buffer, final int offset, final int length, final long position)
        {
            received++;
        }

        @Override
        public boolean isWanted(final InetSocketAddress listener, final SetupRequest request)
        {
            return true;
        }

        @Override
        public void onImageStarted(final ImageSession session)
        {
            final Ring image = session.ring();
            final int entry = new Membership(image).join(GatingList.Kind.LOCAL, 5, 1);
            readers.put(session, new RingReader(image, entry, false));
            polled.add(readers.get(session));
        }

        @Override
        public void onImageEnded(final ImageSession session, final StreamFailure reason)
        {
            polled.remove(readers.remove(session));
        }

        @Override
        public void onReplicaStarted(
            final OutboundStream stream, final InetSocketAddress destination, final long position)
        {
            // It is looked at.
        }

        @Override
        public void onReplicaEnded(
            final OutboundStream stream,
            final InetSocketAddress destination,
            final long position,
            final StreamFailure reason)
        {
            // It is looked at.
        }

        @Override
        public void onError(final String text)
        {
            errors.add(text);
        }

        @Override
        public Ring createImage(final SetupRequest request)
        {
            final Ring image = RingFile.createAnonymous(new RingDescription(
                RingKind.IMAGE, request.capacity(), request.sessionId(), request.streamId(),
                request.publicationId(), 0, true));
            images.add(image);
            return image;
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
            catch (final Exception e)
            {
                failure = e;
            }
            completion.accept(result, failure);
        }
    }
}

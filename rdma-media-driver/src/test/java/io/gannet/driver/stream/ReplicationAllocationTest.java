package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.roce.RoceDevice;
import io.gannet.rdma.roce.RoceOptions;
import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.FrameHandler;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingReader;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A message makes no garbage on its whole way: publisher, sender, NIC, receiver, subscriber, and feedback back; also
 * with several images of one ring. The NIC is the software one, with packets on loopback.
 */
class ReplicationAllocationTest
{
    private static final int CAPACITY = 1 << 18;
    private static final int STREAM = 1001;
    private static final long PUBLICATION = 21;
    private static final int CLIENT = 5;
    private static final int MESSAGES = 40_000;
    private static final int LONGEST_WARM_UP = 50 * MESSAGES;
    private static final int LENGTH = 200;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    /** The defaults, but for time-outs that no busy machine reaches. */
    private static final ReplicationSettings SETTINGS = new ReplicationSettings(
        256, 512, 64 * 1024, 220, 40_000, SECOND / 10, 200_000, 120 * SECOND, 120 * SECOND, SECOND, 120 * SECOND,
        SECOND, 120 * SECOND, ReplicationSettings.defaults().parameters(), true);

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final long deadline = System.nanoTime() + 120 * SECOND;
    private final List<Host> hosts = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aMessageMakesNoGarbageOnItsWay(final int images)
    {
        final Ring ring = RingFile.createAnonymous(
            new RingDescription(RingKind.EXCLUSIVE, CAPACITY, 7, STREAM, PUBLICATION, 0, true));
        for (int i = 0; i <= images; i++)
        {
            hosts.add(new Host());
        }
        final Replication publisher = hosts.getFirst().replication;
        final FanOutListener fanOut = publisher.listenForSubscribers(
            new InetSocketAddress(hosts.getFirst().device.port(1).address(), 4040));
        publisher.addPublication(ring, new Membership(ring), PUBLICATION, fanOut, false);
        hosts.stream().skip(1).forEach(host -> host.replication.subscribe(fanOut.address(), STREAM));
        await(() -> hosts.getFirst().replicas == images &&
            hosts.stream().skip(1).allMatch(host -> host.reader != null));

        final ExclusiveProducer producer = new ExclusiveProducer(ring, (bell, waiters) -> { });
        final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
        // The measurement itself takes a little once, and the compiler its time until nothing is put on the heap.
        long published = 0;
        long allocated = Long.MAX_VALUE;
        while (allocated > MESSAGES / 8 && published < LONGEST_WARM_UP)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            publish(producer, message, MESSAGES);
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
            published += MESSAGES;
        }
        final long all = published;
        await(() -> hosts.stream().skip(1).allMatch(host -> host.received == all));
        hosts.forEach(host -> assertThat(host.errors).isEmpty());
        hosts.forEach(host -> host.replication.stop());
        await(() -> hosts.stream().allMatch(host -> host.replication.isStopped()));
        hosts.forEach(Host::close);
        ring.close();
        ring.free();
        assertThat(allocated).as("bytes for %d messages, after %d", MESSAGES, all - MESSAGES)
            .isLessThan(MESSAGES / 8);
    }

    private void publish(final ExclusiveProducer producer, final UnsafeBuffer message, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            while (producer.offer(message, 0, LENGTH) < 0)
            {
                if (System.nanoTime() - deadline > 0)
                {
                    throw new AssertionError("gated at message " + i);
                }
                move();
            }
            if (i % 8 == 0)
            {
                move();
            }
        }
    }

    private void move()
    {
        for (int i = 0; i < hosts.size(); i++)
        {
            hosts.get(i).move();
        }
    }

    private void await(final BooleanSupplier condition)
    {
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime() - deadline).as("errors %s", hosts.stream().map(host -> host.errors).toList())
                .isNegative();
            hosts.forEach(host -> host.replication.doWork(System.nanoTime()));
            move();
        }
    }

    /** A host: NIC, replication, one subscriber at most. */
    private static final class Host implements ReplicationListener, ReplicationResources
    {
        private final RdmaDevice device = RoceDevice.open(RoceOptions.LOOPBACK);
        private final Sender sender = new Sender();
        private final Receiver receiver = new Receiver();
        private final Replication replication =
            new Replication(device, SETTINGS, sender, receiver, this, this, (bell, waiters) -> { });
        private final List<String> errors = new ArrayList<>();
        private final FrameHandler handler = this::onFrame;
        private Ring image;
        private RingReader reader;
        private int replicas;
        private int received;

        /** Everything but control. */
        void move()
        {
            final long now = System.nanoTime();
            device.doWork();
            sender.doWork(now);
            receiver.doWork(now);
            if (reader != null)
            {
                reader.poll(handler, 64);
            }
        }

        private void onFrame(final UnsafeBuffer buffer, final int offset, final int length, final long position)
        {
            received += length == LENGTH ? 1 : 0;
        }

        void close()
        {
            replication.close();
            device.close();
            if (image != null)
            {
                image.close();
                image.free();
            }
        }

        @Override
        public boolean isWanted(final InetSocketAddress address, final SetupRequest request)
        {
            return true;
        }

        @Override
        public void onImageStarted(final ImageSession session)
        {
            final int entry = new Membership(image).join(GatingList.Kind.LOCAL, CLIENT, PUBLICATION);
            reader = new RingReader(image, entry, false);
        }

        @Override
        public void onImageEnded(final ImageSession session, final StreamFailure reason)
        {
            replication.endImage(session);
        }

        @Override
        public void onReplicaStarted(
            final OutboundStream stream, final InetSocketAddress destination, final long position)
        {
            replicas++;
        }

        @Override
        public void onReplicaEnded(
            final OutboundStream stream,
            final InetSocketAddress destination,
            final long position,
            final StreamFailure reason)
        {
            replicas--;
        }

        @Override
        public void onError(final String message)
        {
            errors.add(message);
        }

        @Override
        public Ring createImage(final SetupRequest request)
        {
            image = RingFile.createAnonymous(new RingDescription(
                RingKind.IMAGE, request.capacity(), request.sessionId(), request.streamId(),
                request.publicationId(), 0, true));
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

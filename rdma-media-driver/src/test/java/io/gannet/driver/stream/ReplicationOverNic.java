package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.DeviceStatistic;
import io.gannet.rdma.RdmaDevice;
import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingReader;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The shipped engine over a real NIC or the software one: publisher, two drivers' replication, subscriber. Each
 * provider has its subclass.
 */
abstract class ReplicationOverNic
{
    private static final int CAPACITY = 1 << 18;
    private static final int MESSAGES = 30_000;
    private static final int SEED = 11;
    private static final long PUBLICATION = 77;
    private static final int CLIENT = 5;
    private static final long SECOND = 1_000_000_000L;
    private static final long PATIENCE = 120 * SECOND;
    /** The defaults, but for time-outs that no busy machine reaches. */
    private static final ReplicationSettings SETTINGS = new ReplicationSettings(
        256, 512, 64 * 1024, 220, 40_000, SECOND / 10, 200_000, PATIENCE, PATIENCE, SECOND, PATIENCE, SECOND,
        PATIENCE, new ConnectParameters(7, 7, 20, 0),
        true);

    private Host from;
    private Host to;
    private final long deadline = System.nanoTime() + PATIENCE;

    /**
     * Opens a device.
     *
     * @param index 0 or 1; both can reach each other.
     */
    abstract RdmaDevice openDevice(int index);

    /** Lets others work when there was nothing to do. */
    abstract void idle();

    /** Nothing by default. */
    void check(final RdmaDevice publisher)
    {
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void messagesArriveWholeAndInOrder(final boolean immediate)
    {
        from = new Host(openDevice(0), SETTINGS.withImmediate(immediate));
        to = new Host(openDevice(1), SETTINGS.withImmediate(immediate));
        final Ring ring = RingFile.createAnonymous(
            new RingDescription(RingKind.EXCLUSIVE, CAPACITY, 7, 1001, PUBLICATION, 0, true));
        final ExclusiveProducer producer = new ExclusiveProducer(ring, (bell, waiters) -> { });
        final InetSocketAddress address = new InetSocketAddress(to.device.port(1).address(), 4040);
        to.replication.listen(address);
        final OutboundStream stream = from.replication.addPublication(
            ring, new Membership(ring), PUBLICATION, address, false);
        await("a replica", () -> from.replicas == 1);

        final UnsafeBuffer message = new UnsafeBuffer(new byte[8_192]);
        final Random lengths = new Random(SEED);
        long end = 0;
        for (int i = 0; i < MESSAGES; i++)
        {
            final int length = length(lengths);
            fill(message, i, length);
            long position = producer.offer(message, 0, length);
            while (position < 0)
            {
                assertThat(System.nanoTime() - deadline).as("gated at message %d: %s", i, numbers(to.device))
                    .isNegative();
                cycle();
                position = producer.offer(message, 0, length);
            }
            end = position;
            if (i % 16 == 0)
            {
                cycle();
            }
        }
        await("all messages", () -> to.received == MESSAGES);
        assertThat(from.errors).isEmpty();
        assertThat(to.errors).isEmpty();
        check(from.device);

        from.replication.endPublication(stream, end);
        await("the end of the image", () -> to.ended == 1 && from.replication.isDone(stream));
        from.stop();
        to.stop();
        await("the end", () -> from.replication.isStopped() && to.replication.isStopped());
        from.close();
        to.close();
        ring.close();
        ring.free();
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime() - deadline).as("waits for %s: %s %s, received %d, errors %s %s", what,
                numbers(from.device), numbers(to.device), to.received, from.errors, to.errors).isNegative();
            cycle();
        }
    }

    private static String numbers(final RdmaDevice device)
    {
        final StringBuilder text = new StringBuilder(device.name());
        for (final DeviceStatistic statistic : device.statistics())
        {
            final long value = statistic.value().getAsLong();
            text.append(value == 0 ? "" : ", " + statistic.label() + ' ' + value);
        }
        return text.toString();
    }

    private void cycle()
    {
        if (from.work() + to.work() == 0)
        {
            idle();
        }
    }

    private static int length(final Random random)
    {
        return random.nextInt(50) == 0 ? 1 + random.nextInt(8_000) : 8 + random.nextInt(200);
    }

    private static void fill(final UnsafeBuffer buffer, final int number, final int length)
    {
        for (int at = 0; at < length; at++)
        {
            buffer.putByte(at, (byte) (number * 31 + at));
        }
    }

    /** A host: NIC, replication, subscriber. */
    private static final class Host implements ReplicationListener, ReplicationResources
    {
        private final RdmaDevice device;
        private final Sender sender = new Sender();
        private final Receiver receiver = new Receiver();
        private final Replication replication;
        private final List<String> errors = new ArrayList<>();
        private final UnsafeBuffer expected = new UnsafeBuffer(new byte[8_192]);
        private final Random lengths = new Random(SEED);
        private final List<Long> started = new ArrayList<>();
        private Ring image;
        private RingReader reader;
        private int replicas;
        private int received;
        private int ended;

        Host(final RdmaDevice device, final ReplicationSettings settings)
        {
            this.device = device;
            replication = new Replication(
                device, settings, sender, receiver, this, this, (bell, waiters) -> { });
        }

        int work()
        {
            final long now = System.nanoTime();
            final int work = device.doWork() + replication.doWork(now) + sender.doWork(now) + receiver.doWork(now);
            return work + (reader == null ? 0 : reader.poll(this::onFrame, 64));
        }

        private void onFrame(final UnsafeBuffer buffer, final int offset, final int length, final long position)
        {
            final int expectedLength = length(lengths);
            fill(expected, received, expectedLength);
            if (length != expectedLength || !sameBytes(buffer, offset, length))
            {
                throw new AssertionError("message " + received + " of " + length + " bytes at " + position +
                    ", image from " + started + ", ended " + ended + ", errors " + errors);
            }
            received++;
        }

        private boolean sameBytes(final UnsafeBuffer buffer, final int offset, final int length)
        {
            for (int i = 0; i < length; i++)
            {
                if (buffer.getByte(offset + i) != expected.getByte(i))
                {
                    return false;
                }
            }
            return true;
        }

        void stop()
        {
            replication.stop();
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
            final Membership membership = new Membership(session.ring());
            final int entry = membership.join(GatingList.Kind.LOCAL, CLIENT, PUBLICATION);
            reader = new RingReader(session.ring(), entry, false);
            started.add(session.startPosition());
        }

        @Override
        public void onImageEnded(final ImageSession session, final StreamFailure reason)
        {
            ended++;
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

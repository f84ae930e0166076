package io.gannet.rdma.roce;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.Access;
import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.CmListener;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.MemoryRegion;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.QueuePair;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.WorkCompletions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A second NIC with an honest connection to the one under attack: its writes must arrive, whole and in order.
 */
final class Bystander implements AutoCloseable
{
    private static final UnsafeBuffer NO_DATA = new UnsafeBuffer(new byte[0]);
    private static final ConnectParameters PATIENT = new ConnectParameters(7, 7, 18, 0);
    private static final long DEADLINE = 60_000_000_000L;
    private static final int BYTES = 10_000;
    private static final int DEPTH = 64;

    private final RoceDevice own = RoceDevice.open(RoceOptions.LOOPBACK);
    private final Arena arena = Arena.ofShared();
    private final MemorySegment source = arena.allocate(BYTES, 64);
    private final MemorySegment target = arena.allocate(BYTES, 64);
    private final WorkCompletions polled = new WorkCompletions(16);
    private final Side near;
    private final Side far;
    private int number;

    Bystander(final RoceDevice attacked)
    {
        near = new Side(own, source);
        far = new Side(attacked, target);
        final CmListener listener =
            attacked.connectionManager().listen(new InetSocketAddress(attacked.port(1).address(), 0), null);
        final CmId id = own.connectionManager().createId();
        id.resolve(listener.localAddress(), 1_000);
        await(near, far, CmEventType.ROUTE_RESOLVED);
        near.start(id);
        id.connect(PATIENT, NO_DATA);
        final CmId accepted = await(far, near, CmEventType.CONNECT_REQUEST).id();
        far.start(accepted);
        accepted.accept(PATIENT, NO_DATA);
        await(near, far, CmEventType.ESTABLISHED);
        await(far, near, CmEventType.ESTABLISHED);
        listener.close();
    }

    private static CmEvent await(final Side side, final Side other, final CmEventType type)
    {
        final CmEvent[] found = new CmEvent[1];
        final long deadline = System.nanoTime() + DEADLINE;
        while (found[0] == null)
        {
            assertThat(System.nanoTime() - deadline).as("nanoseconds after the deadline").isNegative();
            side.device.doWork();
            other.device.doWork();
            side.device.connectionManager().pollEvents(
                event -> found[0] = event.type() == type ? event : found[0]);
        }
        return found[0];
    }

    /** Writes once, over several packets, and waits for it. */
    void sendAndReceive(final RoceDevice attacked)
    {
        number++;
        for (int at = 0; at < BYTES; at += Integer.BYTES)
        {
            source.set(ValueLayout.JAVA_INT, at, number + at);
        }
        near.queuePair.addWriteWithImm(number, SendFlags.SIGNALED, source.address(), BYTES, near.region.lkey(),
            target.address(), far.region.rkey(), number);
        assertThat(near.queuePair.ringDoorbell()).isZero();
        boolean received = false;
        boolean acknowledged = false;
        final long deadline = System.nanoTime() + DEADLINE;
        while (!received || !acknowledged)
        {
            assertThat(System.nanoTime() - deadline).as("nanoseconds after the deadline of write %d", number)
                .isNegative();
            own.doWork();
            attacked.doWork();
            received |= far.poll(polled, number);
            acknowledged |= near.poll(polled, number);
        }
        assertThat(target.mismatch(source)).isEqualTo(-1);
        far.queuePair.addReceive(number, 0, 0, 0);
        far.queuePair.postReceives();
    }

    @Override
    public void close()
    {
        near.close();
        far.close();
        own.close();
        arena.close();
    }

    private static final class Side
    {
        private final RoceDevice device;
        private final ProtectionDomain domain;
        private final MemoryRegion region;
        private final CompletionQueue completions;
        private CmId id;
        private QueuePair queuePair;

        Side(final RoceDevice device, final MemorySegment memory)
        {
            this.device = device;
            domain = device.allocateProtectionDomain();
            region = domain.register(
                memory.address(), memory.byteSize(), Access.LOCAL_WRITE | Access.REMOTE_WRITE);
            completions = device.createCompletionQueue(2 * DEPTH, null);
        }

        void start(final CmId connection)
        {
            id = connection;
            queuePair = id.createQueuePair(domain, new QpAttributes(completions, completions, DEPTH, DEPTH, 0, 1));
            for (int i = 0; i < DEPTH; i++)
            {
                queuePair.addReceive(i, 0, 0, 0);
            }
            queuePair.postReceives();
        }

        /** Whether the completion with that number came: of its work request, or as immediate. */
        boolean poll(final WorkCompletions polled, final int number)
        {
            final int count = completions.poll(polled);
            for (int i = 0; i < count; i++)
            {
                assertThat(polled.status(i)).isEqualTo(WcStatus.SUCCESS);
                assertThat(polled.wrId(i) == number || polled.imm(i) == number).isTrue();
            }
            return count > 0;
        }

        void close()
        {
            queuePair.close();
            id.close();
            completions.close();
            region.close();
            domain.close();
        }
    }
}

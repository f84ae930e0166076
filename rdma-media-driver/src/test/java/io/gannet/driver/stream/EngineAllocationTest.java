package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.gannet.harness.LoopbackAddress;
import io.gannet.rdma.QueuePair;
import io.gannet.rdma.ResourceCounts;
import io.gannet.rdma.QpState;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.WcOpcode;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.roce.RoceDevice;
import io.gannet.rdma.roce.RoceOptions;
import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import java.lang.management.ManagementFactory;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the sender does for each message makes no garbage: finding frames, posting, reclaiming, reading feedback,
 * arming. The queue pair is one that takes everything and completes at once.
 */
class EngineAllocationTest
{
    private static final int CAPACITY = 64 * 1024;
    private static final int CREDITS = 512;
    private static final int WARM_UP = 20_000;
    private static final int MESSAGES = 50_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMessageMakesNoGarbage(final boolean immediate)
    {
        final Ring ring = RingFile.createAnonymous(
            new RingDescription(RingKind.EXCLUSIVE, CAPACITY, 7, 1001, 1, 0, true));
        final RdmaDevice device = RoceDevice.open(RoceOptions.LOOPBACK.withAddress(LoopbackAddress.random()));
        final var domain = device.allocateProtectionDomain();
        try (ConnectionMemory memory = new ConnectionMemory(domain, OutboundMessages.SLOTS + 256, 32);
            AllTaking queuePair = new AllTaking(device.resources()))
        {
            final Membership membership = new Membership(ring);
            final int sender = membership.join(GatingList.Kind.SENDER, 0, 1);
            final int remote = membership.join(GatingList.Kind.REMOTE, 0, 1);
            final long cell = membership.list().positionAddress(remote);
            final OutboundReplica replica = new OutboundReplica(
                ring, queuePair, ReplicationSettings.defaults(), new ImageTarget(1 << 20, 3),
                new FeedbackCell(ring.memory(), cell, 0, CREDITS, 0),
                new OutboundMessages(memory, 1, 0, cell, 4),
                membership.list().positionAddress(sender), WorkId.base(1, 1), 5, 0, immediate, false,
                new StreamCounters(), () -> { }, 0);
            final ExclusiveProducer producer = new ExclusiveProducer(ring, (bell, waiters) -> { });
            final UnsafeBuffer message = new UnsafeBuffer(new byte[200]);
            run(ring, replica, queuePair, producer, message, cell, WARM_UP);
            final long before = threads.getCurrentThreadAllocatedBytes();
            run(ring, replica, queuePair, producer, message, cell, MESSAGES);
            final long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertThat(replica.failure()).isNull();
            assertThat(replica.sent()).isEqualTo((long) (WARM_UP + MESSAGES) * 224);
            // The measurement itself takes a few hundred bytes.
            assertThat(allocated).isLessThan(MESSAGES / 8);
        }
        finally
        {
            domain.close();
            device.close();
            ring.close();
            ring.free();
        }
    }

    private static void run(
        final Ring ring,
        final OutboundReplica replica,
        final AllTaking queuePair,
        final ExclusiveProducer producer,
        final UnsafeBuffer message,
        final long cell,
        final int messages)
    {
        for (int i = 0; i < messages; i++)
        {
            while (producer.offer(message, 0, message.capacity()) < 0)
            {
                // The window is what was written to the cell below.
                Thread.onSpinWait();
            }
            queuePair.now += 1_000;
            final long now = queuePair.now;
            replica.send(now);
            replica.announce();
            replica.waitLimit(now);
            if (queuePair.signaled != 0)
            {
                replica.onCompletion(queuePair.signaled, WcStatus.SUCCESS, WcOpcode.RDMA_WRITE, now);
                queuePair.signaled = 0;
            }
            ring.memory().putLongRelease(cell + FeedbackCell.CREDITS, CREDITS + queuePair.receives);
            ring.memory().putLongRelease(cell + FeedbackCell.HEARTBEAT, i + now);
            ring.memory().putLongRelease(cell + FeedbackCell.POSITION, replica.sent());
        }
    }

    /** A queue pair that takes everything. */
    private static final class AllTaking extends QueuePair
    {
        private long signaled;
        private long receives;
        private long now;
        private int added;
        private int last;

        AllTaking(final ResourceCounts counts)
        {
            super(counts);
        }

        private void add(final long wrId, final int flags, final boolean takesReceive)
        {
            added++;
            signaled = (flags & SendFlags.SIGNALED) != 0 ? wrId : signaled;
            receives += takesReceive ? 1 : 0;
        }

        @Override
        public int number()
        {
            return 1;
        }

        @Override
        public QpState state()
        {
            return QpState.RTS;
        }

        @Override
        public int maxInline()
        {
            return 220;
        }

        @Override
        public int sendDepth()
        {
            return 256;
        }

        @Override
        public int receiveDepth()
        {
            return 1;
        }

        @Override
        public void addWrite(
            final long wrId,
            final int flags,
            final long localAddress,
            final int length,
            final int lkey,
            final long remoteAddress,
            final int rkey)
        {
            add(wrId, flags, false);
        }

        @Override
        public void addWriteWithImm(
            final long wrId,
            final int flags,
            final long localAddress,
            final int length,
            final int lkey,
            final long remoteAddress,
            final int rkey,
            final int imm)
        {
            add(wrId, flags, true);
        }

        @Override
        public void addSend(
            final long wrId, final int flags, final long localAddress, final int length, final int lkey)
        {
            add(wrId, flags, true);
        }

        @Override
        public int ringDoorbell()
        {
            last = added;
            added = 0;
            return 0;
        }

        @Override
        public int accepted()
        {
            return last;
        }

        @Override
        public void addReceive(final long wrId, final long address, final int length, final int lkey)
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public int postReceives()
        {
            return 0;
        }

        @Override
        public int acceptedReceives()
        {
            return 0;
        }

        @Override
        public void toError()
        {
            throw new UnsupportedOperationException();
        }

        @Override
        protected int destroy()
        {
            return 0;
        }
    }
}

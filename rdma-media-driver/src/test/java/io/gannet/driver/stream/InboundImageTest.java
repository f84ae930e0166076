package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.QueuePair;
import io.gannet.rdma.WcOpcode;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.sim.SimDevice;
import io.gannet.rdma.sim.SimFabric;
import io.gannet.rdma.sim.SimProfile;
import io.gannet.rdma.sim.SimTrace;
import io.gannet.ring.GatingMinimum;
import io.gannet.ring.NativeMemory;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a receiver makes of the first message of a connection. */
class InboundImageTest
{
    private static final int GENERATION = 0x0007_0003;
    private static final int DEPTH = 64;
    private static final long NOTHING = -1;
    private static final long SET_UP = ReplicationSettings.defaults().connectTimeout();

    private final SimFabric fabric = new SimFabric(1, new SimProfile(), NativeMemory.INSTANCE, new SimTrace(0));
    private final SimDevice device = fabric.addDevice(InetAddress.ofLiteral("10.1.0.1"));
    private final SimDevice peer = fabric.addDevice(InetAddress.ofLiteral("10.1.0.2"));
    private final ProtectionDomain domain = device.allocateProtectionDomain();
    private final CompletionQueue queue = device.createCompletionQueue(2 * DEPTH, null);
    private final CmId id = route();
    private final QueuePair queuePair = id.createQueuePair(domain, new QpAttributes(queue, queue, DEPTH, DEPTH, 0, 1));
    private final Ring ring =
        RingFile.createAnonymous(new RingDescription(RingKind.IMAGE, 64 * 1024, 1, 2, 3, 0, true));
    private final ConnectionMemory memory = new ConnectionMemory(domain, 2 * DEPTH, ReceiveQueue.SLOT_LENGTH);
    private final ReceiveQueue receives = new ReceiveQueue(memory, DEPTH);
    private final AtomicInteger starts = new AtomicInteger();
    private final InboundImage image = image();

    /** A queue pair needs a route. */
    private CmId route()
    {
        final CmId made = device.connectionManager().createId();
        made.resolve(new InetSocketAddress(peer.address(), 4000), 1_000);
        final boolean[] resolved = {false};
        while (!resolved[0])
        {
            fabric.scheduler().runNext();
            device.connectionManager().pollEvents(event -> resolved[0] |= event.type() == CmEventType.ROUTE_RESOLVED);
        }
        return made;
    }

    private InboundImage image()
    {
        assertThat(receives.postAll(queuePair, 0)).isZero();
        final StreamCounters counters = new StreamCounters();
        final ReplicationSettings settings = ReplicationSettings.defaults();
        return new InboundImage(ring, queuePair, settings, receives,
            new FeedbackWriter(
                ring, new GatingMinimum(ring), settings, memory, DEPTH, DEPTH, 0, counters, 0, SetupReply.NEW_IMAGE),
            (bell, waiters) -> { }, counters, 0, GENERATION, SetupReply.NEW_IMAGE, SET_UP, starts::incrementAndGet,
            () -> { }, 0);
    }

    @AfterEach
    void free()
    {
        queuePair.close();
        id.close();
        memory.close();
        queue.close();
        domain.close();
        ring.close();
        ring.free();
    }

    private void start(final int slot, final int generation, final long position)
    {
        ControlMessage.putStart(
            new UnsafeBuffer(memory.address(slot), ControlMessage.LENGTH), generation, position, 4096, 5);
        image.onCompletion(
            WorkId.of(0, slot), WcStatus.SUCCESS, WcOpcode.RECV, ControlMessage.LENGTH, 0, 1);
    }

    private long published()
    {
        return ring.memory().getLongAcquire(ring.headerAddress() + RingLayout.RECEIVED_OFFSET);
    }

    @Test
    void theStartOfItsOwnConnectionSaysWhereTheStreamComesFrom()
    {
        start(0, GENERATION, 6400);
        assertThat(image.failure()).isNull();
        assertThat(image.isStarted()).isTrue();
        assertThat(image.received()).isEqualTo(6400);
        assertThat(published()).isEqualTo(6400);
        assertThat(starts).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {GENERATION - 1, GENERATION + 1, GENERATION ^ 0x0001_0000, 0})
    void theStartOfAnotherConnectionIsRefusedAndWhatFollowsItIsNotTaken(final int generation)
    {
        start(0, generation, 6400);
        assertThat(image.failure()).isEqualTo(new StreamFailure(FailureKind.STALE_MESSAGE, 0));
        // Neither its own start behind it, nor a write.
        start(1, GENERATION, 6400);
        image.onCompletion(WorkId.of(0, 2), WcStatus.SUCCESS, WcOpcode.RECV_RDMA_WITH_IMM, 32, 201, 1);
        assertThat(image.isStarted()).isFalse();
        assertThat(image.received()).isEqualTo(NOTHING);
        assertThat(starts).hasValue(0);
        assertThat(image.failure().kind()).isEqualTo(FailureKind.STALE_MESSAGE);
    }

    @ParameterizedTest
    @ValueSource(longs = {-32, 6401, Long.MIN_VALUE, RingLayout.MAX_POSITION, Long.MAX_VALUE})
    void aStartWhereNoFrameCanBeIsRefused(final long position)
    {
        start(0, GENERATION, position);
        assertThat(image.failure()).isEqualTo(new StreamFailure(FailureKind.PROTOCOL, 0));
        assertThat(image.isStarted()).isFalse();
        assertThat(starts).hasValue(0);
    }

    @Test
    void aSecondStartIsRefused()
    {
        start(0, GENERATION, 6400);
        start(1, GENERATION, 64);
        assertThat(image.failure().kind()).isEqualTo(FailureKind.PROTOCOL);
        assertThat(image.received()).isEqualTo(6400);
    }

    @Test
    void aPeerHasTheWholeSetUpToSayWhereTheStreamStarts()
    {
        assertThat(image.waitLimit(0)).isEqualTo(SET_UP);
        image.maintain(SET_UP);
        assertThat(image.failure()).isNull();
    }

    @Test
    void aPeerThatNeverSaysWhereTheStreamStartsIsGivenUp()
    {
        image.maintain(SET_UP + 1);
        assertThat(image.failure()).isEqualTo(new StreamFailure(FailureKind.SILENT_PEER, 0));
    }
}

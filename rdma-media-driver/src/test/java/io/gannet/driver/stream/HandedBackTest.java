package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmListener;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.SendFlags;
import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Connections that fail while control has no turn, and are handed back by their agent before control, which does not
 * know that yet, wants something of them: their memory is control's then, and may be gone.
 */
class HandedBackTest extends ScriptedPeer
{
    private static final long CYCLE = 10_000;
    private static final int START = 6400;
    private static final int FRAME = 64;

    private int generation = 0x0001_0010;

    private long now()
    {
        return fabric.scheduler().now();
    }

    /** Lets time pass in which control and the other agent do not run. */
    private void alone(final Runnable agent, final long nanos)
    {
        for (final long end = now() + nanos; now() < end;)
        {
            fabric.scheduler().runUntil(now() + CYCLE);
            agent.run();
        }
    }

    @Test
    void anEndOfStreamThatComesLateIsNotWrittenIntoMemoryThatIsGone()
    {
        final Ring ring = RingFile.createAnonymous(
            new RingDescription(RingKind.EXCLUSIVE, CAPACITY, 7, STREAM, PUBLICATION, 0, true));
        images.add(ring);
        final ExclusiveProducer producer = new ExclusiveProducer(ring, (bell, waiters) -> { });
        final CmListener listener = other.connectionManager().listen(new InetSocketAddress(PORT), this);
        final OutboundStream stream = replication.addPublication(
            ring, new Membership(ring), PUBLICATION, new InetSocketAddress(other.address(), PORT), false);
        acceptPublication();
        awaitStart();
        // The other side says nothing, which the sender finds out by itself.
        alone(() -> sender.doWork(now()), 2 * settings.peerTimeout());
        final RemoteSubscriber host = stream.subscribers().getFirst();
        assertThat(host.counters().hold()).isEqualTo(StreamCounters.Hold.CONNECTION);
        assertThat(host.isConnected()).as("as far as control knows").isTrue();
        replication.endPublication(stream, producer.position());
        replication.doWork(now());
        assertThat(host.isConnected()).isFalse();
        // Finds that it is to tell the end.
        sender.doWork(now());
        listener.close();
    }

    @Test
    void anImageWhoseConnectionHasEndedIsOpenedByControlAndNotTouchedByItsReceiver()
    {
        replication.listen(new InetSocketAddress(PORT));
        SetupReply reply = connect();
        while (reply == null)
        {
            reply = connect();
        }
        // It starts, a frame comes, and then what must not; all before control looks.
        ControlMessage.putStart(memory, generation, START, memory.addressOffset() + 4096, region.rkey());
        queuePair.addSend(
            1, SendFlags.SIGNALED, memory.addressOffset(), ControlMessage.LENGTH, region.lkey());
        queuePair.addWriteWithImm(2, SendFlags.SIGNALED, memory.addressOffset() + 8192, FRAME, region.lkey(),
            reply.imageAddress() + START, reply.rkey(), ImmPosition.of(START + FRAME));
        queuePair.addSend(
            3, SendFlags.SIGNALED, memory.addressOffset(), ControlMessage.LENGTH, region.lkey());
        assertThat(queuePair.ringDoorbell()).isZero();
        alone(() -> receiver.doWork(now()), TimeUnit.SECONDS.toNanos(1));
        assertThat(told.started).isEmpty();
        replication.doWork(now());
        assertThat(told.started).hasSize(1);
        final ImageSession session = told.started.getFirst();
        final Ring image = session.ring();
        final long word = image.headerAddress() + RingLayout.RECEIVED_OFFSET;
        assertThat(session.receivedPosition()).isEqualTo(START + FRAME);
        assertThat(image.memory().getLongAcquire(word)).isEqualTo(START + FRAME);
        image.memory().putLongRelease(word, 0);
        // Finds that it is to open it; where nobody reads it any more it is unmapped by now.
        receiver.doWork(now());
        assertThat(image.memory().getLongAcquire(word)).isZero();
    }

    /** Asks once. {@return the answer, null if the image is not ready} */
    private SetupReply connect()
    {
        hangUp();
        events.clear();
        id = other.connectionManager().createId();
        id.resolve(new InetSocketAddress(device.address(), PORT), 1_000);
        assertThat(nextEvent().type()).isEqualTo(CmEventType.ROUTE_RESOLVED);
        createQueuePair();
        generation++;
        id.connect(ConnectParameters.DEFAULT, new SetupRequest(
            SetupRequest.VERSION, false, STREAM, 7, CAPACITY, generation, PUBLICATION).encode());
        final CmEvent answer = nextEvent();
        return answer.type() == CmEventType.ESTABLISHED ? SetupReply.decode(answer.privateData(), generation) : null;
    }
}

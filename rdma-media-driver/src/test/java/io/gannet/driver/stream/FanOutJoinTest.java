package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.QueuePair;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** What a fan-out publisher makes of requests that come late, or twice. */
class FanOutJoinTest extends ScriptedPeer
{
    private static final long DRIVER = 77;
    private static final int IMAGE = 3;
    private static final int GENERATION = 0x0001_0110;

    private final Ring ring = RingFile.createAnonymous(
        new RingDescription(RingKind.EXCLUSIVE, CAPACITY, 7, STREAM, PUBLICATION, 0, true));
    private OutboundStream stream;
    private FanOutListener fanOut;

    private void publish()
    {
        images.add(ring);
        fanOut = replication.listenForSubscribers(new InetSocketAddress(PORT));
        stream = replication.addPublication(ring, new Membership(ring), PUBLICATION, fanOut, false);
    }

    private CmEvent ask(final CmId by, final int generation)
    {
        by.connect(ConnectParameters.DEFAULT, new JoinRequest(IMAGE, STREAM, generation, PUBLICATION, DRIVER,
            memory.addressOffset(), SetupReply.NEW_IMAGE, region.rkey(), DEPTH).encode());
        return nextEvent();
    }

    private CmId route()
    {
        final CmId made = other.connectionManager().createId();
        made.resolve(new InetSocketAddress(device.address(), PORT), 1_000);
        assertThat(nextEvent().type()).isEqualTo(CmEventType.ROUTE_RESOLVED);
        return made;
    }

    @Test
    void aRequestThatComesLateOrTwiceDoesNotEndTheConnection()
    {
        publish();
        id = route();
        createQueuePair();
        assertThat(ask(id, GENERATION).type()).isEqualTo(CmEventType.ESTABLISHED);
        await(() -> ControlMessage.type(memory) == ControlMessage.START);
        for (int late = 0; late < 3; late++)
        {
            final CmId again = route();
            final QueuePair second =
                again.createQueuePair(domain, new QpAttributes(queue, queue, DEPTH, DEPTH, 0, 1));
            final CmEvent answer = ask(again, GENERATION - late);
            assertThat(answer.type()).isEqualTo(CmEventType.REJECTED);
            assertThat(SetupRefusal.decode(answer.privateData(), GENERATION - late))
                .isEqualTo(SetupRefusal.NOT_READY);
            second.close();
            again.close();
        }
        assertThat(stream.subscribers()).singleElement().matches(RemoteSubscriber::isConnected);
        assertThat(told.lines).isEmpty();
    }

    @Test
    void aLaterRequestOfTheSameImageTakesTheConnectionsPlace()
    {
        publish();
        id = route();
        createQueuePair();
        assertThat(ask(id, GENERATION).type()).isEqualTo(CmEventType.ESTABLISHED);
        await(() -> ControlMessage.type(memory) == ControlMessage.START);
        memory.putInt(0, 0);
        int generation = GENERATION;
        CmEventType answer = CmEventType.REJECTED;
        while (answer != CmEventType.ESTABLISHED)
        {
            hangUp();
            events.clear();
            id = route();
            createQueuePair();
            generation++;
            answer = ask(id, generation).type();
        }
        await(() -> ControlMessage.type(memory) == ControlMessage.START);
        assertThat(ControlMessage.generation(memory)).isEqualTo(generation);
    }
}

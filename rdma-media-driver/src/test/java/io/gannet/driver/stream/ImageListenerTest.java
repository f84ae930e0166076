package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.SendFlags;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a driver answers to a publication that comes in, and why. */
class ImageListenerTest extends ScriptedPeer
{
    private final InetSocketAddress address = new InetSocketAddress(device.address(), PORT);
    private int generation = 0x0001_0010;

    private ImageListener listener;

    @BeforeEach
    void listen()
    {
        listener = replication.listen(new InetSocketAddress(PORT));
    }

    /** Asks once. {@return the refusal, or {@link SetupRefusal#UNKNOWN} if it was taken} */
    private int ask(final boolean resume)
    {
        hangUp();
        events.clear();
        id = other.connectionManager().createId();
        id.resolve(address, 1_000);
        assertThat(nextEvent().type()).isEqualTo(CmEventType.ROUTE_RESOLVED);
        createQueuePair();
        generation++;
        id.connect(ConnectParameters.DEFAULT, new SetupRequest(
            SetupRequest.VERSION, resume, STREAM, 7, CAPACITY, generation, PUBLICATION).encode());
        final CmEvent answer = nextEvent();
        if (answer.type() == CmEventType.ESTABLISHED)
        {
            return SetupRefusal.UNKNOWN;
        }
        assertThat(answer.type()).isEqualTo(CmEventType.REJECTED);
        return SetupRefusal.decode(answer.privateData(), generation);
    }

    /** Asks until the answer is another one than to ask again. */
    private int settle(final boolean resume)
    {
        int answer = ask(resume);
        while (answer == SetupRefusal.NOT_READY)
        {
            answer = ask(resume);
        }
        return answer;
    }

    private void start(final long position)
    {
        ControlMessage.putStart(memory, generation, position, memory.addressOffset(), region.rkey());
        queuePair.addSend(1, SendFlags.SIGNALED, memory.addressOffset(), ControlMessage.LENGTH, region.lkey());
        assertThat(queuePair.ringDoorbell()).isZero();
        final int before = told.started.size();
        await(() -> told.started.size() > before);
        new Membership(told.started.getLast().ring()).join(GatingList.Kind.LOCAL, 1, 1);
    }

    @Test
    void takesAPublicationOnceItsImageIsMade()
    {
        assertThat(settle(false)).isEqualTo(SetupRefusal.UNKNOWN);
        start(6400);
        assertThat(told.started.getFirst().startPosition()).isEqualTo(6400);
        assertThat(told.started.getFirst().gapFrom()).isEqualTo(ImageSession.NO_GAP);
        assertThat(settle(true)).isEqualTo(SetupRefusal.UNKNOWN);
    }

    /** Kernel RDMA makes no queue pair for a request that its peer has withdrawn, and says only EINVAL. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRequestThatTheDeviceRefusesIsToldUnlessItsPeerHasGone(final boolean gone)
    {
        assertThat(settle(false)).isEqualTo(SetupRefusal.UNKNOWN);
        start(6400);
        hangUp();
        final List<RefusedRequest> requests = new ArrayList<>();
        await(() ->
        {
            // Told to ask again until the connection before has been put away.
            requests.add(new RefusedRequest(device.resources(), gone));
            generation++;
            listener.onCmEvent(new CmEvent(CmEventType.CONNECT_REQUEST, requests.getLast(), null, 0, new SetupRequest(
                SetupRequest.VERSION, true, STREAM, 7, CAPACITY, generation, PUBLICATION).encode()));
            return requests.getLast().wasAskedForAQueuePair();
        });
        assertThat(requests).allMatch(CmId::isClosed);
        assertThat(told.lines.stream().filter(line -> line.contains(RefusedRequest.WHY))).hasSize(gone ? 0 : 1);
    }

    @Test
    void refusesWhatNobodyWants()
    {
        told.wanted = false;
        assertThat(ask(false)).isEqualTo(SetupRefusal.NO_SUBSCRIBER);
        assertThat(ask(true)).isEqualTo(SetupRefusal.UNKNOWN_IMAGE);
    }

    @Test
    void saysThatAnImageHasNotStarted()
    {
        assertThat(settle(false)).isEqualTo(SetupRefusal.UNKNOWN);
        assertThat(settle(true)).isEqualTo(SetupRefusal.NOT_STARTED);
        assertThat(settle(false)).isEqualTo(SetupRefusal.UNKNOWN);
        start(0);
    }

    /** Or its publisher would give the gate up, and what was sent meanwhile would be lost in silence. */
    @Test
    void anImageThatTimedOutBeforeItStartedIsNotOneThatHasEnded()
    {
        assertThat(settle(false)).isEqualTo(SetupRefusal.UNKNOWN);
        hangUp();
        await(() -> told.ended.size() == 1);
        assertThat(told.started).isEmpty();
        assertThat(ask(true)).isEqualTo(SetupRefusal.UNKNOWN_IMAGE);
        assertThat(settle(false)).isEqualTo(SetupRefusal.UNKNOWN);
        start(0);
        assertThat(told.started.getFirst().gapFrom()).isEqualTo(ImageSession.NO_GAP);
    }

    @Test
    void anImageThatTimedOutHasBrokenOffAndTheNextOneKnowsTheGap()
    {
        assertThat(settle(false)).isEqualTo(SetupRefusal.UNKNOWN);
        start(6400);
        hangUp();
        await(() -> told.ended.size() == 1);
        assertThat(told.ended).containsExactly(FailureKind.SILENT_PEER);
        assertThat(ask(true)).isEqualTo(SetupRefusal.BROKEN_OFF);
        assertThat(settle(false)).isEqualTo(SetupRefusal.UNKNOWN);
        start(64_000);
        assertThat(told.started.getLast().gapFrom()).isEqualTo(6400);
        assertThat(told.started.getLast().startPosition()).isEqualTo(64_000);
    }

    @Test
    void anImageThatNobodyReadsIsNoMore()
    {
        assertThat(settle(false)).isEqualTo(SetupRefusal.UNKNOWN);
        start(0);
        replication.endImage(told.started.getFirst());
        await(() -> told.ended.size() == 1);
        assertThat(told.ended).containsExactly(FailureKind.CLOSED);
        assertThat(ask(true)).isEqualTo(SetupRefusal.NO_SUCH_IMAGE);
    }

    @Test
    void anImageThatWasThereInTheLifeBeforeHasBrokenOff()
    {
        told.lastPosition = 6400;
        assertThat(ask(true)).isEqualTo(SetupRefusal.BROKEN_OFF);
        assertThat(settle(false)).isEqualTo(SetupRefusal.UNKNOWN);
        start(64_000);
        assertThat(told.started.getFirst().gapFrom()).isEqualTo(6400);
    }

    @Test
    void aPublicationThatStartsAnewEndsItsImage()
    {
        assertThat(settle(false)).isEqualTo(SetupRefusal.UNKNOWN);
        start(6400);
        assertThat(settle(false)).isEqualTo(SetupRefusal.UNKNOWN);
        assertThat(told.ended).containsExactly(FailureKind.CLOSED);
        start(64_000);
        assertThat(told.started.getLast().gapFrom()).isEqualTo(6400);
    }

    /** It would end the image, as one that its publication has dropped. */
    @Test
    void aFirstRequestThatComesLateOrTwiceDoesNotEndItsImage()
    {
        assertThat(settle(false)).isEqualTo(SetupRefusal.UNKNOWN);
        start(6400);
        final int last = generation;
        for (int late = 0; late < 3; late++)
        {
            generation = last - late - 1;
            assertThat(ask(false)).isEqualTo(SetupRefusal.NOT_READY);
        }
        generation = last;
        assertThat(settle(true)).isEqualTo(SetupRefusal.UNKNOWN);
        assertThat(told.ended).isEmpty();
    }

    @Test
    void refusesWhatItCannotRead()
    {
        id = other.connectionManager().createId();
        id.resolve(address, 1_000);
        assertThat(nextEvent().type()).isEqualTo(CmEventType.ROUTE_RESOLVED);
        createQueuePair();
        id.connect(ConnectParameters.DEFAULT, new SetupRequest(
            SetupRequest.VERSION + 2, false, STREAM, 7, CAPACITY, 1, PUBLICATION).encode());
        assertThat(SetupRefusal.decode(nextEvent().privateData(), 1)).isEqualTo(SetupRefusal.VERSION);
        assertThat(told.lines).hasSize(1);
    }
}

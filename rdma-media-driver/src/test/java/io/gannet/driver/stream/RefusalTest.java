package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmListener;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.SendFlags;
import io.gannet.ring.ExclusiveProducer;
import io.gannet.ring.GatingList;
import io.gannet.ring.Membership;
import io.gannet.ring.Ring;
import io.gannet.ring.RingDescription;
import io.gannet.ring.RingFile;
import io.gannet.ring.RingKind;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a driver does, and whom it tells, when another one refuses a connection for whatever reason. */
class RefusalTest extends ScriptedPeer
{
    private static final int OF_ANOTHER_VERSION = 99;

    private final InetSocketAddress otherAddress = new InetSocketAddress(other.address(), PORT);
    private final CmListener listener = other.connectionManager().listen(new InetSocketAddress(PORT), this);
    private final Ring ring = RingFile.createAnonymous(
        new RingDescription(RingKind.EXCLUSIVE, CAPACITY, 7, STREAM, PUBLICATION, 0, true));
    private final Membership membership = new Membership(ring);
    private final ExclusiveProducer producer = new ExclusiveProducer(ring, (bell, waiters) -> { });

    @AfterEach
    void close()
    {
        listener.close();
        images.add(ring);
    }

    private boolean hasRequest()
    {
        events.removeIf(event -> event.type() != CmEventType.CONNECT_REQUEST);
        return !events.isEmpty();
    }

    private static void refuse(final CmEvent request, final DirectBuffer word)
    {
        request.id().reject(word);
        request.id().close();
    }

    private void publish()
    {
        replication.addPublication(ring, membership, PUBLICATION, otherAddress, false);
    }

    private SetupRequest nextSetup(final int refusal)
    {
        final CmEvent event = nextRequest();
        final SetupRequest request = SetupRequest.decode(event.privateData());
        refuse(event, SetupRefusal.encode(refusal, request.generation()));
        return request;
    }

    /** The other side takes the publication, hears where it starts, and then loses the connection. */
    private long connectOnce()
    {
        acceptPublication();
        return awaitStart();
    }

    private int gates()
    {
        return membership.list().subscribers();
    }

    @ParameterizedTest
    @ValueSource(ints = {SetupRefusal.UNKNOWN, SetupRefusal.NO_SUBSCRIBER, SetupRefusal.NOT_READY,
        SetupRefusal.MALFORMED, SetupRefusal.VERSION, SetupRefusal.NO_SUCH_IMAGE, SetupRefusal.NO_RESOURCES,
        SetupRefusal.NO_SUCH_PUBLICATION, SetupRefusal.TOO_MANY, SetupRefusal.NOT_STARTED, SetupRefusal.BROKEN_OFF,
        SetupRefusal.UNKNOWN_IMAGE, OF_ANOTHER_VERSION})
    void aPublicationThatIsRefusedAtFirstIsNotConnectedAndAsksAgain(final int refusal)
    {
        publish();
        for (int i = 0; i < 3; i++)
        {
            assertThat(nextSetup(refusal).resume()).isFalse();
            assertThat(gates()).isZero();
        }
        // A host where nobody listens at the port refuses without a word.
        final boolean soonOver = refusal == SetupRefusal.UNKNOWN || refusal == SetupRefusal.NO_SUBSCRIBER ||
            refusal == SetupRefusal.NOT_READY || refusal == SetupRefusal.NO_SUCH_IMAGE ||
            refusal == SetupRefusal.NOT_STARTED || refusal == SetupRefusal.BROKEN_OFF ||
            refusal == SetupRefusal.UNKNOWN_IMAGE;
        // Said once, if it is nothing that passes.
        final String reason = SetupRefusal.describe(refusal);
        await(() -> hasRequest());
        assertThat(told.lines).hasSize(soonOver ? 0 : 1).allMatch(line -> line.contains(reason));
        // And when the reason has gone, it starts.
        assertThat(connectOnce()).isZero();
        assertThat(gates()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {SetupRefusal.UNKNOWN, SetupRefusal.NO_SUBSCRIBER, SetupRefusal.NOT_READY,
        SetupRefusal.MALFORMED, SetupRefusal.VERSION, SetupRefusal.NO_RESOURCES, SetupRefusal.NO_SUCH_PUBLICATION,
        SetupRefusal.TOO_MANY, OF_ANOTHER_VERSION})
    void whatSaysNothingOfTheImageKeepsItsGate(final int refusal)
    {
        loseConnection();
        for (int i = 0; i < 3; i++)
        {
            assertThat(nextSetup(refusal).resume()).isTrue();
            assertThat(gates()).isEqualTo(1);
        }
        assertThat(told.ended).isEmpty();
    }

    /** Its image is being made there, or was lost before it had started. */
    @ParameterizedTest
    @ValueSource(ints = {SetupRefusal.NOT_STARTED, SetupRefusal.UNKNOWN_IMAGE})
    void anImageThatHasNotStartedStartsAtItsGate(final int refusal)
    {
        loseConnection();
        assertThat(producer.offer(new UnsafeBuffer(new byte[1_000]), 0, 1_000)).isPositive();
        assertThat(nextSetup(refusal).resume()).isTrue();
        assertThat(nextSetup(SetupRefusal.NOT_READY).resume()).isFalse();
        assertThat(connectOnce()).isZero();
        assertThat(gates()).isEqualTo(1);
        assertThat(told.ended).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {SetupRefusal.NO_SUCH_IMAGE, SetupRefusal.BROKEN_OFF})
    void anImageThatIsNoMoreGatesNoMoreAndTheNextOneStartsLive(final int refusal)
    {
        loseConnection();
        assertThat(producer.offer(new UnsafeBuffer(new byte[1_000]), 0, 1_000)).isPositive();
        assertThat(nextSetup(refusal).resume()).isTrue();
        await(() -> hasRequest());
        assertThat(gates()).isZero();
        // A host that nobody reads at is none that is missed.
        assertThat(told.ended).containsExactly(
            refusal == SetupRefusal.BROKEN_OFF ? FailureKind.BROKEN_OFF : FailureKind.CLOSED);
        assertThat(connectOnce()).isEqualTo(producer.position());
    }

    @Test
    void anImageThatWasReadAndIsNotKnownThereIsOver()
    {
        publish();
        connectOnce();
        assertThat(producer.offer(new UnsafeBuffer(new byte[1_000]), 0, 1_000)).isPositive();
        final GatingList list = membership.list();
        for (int i = 0; i < list.size(); i++)
        {
            if (list.kind(i) == GatingList.Kind.REMOTE)
            {
                ring.memory().putLongRelease(list.positionAddress(i), producer.position());
            }
        }
        hangUp();
        assertThat(nextSetup(SetupRefusal.UNKNOWN_IMAGE).resume()).isTrue();
        assertThat(nextSetup(SetupRefusal.NOT_READY).resume()).isFalse();
        assertThat(told.ended).containsExactly(FailureKind.CLOSED);
    }

    private void loseConnection()
    {
        publish();
        assertThat(connectOnce()).isZero();
        assertThat(gates()).isEqualTo(1);
        hangUp();
        await(() -> told.lines.size() == 1);
        told.lines.clear();
    }

    @ParameterizedTest
    @ValueSource(ints = {SetupRefusal.UNKNOWN, SetupRefusal.NOT_READY, SetupRefusal.MALFORMED, SetupRefusal.VERSION,
        SetupRefusal.NO_RESOURCES, SetupRefusal.TOO_MANY, OF_ANOTHER_VERSION})
    void aFanOutImageThatIsRefusedIsAskedForAgain(final int refusal)
    {
        replication.subscribe(otherAddress, STREAM);
        answerQuestion(PUBLICATION);
        final JoinRequest first = nextJoin(refusal);
        final JoinRequest second = nextJoin(refusal);
        assertThat(second.isOfSameImage(first)).isTrue();
        assertThat(second.receivedPosition()).isEqualTo(SetupReply.NEW_IMAGE);
        assertThat(told.ended).isEmpty();
        await(() -> hasRequest());
        final boolean full = refusal == SetupRefusal.TOO_MANY;
        assertThat(told.refused).hasSize(full ? 1 : 0).allMatch(SetupRefusal.describe(refusal)::equals);
    }

    @ParameterizedTest
    @ValueSource(ints = {SetupRefusal.NO_SUCH_IMAGE, SetupRefusal.NO_SUCH_PUBLICATION})
    void aFanOutImageThatItsPublisherDoesNotKnowEndsAndIsLookedForSoon(final int refusal)
    {
        replication.subscribe(otherAddress, STREAM);
        answerQuestion(PUBLICATION, PUBLICATION + 1);
        final JoinRequest one = nextJoin(refusal);
        await(() -> told.ended.size() == 1);
        assertThat(told.ended).containsExactly(FailureKind.SILENT_PEER);
        // The other image is there still; but a successor is asked for in each interval, not in each fifth.
        nextJoin(SetupRefusal.TOO_MANY);
        long before = 0;
        for (int i = 0; i < 4; i++)
        {
            nextQuestion();
            final long now = fabric.scheduler().now();
            if (i > 1)
            {
                assertThat(now - before).isLessThan(2 * settings.retryInterval());
            }
            before = now;
        }
        answerQuestion(PUBLICATION, PUBLICATION + 1);
        JoinRequest again = nextJoin(SetupRefusal.NOT_READY);
        while (again.publicationId() != one.publicationId())
        {
            again = nextJoin(SetupRefusal.NOT_READY);
        }
        assertThat(again.isOfSameImage(one)).isFalse();
    }

    @Test
    void aHostThatDoesNotAnswerIsToldOfOnceForEachReason()
    {
        fabric.partition(device.address(), other.address(), true);
        publish();
        final long end = fabric.scheduler().now() + TimeUnit.SECONDS.toNanos(50);
        await(() -> fabric.scheduler().now() >= end);
        assertThat(told.unreachable).isNotEmpty().doesNotHaveDuplicates();
        fabric.partition(device.address(), other.address(), false);
        assertThat(connectOnce()).isZero();
    }

    /** Its publisher's host has gone for good, so that the last word never comes there, which shows soon. */
    @Test
    void aFanOutImageThatNobodyReadsIsOverThoughItsPublisherCannotBeReached()
    {
        final FanOutSubscription subscription = replication.subscribe(otherAddress, STREAM,
            settings.withTimeouts(TimeUnit.MILLISECONDS.toNanos(100), settings.imageTimeout()));
        answerQuestion(PUBLICATION);
        final JoinRequest join = acceptJoin();
        ControlMessage.putStart(memory, join.generation(), 0, memory.addressOffset(), region.rkey());
        queuePair.addSend(1, SendFlags.SIGNALED, memory.addressOffset(), ControlMessage.LENGTH, region.lkey());
        assertThat(queuePair.ringDoorbell()).isZero();
        await(() -> told.started.size() == 1);
        fabric.partition(device.address(), other.address(), true);
        replication.endImage(told.started.getFirst());
        replication.unsubscribe(subscription);
        await(subscription::isDone);
        assertThat(told.ended).containsExactly(FailureKind.CLOSED);
        fabric.partition(device.address(), other.address(), false);
    }

    private JoinRequest acceptJoin()
    {
        CmEvent event = nextRequest();
        while (DiscoverRequest.isOne(event.privateData()))
        {
            refuse(event, new DiscoverReply(List.of(), false).encode());
            event = nextRequest();
        }
        id = event.id();
        createQueuePair();
        id.accept(ConnectParameters.DEFAULT, new UnsafeBuffer(new byte[0]));
        return JoinRequest.decode(event.privateData());
    }

    private void nextQuestion()
    {
        answerQuestion();
    }

    /** Says what publications there are, when that is asked. */
    private void answerQuestion(final long... publications)
    {
        CmEvent event = nextRequest();
        while (!DiscoverRequest.isOne(event.privateData()))
        {
            final JoinRequest join = JoinRequest.decode(event.privateData());
            refuse(event, SetupRefusal.encode(SetupRefusal.NOT_READY, join.generation()));
            event = nextRequest();
        }
        final List<DiscoverReply.Publication> list = new ArrayList<>();
        for (final long publication : publications)
        {
            list.add(new DiscoverReply.Publication(publication, 7, CAPACITY));
        }
        refuse(event, new DiscoverReply(list, false).encode());
    }

    private JoinRequest nextJoin(final int refusal)
    {
        CmEvent event = nextRequest();
        while (DiscoverRequest.isOne(event.privateData()))
        {
            refuse(event, new DiscoverReply(List.of(), false).encode());
            event = nextRequest();
        }
        final JoinRequest request = JoinRequest.decode(event.privateData());
        refuse(event, SetupRefusal.encode(refusal, request.generation()));
        return request;
    }
}

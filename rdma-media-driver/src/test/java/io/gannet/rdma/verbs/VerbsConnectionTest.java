package io.gannet.rdma.verbs;

import static io.gannet.rdma.verbs.Abi.RdmaCmId;
import static io.gannet.rdma.verbs.Abi.RdmaConnParam;
import static io.gannet.rdma.verbs.Abi.Value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.CmListener;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.Errno;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.QpState;
import io.gannet.rdma.QueuePair;
import io.gannet.rdma.RdmaException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The connection manager against librdmacm's events, in any order.
 */
class VerbsConnectionTest
{
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    private final FakeRdma rdma = new FakeRdma();
    private final FakeConnection connection = new FakeConnection(rdma);

    @AfterEach
    void nothingLeaks()
    {
        connection.close();
        assertThat(rdma.leaks()).isEmpty();
        rdma.close();
    }

    static Stream<Arguments> eventsInStates()
    {
        // all of rdma_cm_event_type, and two that do not exist
        return IntStream.concat(IntStream.rangeClosed(0, 16), IntStream.of(-1)).boxed().flatMap(event ->
            IntStream.range(0, 7).mapToObj(state -> Arguments.of(state, event)));
    }

    @ParameterizedTest
    @MethodSource("eventsInStates")
    void everyEventIsSurvivedInEveryState(final int state, final int event)
    {
        switch (state)
        {
            case 0 ->
            {
            }
            case 1 -> connection.id.resolve(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), 1);
            case 2 -> connection.resolve();
            case 3 -> connection.resolve().makeQueuePair();
            case 4 -> connection.resolve().makeQueuePair().connect();
            case 5 -> connection.establish();
            default ->
            {
                connection.establish();
                connection.id.disconnect();
                connection.queuePair.close();
            }
        }
        connection.raise(event);
        connection.raise(event);
        connection.id.disconnect();
        connection.raise(event);
        assertThat(connection.device.resources().open()).isPositive();
    }

    @Test
    void noMessageIsSentWhileThePortIsDown()
    {
        connection.establish();
        rdma.portState = Value.PORT_INIT;
        rdma.calls.clear();
        connection.id.disconnect();
        connection.queuePair.close();
        connection.id.close();
        assertThat(rdma.calls).doesNotContain("rdma_disconnect", "rdma_destroy_id");
        connection.raise(Value.RDMA_CM_EVENT_DISCONNECTED);
        assertThat(rdma.calls).as("still down").doesNotContain("rdma_destroy_id");
        rdma.portState = Value.PORT_ACTIVE;
        final long deadline = System.nanoTime() + 30_000_000_000L;
        while (!rdma.calls.contains("rdma_destroy_id"))
        {
            assertThat(System.nanoTime() - deadline).as("the end once the port is up").isNegative();
            connection.device.connectionManager().pollEvents(event -> { });
            Thread.onSpinWait();
        }
    }

    @Test
    void whatWasClosedWhileThePortWasDownEndsWithTheDevice()
    {
        connection.establish();
        rdma.portState = Value.PORT_INIT;
        connection.queuePair.close();
        connection.id.close();
        // nothing leaks, see there
    }

    @Test
    void removedDeviceWaitsForNoPort()
    {
        connection.establish();
        rdma.portState = Value.PORT_INIT;
        connection.raise(Value.RDMA_CM_EVENT_DEVICE_REMOVAL);
        rdma.calls.clear();
        connection.queuePair.close();
        connection.id.close();
        assertThat(rdma.calls).contains("rdma_destroy_id");
    }

    @Test
    void connectingSetsEveryParameterBeforeTheRoute()
    {
        final List<String> steps = new ArrayList<>();
        final byte[] parameters = new byte[RdmaConnParam.SIZE];
        rdma.functions.put("rdma_set_option", (id, level, option, value, length) ->
        {
            steps.add("option " + option + " = " + UnsafeApi.getByte(value));
            return 0;
        });
        rdma.functions.put("rdma_resolve_route", (id, timeout, c, d, e) ->
        {
            steps.add("route");
            return 0;
        });
        rdma.functions.put("rdma_connect", (id, at, c, d, e) ->
        {
            steps.add("connect");
            for (int i = 0; i < parameters.length; i++)
            {
                parameters[i] = UnsafeApi.getByte(at + i);
            }
            steps.add("data " + (char) UnsafeApi.getByte(UnsafeApi.getLong(at)));
            return 0;
        });
        connection.resolve().makeQueuePair();
        connection.id.connect(new ConnectParameters(3, 5, 14, 104), new UnsafeBuffer(new byte[]{'x', 'y', 'z'}));
        assertThat(steps).containsExactly("option 0 = 104", "option 3 = 14", "route");
        connection.raise(Value.RDMA_CM_EVENT_ROUTE_RESOLVED);
        assertThat(steps.subList(3, 5)).containsExactly("connect", "data x");
        assertThat(parameters[RdmaConnParam.PRIVATE_DATA_LEN]).isEqualTo((byte) 3);
        assertThat(parameters[RdmaConnParam.RESPONDER_RESOURCES]).as("nobody may READ").isZero();
        assertThat(parameters[RdmaConnParam.INITIATOR_DEPTH]).isZero();
        assertThat(parameters[RdmaConnParam.RETRY_COUNT]).isEqualTo((byte) 3);
        assertThat(parameters[RdmaConnParam.RNR_RETRY_COUNT]).isEqualTo((byte) 5);
    }

    @Test
    void privateDataIsCopiedBeforeTheLibraryTakesItBack()
    {
        connection.resolve().makeQueuePair().connect();
        connection.raise(Value.RDMA_CM_EVENT_ROUTE_RESOLVED);
        rdma.raise(Value.RDMA_CM_EVENT_ESTABLISHED, connection.handle, 0, 0, (byte) 'w', (byte) 'e', (byte) 0);
        connection.poll();
        final CmEvent event = connection.seen.getLast();
        assertThat(event.type()).isEqualTo(CmEventType.ESTABLISHED);
        assertThat(event.privateData().capacity()).isEqualTo(3);
        assertThat(event.privateData().getStringWithoutLengthAscii(0, 2)).isEqualTo("we");
    }

    @Test
    void routeThroughAnotherDeviceIsAnError()
    {
        connection.id.resolve(new InetSocketAddress(InetAddress.getLoopbackAddress(), 4040), 1000);
        UnsafeApi.putLong(connection.handle + RdmaCmId.VERBS, rdma.allocate(1024));
        connection.raise(Value.RDMA_CM_EVENT_ADDR_RESOLVED);
        assertThat(connection.seen.getLast().type()).isEqualTo(CmEventType.ROUTE_ERROR);
        assertThat(connection.seen.getLast().status()).isEqualTo(-Errno.EHOSTUNREACH);
    }

    @Test
    void failureOfTheRouteOrOfTheCallEndsTheConnect()
    {
        connection.resolve().makeQueuePair().connect();
        connection.raise(Value.RDMA_CM_EVENT_ROUTE_ERROR);
        assertThat(connection.seen.getLast().type()).isEqualTo(CmEventType.CONNECT_ERROR);
        assertThat(connection.queuePair.state()).isEqualTo(QpState.ERR);
    }

    @Test
    void refusedConnectCallIsAnEvent()
    {
        rdma.functions.put("rdma_connect", (id, at, c, d, e) -> FakeRdma.fail(Errno.EINVAL, -1));
        connection.resolve().makeQueuePair().connect();
        connection.raise(Value.RDMA_CM_EVENT_ROUTE_RESOLVED);
        assertThat(connection.seen.getLast().type()).isEqualTo(CmEventType.CONNECT_ERROR);
        assertThat(connection.seen.getLast().status()).isEqualTo(-Errno.EINVAL);
    }

    @Test
    void addressesThatCannotBeLookedForAreAnEvent()
    {
        rdma.functions.put("rdma_resolve_addr", (id, from, to, timeout, e) -> FakeRdma.fail(101, -1));
        connection.id.resolve(new InetSocketAddress(InetAddress.getLoopbackAddress(), 4040), 1000);
        pollUntilSeen();
        assertThat(connection.seen.getLast().type()).isEqualTo(CmEventType.ADDR_ERROR);
        assertThat(connection.seen.getLast().status()).isEqualTo(-101);
    }

    @Test
    void refusedAcceptIsAnEvent()
    {
        rdma.functions.put("rdma_accept", (id, at, c, d, e) -> FakeRdma.fail(Errno.EINVAL, -1));
        final CmListener listener = listen();
        request(listener, rdma.context);
        final CmId asked = connection.seen.getLast().id();
        connection.seen.clear();
        final QueuePair queuePair = asked.createQueuePair(connection.domain,
            new QpAttributes(connection.queue, connection.queue, 16, 16, 0, 12));
        asked.accept(ConnectParameters.DEFAULT, NOTHING);
        pollUntilSeen();
        assertThat(connection.seen.getLast().type()).isEqualTo(CmEventType.CONNECT_ERROR);
        assertThat(connection.seen.getLast().id()).isSameAs(asked);
        assertThat(queuePair.state()).isEqualTo(QpState.ERR);
        queuePair.close();
        asked.close();
        listener.close();
    }

    private void pollUntilSeen()
    {
        while (connection.seen.isEmpty())
        {
            connection.device.connectionManager().pollEvents(connection.seen::add);
        }
    }

    @Test
    void peerThatDisconnectsFirstIsNoError()
    {
        rdma.functions.put("rdma_disconnect", (id, b, c, d, e) -> FakeRdma.fail(Errno.EINVAL, -1));
        connection.establish();
        connection.raise(Value.RDMA_CM_EVENT_DISCONNECTED);
        assertThat(connection.queuePair.state()).as("left alone").isEqualTo(QpState.RTS);
        connection.id.disconnect();
        connection.id.disconnect();
        assertThat(connection.queuePair.state()).isEqualTo(QpState.ERR);
    }

    @Test
    void requestIsReportedAcceptedAndRejected()
    {
        final CmListener listener = listen();
        final long asked = request(listener, rdma.context);
        final CmEvent event = connection.seen.getLast();
        assertThat(event.type()).isEqualTo(CmEventType.CONNECT_REQUEST);
        assertThat(event.listener()).isSameAs(listener);
        assertThat(event.id()).isNotNull();
        assertThatThrownBy(() -> event.id().accept(ConnectParameters.DEFAULT, NOTHING))
            .isInstanceOf(RdmaException.class).hasMessageContaining("without a queue pair");
        assertThat(event.id().reject(new UnsafeBuffer(new byte[]{'n', 'o'}))).isTrue();
        assertThat(rdma.calls).contains("rdma_reject");
        rdma.raise(Value.RDMA_CM_EVENT_DEVICE_REMOVAL, asked, 0, 0);
        connection.poll();
        assertThat(connection.seen.getLast().id()).isSameAs(event.id());
        event.id().close();
        listener.close();
    }

    @Test
    void requestWhosePeerHasGivenUpNeedsNoAnswer()
    {
        final CmListener listener = listen();
        request(listener, rdma.context);
        rdma.functions.put("rdma_reject", (a, b, c, d, e) -> FakeRdma.fail(Errno.EINVAL, -1));
        final CmId gone = connection.seen.getLast().id();
        assertThat(gone.reject(NOTHING)).isFalse();
        gone.close();
        listener.close();
    }

    @Test
    void requestToAnotherDeviceOrToAClosedListenerIsRejected()
    {
        final CmListener listener = listen();
        final int before = connection.seen.size();
        request(listener, rdma.allocate(64));
        assertThat(rdma.calls).contains("rdma_reject");
        rdma.calls.clear();
        final long closed = ((VerbsCmListener) listener).handle();
        listener.close();
        request(closed, rdma.context);
        assertThat(rdma.calls).contains("rdma_reject");
        assertThat(connection.seen).hasSize(before);
    }

    @Test
    void peerThatIsNotAllowedIsRejectedAndCounted()
    {
        final List<InetAddress> asked = new ArrayList<>();
        final VerbsDevice device = VerbsDevice.open(rdma.library(),
            FakeRdma.OPTIONS.withAllow(peer -> !asked.add(peer)));
        final CmListener listener = device.connectionManager().listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 4041), this);
        rdma.calls.clear();
        raiseRequest(((VerbsCmListener) listener).handle(), rdma.context);
        while (!rdma.events.isEmpty())
        {
            device.connectionManager().pollEvents(connection.seen::add);
        }
        assertThat(rdma.calls).containsSubsequence("rdma_reject", "rdma_destroy_id");
        assertThat(asked).containsExactly(InetAddress.getLoopbackAddress());
        assertThat(connection.seen).isEmpty();
        assertThat(device.statistics().getFirst().value().getAsLong()).isEqualTo(1);
        listener.close();
        device.close();
    }

    @Test
    void listenerHearsOfTheRemovalOfItsDevice()
    {
        final CmListener listener = listen();
        rdma.raise(Value.RDMA_CM_EVENT_DEVICE_REMOVAL, ((VerbsCmListener) listener).handle(), 0, 0);
        connection.poll();
        assertThat(connection.seen.getLast().listener()).isSameAs(listener);
        assertThat(connection.seen.getLast().id()).isNull();
        listener.close();
    }

    @Test
    void eventOfAnIdentifierThatIsGoneIsDropped()
    {
        rdma.raise(Value.RDMA_CM_EVENT_ESTABLISHED, 0x1234, 0, 0);
        connection.poll();
        assertThat(connection.seen).isEmpty();
    }

    @Test
    void addressOfAnotherHostCannotBeListenedOn() throws Exception
    {
        final InetSocketAddress address =
            new InetSocketAddress(InetAddress.getByAddress(new byte[]{10, 99, 98, 97}), 1);
        assertThatThrownBy(() -> connection.device.connectionManager().listen(address, null))
            .isInstanceOf(RdmaException.class).hasMessageContaining("10.99.98.97").hasMessageContaining("127.0.0.1");
    }

    @Test
    void refusedOptionIsNotedOnce()
    {
        rdma.functions.put("rdma_set_option", (id, level, option, value, length) -> FakeRdma.fail(Errno.EINVAL, -1));
        connection.resolve().makeQueuePair().connect();
        assertThat(connection.device.notes()).hasSize(2).anyMatch(note -> note.contains("ACK timeout 14"));
    }

    private CmListener listen()
    {
        return connection.device.connectionManager().listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 4040), this);
    }

    private long request(final CmListener listener, final long verbs)
    {
        return request(((VerbsCmListener) listener).handle(), verbs);
    }

    private long request(final long listener, final long verbs)
    {
        final long asked = raiseRequest(listener, verbs);
        connection.poll();
        return asked;
    }

    private long raiseRequest(final long listener, final long verbs)
    {
        final long to = rdma.allocate(8);
        rdma.functions.get("rdma_create_id").call(0, to, 0, 0, 0);
        final long asked = UnsafeApi.getLong(to);
        UnsafeApi.putLong(asked + RdmaCmId.VERBS, verbs);
        SocketAddresses.write(asked + RdmaCmId.ROUTE_ADDR_DST_ADDR, InetAddress.getLoopbackAddress(), 5050);
        rdma.raise(Value.RDMA_CM_EVENT_CONNECT_REQUEST, asked, listener, 0, (byte) 1);
        return asked;
    }
}

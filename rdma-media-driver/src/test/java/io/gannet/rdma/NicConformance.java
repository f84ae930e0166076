package io.gannet.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every provider must do, on two devices that reach each other. A provider's test class opens the devices and
 * says how time passes.
 */
public abstract class NicConformance
{
    private static final ConnectParameters IMPATIENT = new ConnectParameters(1, 1, 8, 0);

    private ConformancePeer a;
    private ConformancePeer b;

    /**
     * Opens a device.
     *
     * @param index 0 or 1; both can reach each other.
     */
    protected abstract RdmaDevice openDevice(int index);

    /**
     * Lets some time pass, as little as the provider can.
     */
    protected abstract void idle();

    /**
     * Whether the time for a condition is over.
     *
     * @param tries calls of {@link #idle()} so far.
     */
    protected abstract boolean isTooLate(long tries);

    @BeforeEach
    void openDevices()
    {
        a = new ConformancePeer(openDevice(0));
        b = new ConformancePeer(openDevice(1));
    }

    @AfterEach
    void closeDevicesWithoutLeaks()
    {
        a.close();
        b.close();
        assertThat(a.device.resources().toString()).isEqualTo("none");
        assertThat(b.device.resources().toString()).isEqualTo("none");
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        for (long tries = 0; !condition.getAsBoolean(); tries++)
        {
            assertThat(isTooLate(tries)).as(() -> "waits for " + what + "; a: " + a.events + a.done +
                " b: " + b.events + b.done).isFalse();
            idle();
            a.poll();
            b.poll();
        }
    }

    /** Gives things that must not happen the time to happen. */
    private void settle()
    {
        for (int i = 0; i < 2_000; i++)
        {
            idle();
            a.poll();
            b.poll();
        }
    }

    private static DirectBuffer data(final String text)
    {
        return new UnsafeBuffer(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String text(final DirectBuffer data, final int length)
    {
        return data.getStringWithoutLengthAscii(0, length);
    }

    private InetSocketAddress listen()
    {
        b.listener = b.device.connectionManager().listen(new InetSocketAddress(b.device.port(1).address(), 0), b);
        return b.listener.localAddress();
    }

    private void request(final InetSocketAddress to, final ConnectParameters parameters)
    {
        a.id = a.device.connectionManager().createId();
        a.id.resolve(to, 5_000);
        await("route", () -> a.saw(CmEventType.ROUTE_RESOLVED));
        a.makeQueuePair();
        a.postReceives(16);
        a.id.connect(parameters, data("hello"));
    }

    private void connect(final ConnectParameters parameters, final int receives)
    {
        request(listen(), parameters);
        await("request", () -> b.saw(CmEventType.CONNECT_REQUEST));
        final CmEvent event = b.event(CmEventType.CONNECT_REQUEST);
        assertThat(event.listener()).isSameAs(b.listener);
        assertThat(event.listener().context()).isSameAs(b);
        assertThat(text(event.privateData(), 5)).isEqualTo("hello");
        b.id = event.id();
        b.makeQueuePair();
        b.postReceives(receives);
        b.id.accept(parameters, data("welcome"));
        await("established", () -> a.saw(CmEventType.ESTABLISHED) && b.saw(CmEventType.ESTABLISHED));
        assertThat(text(a.event(CmEventType.ESTABLISHED).privateData(), 7)).isEqualTo("welcome");
        assertThat(a.queuePair.state()).isEqualTo(QpState.RTS);
        assertThat(b.queuePair.state()).isEqualTo(QpState.RTS);
    }

    private void connect()
    {
        connect(ConnectParameters.DEFAULT, 16);
    }

    private void write(final long wrId, final int flags, final int length, final int rkey, final long to)
    {
        a.queuePair.addWrite(wrId, flags, a.memory.address(), length, a.region.lkey(), to, rkey);
    }

    private void writeWithImm(final long wrId, final int flags, final long offset, final int length, final int imm)
    {
        a.queuePair.addWriteWithImm(
            wrId,
            flags,
            a.memory.address() + offset,
            length,
            a.region.lkey(),
            b.memory.address() + offset,
            b.region.rkey(),
            imm);
    }

    @Test
    void connectionIsSetUpWithPrivateDataBothWays()
    {
        connect();
        assertThat(a.id.queuePair()).isSameAs(a.queuePair);
        assertThat(a.id.remoteAddress()).isEqualTo(b.listener.localAddress());
    }

    @Test
    void connectorSendsAtMostFiftySixBytes()
    {
        a.id = a.device.connectionManager().createId();
        a.id.resolve(listen(), 5_000);
        await("route", () -> a.saw(CmEventType.ROUTE_RESOLVED));
        a.makeQueuePair();
        final ConnectParameters parameters = ConnectParameters.DEFAULT;
        assertThatThrownBy(() -> a.id.connect(parameters, new UnsafeBuffer(new byte[57])))
            .isInstanceOf(RdmaException.class).hasMessageContaining("57").hasMessageContaining("56");
        a.id.connect(parameters, new UnsafeBuffer(new byte[56]));
        await("request", () -> b.saw(CmEventType.CONNECT_REQUEST));
        b.id = b.event(CmEventType.CONNECT_REQUEST).id();
    }

    @Test
    void rejectionCarriesReasonAndPrivateData()
    {
        request(listen(), ConnectParameters.DEFAULT);
        await("request", () -> b.saw(CmEventType.CONNECT_REQUEST));
        b.id = b.event(CmEventType.CONNECT_REQUEST).id();
        b.id.reject(data("no"));
        await("rejection", () -> a.saw(CmEventType.REJECTED));
        final CmEvent event = a.event(CmEventType.REJECTED);
        assertThat(event.status()).isEqualTo(CmEvent.STATUS_CONSUMER_REJECT);
        assertThat(text(event.privateData(), 2)).isEqualTo("no");
    }

    @Test
    void nobodyListensIsARejectionByTheHost()
    {
        final InetSocketAddress address = listen();
        b.listener.close();
        request(address, ConnectParameters.DEFAULT);
        await("rejection", () -> a.saw(CmEventType.REJECTED));
        assertThat(a.event(CmEventType.REJECTED).status()).isEqualTo(CmEvent.STATUS_INVALID_SERVICE_ID);
    }

    @Test
    void requestThatIsClosedUnansweredIsRejected()
    {
        request(listen(), ConnectParameters.DEFAULT);
        await("request", () -> b.saw(CmEventType.CONNECT_REQUEST));
        b.event(CmEventType.CONNECT_REQUEST).id().close();
        await("rejection", () -> a.saw(CmEventType.REJECTED));
    }

    @Test
    void portIsTakenOnce()
    {
        final InetSocketAddress address = listen();
        assertThatThrownBy(() -> b.device.connectionManager().listen(address, null))
            .isInstanceOfSatisfying(RdmaException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EADDRINUSE));
    }

    @Test
    void callsInTheWrongStateAreRefused()
    {
        a.id = a.device.connectionManager().createId();
        assertThatThrownBy(() -> a.id.createQueuePair(a.domain, a.attributes())).isInstanceOf(RdmaException.class);
        assertThatThrownBy(() -> a.id.accept(ConnectParameters.DEFAULT, data(""))).isInstanceOf(RdmaException.class);
        assertThatThrownBy(() -> a.id.connect(ConnectParameters.DEFAULT, data("")))
            .isInstanceOf(RdmaException.class);
    }

    @Test
    void postBeforeTheConnectionIsRefused()
    {
        a.id = a.device.connectionManager().createId();
        a.id.resolve(listen(), 5_000);
        await("route", () -> a.saw(CmEventType.ROUTE_RESOLVED));
        a.makeQueuePair();
        write(1, SendFlags.SIGNALED, 8, b.region.rkey(), b.memory.address());
        assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.EINVAL);
        assertThat(a.queuePair.accepted()).isZero();
    }

    @Test
    void writePlacesBytesAndTellsOnlyTheSender()
    {
        connect();
        a.fill(0, 1000, 3);
        write(7, SendFlags.SIGNALED, 1000, b.region.rkey(), b.memory.address() + 13);
        assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
        assertThat(a.queuePair.accepted()).isEqualTo(1);
        await("completion", () -> a.done.size() == 1);
        await("bytes", () -> b.holds(13, 1000, 3));
        assertThat(a.done.getFirst().status()).isEqualTo(WcStatus.SUCCESS);
        assertThat(a.done.getFirst().opcode()).isEqualTo(WcOpcode.RDMA_WRITE);
        assertThat(a.done.getFirst().wrId()).isEqualTo(7);
        assertThat(a.done.getFirst().qpNum()).isEqualTo(a.queuePair.number());
        assertThat(b.byteAt(12)).isZero();
        assertThat(b.byteAt(1013)).isZero();
        assertThat(b.done).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 32, 220, 221, 1024, 4096, 4097, 65536, 500_000})
    void writeWithImmediateCompletesAReceiveBehindItsBytes(final int length)
    {
        connect();
        a.fill(64, length, length);
        writeWithImm(5, SendFlags.SIGNALED, 64, length, 0x8765_4321);
        assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
        await("receive", () -> !b.done.isEmpty());
        final ConformancePeer.Done done = b.done.getFirst();
        assertThat(b.holds(64, length, length)).as("bytes before the completion").isTrue();
        assertThat(done.status()).isEqualTo(WcStatus.SUCCESS);
        assertThat(done.opcode()).isEqualTo(WcOpcode.RECV_RDMA_WITH_IMM);
        assertThat(done.length()).isEqualTo(length);
        assertThat(done.hasImm()).isTrue();
        assertThat(done.imm()).isEqualTo(0x8765_4321);
        assertThat(done.wrId()).isEqualTo(1000);
        assertThat(done.qpNum()).isEqualTo(b.queuePair.number());
        await("completion", () -> a.done.size() == 1);
    }

    @Test
    void writeOfNothingNeedsNeitherAddressNorKeys()
    {
        connect();
        a.queuePair.addWriteWithImm(1, SendFlags.NONE, 0, 0, 0, 0, 0, 77);
        a.queuePair.addWrite(2, SendFlags.SIGNALED, 0, 0, 0, 0, 0);
        assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
        await("both", () -> a.done.size() == 1 && b.done.size() == 1);
        assertThat(a.done.getFirst().status()).isEqualTo(WcStatus.SUCCESS);
        assertThat(b.done.getFirst().length()).isZero();
        assertThat(b.done.getFirst().imm()).isEqualTo(77);
    }

    @Test
    void sendFillsTheNextReceiveBuffer()
    {
        connect();
        a.fill(0, 64, 9);
        a.queuePair.addSend(3, SendFlags.SIGNALED, a.memory.address(), 64, a.region.lkey());
        assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
        await("receive", () -> b.done.size() == 1 && a.done.size() == 1);
        assertThat(b.done.getFirst().opcode()).isEqualTo(WcOpcode.RECV);
        assertThat(b.done.getFirst().length()).isEqualTo(64);
        assertThat(b.holds(ConformancePeer.MEMORY - 64, 64, 9)).isTrue();
        assertThat(a.done.getFirst().opcode()).isEqualTo(WcOpcode.SEND);
    }

    @Test
    void sendLongerThanTheBufferEndsBothSides()
    {
        connect();
        a.queuePair.addSend(3, SendFlags.SIGNALED, a.memory.address(), 65, a.region.lkey());
        assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
        await("errors", () -> !b.done.isEmpty() && !a.done.isEmpty());
        // Soft-RoCE calls any error of this kind one of the queue pair.
        assertThat(b.done.getFirst().status()).isIn(WcStatus.LOC_LEN_ERR, WcStatus.LOC_QP_OP_ERR);
        assertThat(a.done.getFirst().status()).isIn(WcStatus.REM_INV_REQ_ERR, WcStatus.REM_OP_ERR);
        assertThat(a.queuePair.state()).isEqualTo(QpState.ERR);
        assertThat(b.queuePair.state()).isEqualTo(QpState.ERR);
    }

    @Test
    void signaledRequestConfirmsTheUnsignaledOnesBeforeIt()
    {
        connect();
        for (int i = 0; i < 8; i++)
        {
            write(i, i == 5 ? SendFlags.SIGNALED : SendFlags.NONE, 64, b.region.rkey(), b.memory.address() + i * 64L);
        }
        a.fill(0, 64, 1);
        assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
        await("completion", () -> a.done.size() == 1);
        assertThat(a.done.getFirst().wrId()).isEqualTo(5);
        for (int i = 0; i < 6; i++)
        {
            final long offset = i * 64L;
            await("bytes", () -> b.holds(offset, 64, 1));
        }
        settle();
        assertThat(a.done).hasSize(1);
    }

    @Test
    void inlineBufferIsFreeAfterTheDoorbell()
    {
        connect();
        final int length = Math.min(a.queuePair.maxInline(), 64);
        assertThat(length).isPositive();
        a.fill(0, length, 50);
        a.queuePair.addWriteWithImm(
            1, SendFlags.INLINE, a.memory.address(), length, 0, b.memory.address(), b.region.rkey(), 1);
        assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
        a.fill(0, length, 99);
        await("receive", () -> b.done.size() == 1);
        assertThat(b.holds(0, length, 50)).isTrue();
    }

    @Test
    void moreInlineThanGrantedIsRefusedWithWhatFollows()
    {
        connect();
        write(1, SendFlags.SIGNALED, 8, b.region.rkey(), b.memory.address());
        write(2, SendFlags.INLINE, a.queuePair.maxInline() + 1, b.region.rkey(), b.memory.address());
        write(3, SendFlags.SIGNALED, 8, b.region.rkey(), b.memory.address());
        assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.EINVAL);
        assertThat(a.queuePair.accepted()).isEqualTo(1);
        await("first", () -> a.done.size() == 1);
        settle();
        assertThat(a.done).hasSize(1);
        assertThat(a.queuePair.ringDoorbell()).as("batch is empty again").isEqualTo(Errno.OK);
        assertThat(a.queuePair.accepted()).isZero();
    }

    @Test
    void fullSendQueueRefusesUntilACompletionIsPolled()
    {
        connect();
        final int depth = a.queuePair.sendDepth();
        for (int i = 1; i <= depth + 2; i++)
        {
            write(i, i == depth ? SendFlags.SIGNALED : SendFlags.NONE, 8, b.region.rkey(), b.memory.address());
        }
        assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.ENOMEM);
        assertThat(a.queuePair.accepted()).isEqualTo(depth);
        await("completion", () -> a.done.size() == 1);
        write(99, SendFlags.SIGNALED, 8, b.region.rkey(), b.memory.address());
        assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
        await("one more", () -> a.done.size() == 2);
    }

    @Test
    void fullReceiveQueueRefuses()
    {
        connect();
        final int room = b.queuePair.receiveDepth() - 16;
        for (int i = 0; i < room + 1; i++)
        {
            b.queuePair.addReceive(i, 0, 0, 0);
        }
        assertThat(b.queuePair.postReceives()).isEqualTo(Errno.ENOMEM);
        assertThat(b.queuePair.acceptedReceives()).isEqualTo(room);
    }

    @Test
    void manyWritesArriveInOrderAndWhole()
    {
        connect();
        final int total = 2_000;
        int sent = 0;
        int free = ConformancePeer.SEND_DEPTH;
        int received = 0;
        int credits = 16;
        long tries = 0;
        while (received < total)
        {
            while (sent < total && free > 0 && credits > 0)
            {
                sent++;
                free--;
                credits--;
                a.fill((sent % 64) * 256L, 200, sent);
                writeWithImm(sent, SendFlags.SIGNALED, (sent % 64) * 256L, 200, sent);
                assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
            }
            idle();
            assertThat(isTooLate(tries++ / 100)).as("received " + received).isFalse();
            a.poll();
            b.poll();
            free += a.done.size();
            a.done.forEach(done -> assertThat(done.status()).isEqualTo(WcStatus.SUCCESS));
            a.done.clear();
            for (final ConformancePeer.Done done : b.done)
            {
                received++;
                credits++;
                assertThat(done.imm()).isEqualTo(received);
                assertThat(b.holds((received % 64) * 256L, 200, received)).isTrue();
                b.queuePair.addReceive(received, 0, 0, 0);
            }
            assertThat(b.queuePair.postReceives()).isEqualTo(Errno.OK);
            b.done.clear();
        }
    }

    private void expectAccessError(final long to, final int length, final int rkey)
    {
        writeWithImmTo(to, length, rkey);
        await("access error", () -> !a.done.isEmpty() && !b.done.isEmpty());
        assertThat(a.done.getFirst().status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertThat(a.queuePair.state()).isEqualTo(QpState.ERR);
        assertThat(b.queuePair.state()).isEqualTo(QpState.ERR);
        assertThat(b.done.getFirst().status()).isNotEqualTo(WcStatus.SUCCESS);
        for (int i = 0; i < 512; i++)
        {
            assertThat(b.byteAt(i)).isZero();
            assertThat(b.byteAt(ConformancePeer.MEMORY - 1 - i)).isZero();
        }
    }

    private void writeWithImmTo(final long to, final int length, final int rkey)
    {
        a.fill(0, length, 1);
        a.queuePair.addWriteWithImm(1, SendFlags.SIGNALED, a.memory.address(), length, a.region.lkey(), to, rkey, 1);
        assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
    }

    @Test
    void wrongRkeyEndsBothSidesAndTouchesNothing()
    {
        connect();
        expectAccessError(b.memory.address(), 64, b.region.rkey() + 256);
    }

    @Test
    void writeBeyondTheRegionEndsBothSidesAndTouchesNothing()
    {
        connect();
        expectAccessError(b.memory.address() + ConformancePeer.MEMORY - 32, 64, b.region.rkey());
    }

    @Test
    void writeBeforeTheRegionEndsBothSidesAndTouchesNothing()
    {
        connect();
        expectAccessError(b.memory.address() - 32, 64, b.region.rkey());
    }

    @Test
    void regionOfAnotherProtectionDomainIsOutOfReach()
    {
        connect();
        final ProtectionDomain other = b.device.allocateProtectionDomain();
        final MemoryRegion region =
            other.register(b.memory.address(), 4096, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        expectAccessError(b.memory.address(), 64, region.rkey());
        region.close();
        other.close();
    }

    @Test
    void closedRegionIsOutOfReach()
    {
        connect();
        final MemoryRegion region =
            b.domain.register(b.memory.address(), 4096, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        final int rkey = region.rkey();
        region.close();
        expectAccessError(b.memory.address(), 64, rkey);
    }

    @Test
    void regionWithoutRemoteWriteHasNoKeyForPeers()
    {
        connect();
        final MemoryRegion region = b.domain.register(b.memory.address(), 4096, Access.LOCAL_WRITE);
        assertThat(region.rkey()).isZero();
        expectAccessError(b.memory.address(), 64, region.rkey());
        region.close();
    }

    @Test
    void bytesOutsideTheOwnRegionAreNotSent()
    {
        connect();
        a.queuePair.addWrite(1, SendFlags.SIGNALED, a.memory.address() + ConformancePeer.MEMORY - 32, 64,
            a.region.lkey(), b.memory.address(), b.region.rkey());
        a.queuePair.ringDoorbell();
        await("local error", () -> !a.done.isEmpty());
        assertThat(a.done.getFirst().status()).isIn(WcStatus.LOC_PROT_ERR, WcStatus.LOC_QP_OP_ERR);
        assertThat(b.byteAt(0)).isZero();
    }

    @Test
    void errorStateFlushesBothQueuesInOrderAndWhatIsPostedAfter()
    {
        connect(ConnectParameters.DEFAULT, 0);
        for (int i = 0; i < 4; i++)
        {
            writeWithImm(i, SendFlags.NONE, 0, 8, i);
        }
        assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
        a.queuePair.toError();
        assertThat(a.queuePair.state()).isEqualTo(QpState.ERR);
        await("flushes", () -> a.done.size() == 4 + 16);
        assertThat(a.done).allMatch(done -> done.status() == WcStatus.WR_FLUSH_ERR);
        assertThat(a.done.stream().filter(done -> done.wrId() < 1000).map(ConformancePeer.Done::wrId))
            .containsExactly(0L, 1L, 2L, 3L);
        a.done.clear();
        write(50, SendFlags.NONE, 8, b.region.rkey(), b.memory.address());
        assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
        await("the flush of a late send", () -> a.done.size() == 1 && a.done.getFirst().wrId() == 50);
        a.queuePair.addReceive(2000, 0, 0, 0);
        assertThat(a.queuePair.postReceives()).as("a late receive, which Soft-RoCE forgets").isEqualTo(Errno.OK);
        settle();
        assertThat(a.done).allMatch(done -> done.status() == WcStatus.WR_FLUSH_ERR);
        assertThat(b.queuePair.state()).as("the peer is told nothing").isEqualTo(QpState.RTS);
    }

    @Test
    void nothingIsPlacedAfterTheErrorState()
    {
        connect();
        b.queuePair.toError();
        a.fill(0, 64, 1);
        write(1, SendFlags.SIGNALED, 64, b.region.rkey(), b.memory.address());
        assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
        settle();
        assertThat(b.byteAt(0)).isZero();
    }

    @Test
    void missingReceiveIsWaitedForAsLongAsRetriesLast()
    {
        connect(ConnectParameters.DEFAULT, 0);
        a.fill(0, 64, 4);
        writeWithImm(1, SendFlags.SIGNALED, 0, 64, 9);
        assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
        idle();
        b.postReceives(1);
        await("receive", () -> b.done.size() == 1 && a.done.size() == 1);
        assertThat(a.done.getFirst().status()).isEqualTo(WcStatus.SUCCESS);
        assertThat(b.holds(0, 64, 4)).isTrue();
    }

    @Test
    void missingReceiveBeyondTheRetriesEndsTheSender()
    {
        connect(IMPATIENT, 0);
        writeWithImm(1, SendFlags.NONE, 0, 64, 9);
        writeWithImm(2, SendFlags.NONE, 0, 64, 9);
        assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
        await("errors", () -> a.done.size() >= 2 + 16);
        assertThat(a.done.getFirst().wrId()).isEqualTo(1);
        assertThat(a.done.getFirst().status()).isEqualTo(WcStatus.RNR_RETRY_EXC_ERR);
        assertThat(a.done.subList(1, a.done.size())).allMatch(done -> done.status() == WcStatus.WR_FLUSH_ERR);
        assertThat(b.queuePair.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void peerThatIsGoneEndsTheSenderAfterTheRetries()
    {
        connect(IMPATIENT, 4);
        b.queuePair.close();
        writeWithImm(1, SendFlags.NONE, 0, 64, 9);
        assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
        await("error", () -> !a.done.isEmpty());
        assertThat(a.done.getFirst().status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
    }

    @Test
    void disconnectFlushesTheOwnSideAndOnlyTellsTheOther()
    {
        connect();
        a.id.disconnect();
        assertThat(a.queuePair.state()).isEqualTo(QpState.ERR);
        await("the peer to be told", () -> b.saw(CmEventType.DISCONNECTED));
        await("own flushes", () -> a.done.size() == 16);
        assertThat(b.queuePair.state()).isEqualTo(QpState.RTS);
        b.id.disconnect();
        // Kernels answer only when the peer's program does.
        await("disconnected", () -> a.saw(CmEventType.DISCONNECTED));
        await("flushes of the other side", () -> b.done.size() == 16);
    }

    @Test
    void closedConnectionIsADisconnectedOneToThePeer()
    {
        connect();
        a.queuePair.close();
        a.id.close();
        await("disconnected", () -> b.saw(CmEventType.DISCONNECTED));
    }

    @Test
    void newConnectionBetweenTheSameTwoWorksAfterTheOldOne()
    {
        connect();
        a.queuePair.close();
        a.id.close();
        b.queuePair.close();
        b.id.close();
        b.listener.close();
        a.events.clear();
        b.events.clear();
        a.done.clear();
        b.done.clear();
        connect();
        a.fill(0, 64, 4);
        writeWithImm(1, SendFlags.NONE, 0, 64, 9);
        assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
        await("receive", () -> b.done.size() == 1 && b.holds(0, 64, 4));
    }

    @Test
    void resourceWithChildrenStaysOpen()
    {
        connect();
        assertBusy(a.domain);
        assertBusy(a.queue);
        assertBusy(a.id);
        assertThatThrownBy(a.device::close).isInstanceOf(RdmaException.class).hasMessageContaining("QUEUE_PAIR");
        assertThat(a.device.resources().open(ResourceKind.QUEUE_PAIR)).isEqualTo(1);
        assertThat(a.device.resources().open(ResourceKind.MEMORY_REGION)).isEqualTo(1);
    }

    private static void assertBusy(final RdmaResource resource)
    {
        assertThatThrownBy(resource::close)
            .isInstanceOfSatisfying(RdmaException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY));
        assertThat(resource.isClosed()).isFalse();
    }

    @Test
    void armedQueueSignalsItsChannelOnceForTheNextCompletion()
    {
        final CompletionChannel channel = a.device.createCompletionChannel();
        final CompletionQueue queue = a.device.createCompletionQueue(64, channel);
        a.id = a.device.connectionManager().createId();
        a.id.resolve(listen(), 5_000);
        await("route", () -> a.saw(CmEventType.ROUTE_RESOLVED));
        a.queuePair = a.id.createQueuePair(a.domain, new QpAttributes(queue, a.queue, 16, 16, 64, 1));
        a.id.connect(ConnectParameters.DEFAULT, data("hello"));
        await("request", () -> b.saw(CmEventType.CONNECT_REQUEST));
        b.id = b.event(CmEventType.CONNECT_REQUEST).id();
        b.makeQueuePair();
        b.id.accept(ConnectParameters.DEFAULT, data("welcome"));
        await("established", () -> a.saw(CmEventType.ESTABLISHED));

        assertThat(channel.drain()).isZero();
        assertThat(queue.arm()).isEqualTo(Errno.OK);
        write(1, SendFlags.SIGNALED, 8, b.region.rkey(), b.memory.address());
        write(2, SendFlags.SIGNALED, 8, b.region.rkey(), b.memory.address());
        assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
        await("event", () -> channel.drain() == 1);
        final WorkCompletions completions = new WorkCompletions(4);
        final int[] polled = new int[1];
        await("both completions", () -> (polled[0] += queue.poll(completions)) == 2);
        assertThat(channel.drain()).isZero();

        a.queuePair.close();
        queue.close();
        channel.close();
    }

    /** The position of an iWARP connection goes this way: it may be believed only if the write was there first. */
    @Test
    void sendCompletesBehindTheBytesOfTheWriteBeforeIt()
    {
        connect();
        for (int round = 0; round < 16; round++)
        {
            final int from = round;
            a.fill(0, 8_000, from);
            a.memory.set(java.lang.foreign.ValueLayout.JAVA_INT, 16_000, round);
            write(round, SendFlags.NONE, 8_000, b.region.rkey(), b.memory.address());
            a.queuePair.addSend(
                100 + round, SendFlags.SIGNALED | SendFlags.INLINE, a.memory.address() + 16_000, 4, a.region.lkey());
            assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
            await("the send", () -> b.done.stream().anyMatch(done -> done.wrId() >= 1_000));
            final ConformancePeer.Done done = b.done.removeFirst();
            assertThat(done.opcode()).isEqualTo(WcOpcode.RECV);
            assertThat(done.length()).isEqualTo(4);
            assertThat(b.holds(0, 8_000, from)).as("round %d", round).isTrue();
            final int sent = 100 + round;
            await("its completion", () -> a.done.stream().anyMatch(each -> each.wrId() == sent));
        }
    }

    /** Arm, poll until empty, wait: one message in flight at a time, so that nothing repairs a lost wake-up. */
    @Test
    void noCompletionIsLostBetweenArmingAndWaiting()
    {
        final CompletionChannel channel = b.device.createCompletionChannel();
        final CompletionQueue queue = b.device.createCompletionQueue(64, channel);
        request(listen(), ConnectParameters.DEFAULT);
        await("request", () -> b.saw(CmEventType.CONNECT_REQUEST));
        b.id = b.event(CmEventType.CONNECT_REQUEST).id();
        b.queuePair = b.id.createQueuePair(b.domain, new QpAttributes(b.queue, queue, 16, 32, 64, 1));
        b.postReceives(32);
        b.id.accept(ConnectParameters.DEFAULT, data("welcome"));
        await("established", () -> a.saw(CmEventType.ESTABLISHED) && b.saw(CmEventType.ESTABLISHED));
        final WorkCompletions completions = new WorkCompletions(4);
        for (int round = 0; round < 24; round++)
        {
            // Some rounds send before the arming, some after it.
            if (round % 2 == 0)
            {
                sendOne(round);
            }
            for (int i = 0; i < round; i++)
            {
                idle();
                a.poll();
                b.poll();
            }
            assertThat(queue.arm()).isEqualTo(Errno.OK);
            int polled = queue.poll(completions);
            if (round % 2 != 0)
            {
                sendOne(round);
            }
            if (polled == 0)
            {
                await("an event of round " + round, () -> channel.drain() > 0);
                polled = queue.poll(completions);
            }
            assertThat(polled).as("round %d", round).isEqualTo(1);
            channel.drain();
        }
        b.queuePair.close();
        queue.close();
        channel.close();
    }

    private void sendOne(final int round)
    {
        writeWithImm(round, SendFlags.SIGNALED, 0, 8, round);
        assertThat(a.queuePair.ringDoorbell()).isEqualTo(Errno.OK);
    }

    @Test
    void limitsAreStatedAndKept()
    {
        final DeviceLimits limits = a.device.limits();
        assertThat(limits.maxMessageBytes()).isGreaterThanOrEqualTo(1 << 20);
        assertThat(a.device.port(1).state()).isEqualTo(PortState.ACTIVE);
        assertThat(a.device.port(1).activeMtu()).isIn(256, 512, 1024, 2048, 4096);
        assertThatThrownBy(() -> a.device.createCompletionQueue(limits.maxCompletions() + 1, null))
            .isInstanceOf(RdmaException.class).hasMessageContaining(Integer.toString(limits.maxCompletions()));
        assertThatThrownBy(() -> a.domain.register(a.memory.address(), 0, Access.LOCAL_WRITE))
            .isInstanceOf(RdmaException.class);
        assertThatThrownBy(() -> a.device.port(9)).isInstanceOf(RdmaException.class);
    }
}

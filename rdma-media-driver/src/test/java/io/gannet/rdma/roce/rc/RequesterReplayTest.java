package io.gannet.rdma.roce.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.Access;
import io.gannet.rdma.QpState;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.roce.capture.Connection;
import io.gannet.rdma.roce.capture.Frame;
import io.gannet.rdma.roce.wire.Bth;
import io.gannet.rdma.roce.wire.ImmDt;
import io.gannet.rdma.roce.wire.Opcode;
import io.gannet.rdma.roce.wire.Packets;
import io.gannet.rdma.roce.wire.Psn;
import io.gannet.rdma.roce.wire.Reth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Posts what a kernel's program posted, feeds the requester with the answers that the kernel got, and expects the
 * kernel's packets, byte for byte. The capture's times drive the clock.
 */
class RequesterReplayTest
{
    private static final int MEMORY = 1 << 20;

    /** Requests that the network copied. */
    private static final Map<String, Set<Integer>> COPIES = Map.of(
        "duplicate", Set.of(5, 12, 17));
    /** Answers that did not arrive. */
    private static final Map<String, Set<Integer>> LOST = Map.of("loss-ack", Set.of(5, 11));
    /** Answers that the kernel looked at only after it had sent another frame. */
    private static final Map<String, Map<Integer, Integer>> LATE = Map.of(
        "bad-rkey", Map.of(7, 8), "loss-middle-mtu1024", Map.of(7, 15), "rnr", Map.of(5, 6));

    private final Map<Long, Frame> firstByPsn = new TreeMap<>();
    private final Map<String, Integer> posted = new HashMap<>();
    private Connection connection;
    private boolean initiator;
    private Side side;
    private long memoryUsed;
    private long basePsn;

    @ParameterizedTest
    @ValueSource(strings = {
        "bad-icrc", "bad-rkey", "burst-300", "cm-duplicate", "cm-lost-rep", "cm-lost-req", "cm-lost-rtu", "duplicate",
        "invalid-request", "long-message-mtu1024", "loss-ack", "loss-last", "loss-middle", "loss-middle-mtu1024",
        "psn-wrap", "reorder", "retry-exhausted", "rnr", "rnr-exhausted", "user-space-naks", "user-space-server",
        "write-imm", "write-imm-ipv6", "write-imm-mtu1024", "write-send", "write-send-mtu1024" })
    void sendsAsTheKernelDid(final String capture)
    {
        for (final Connection each : Connection.of(capture))
        {
            replay(capture, each, true);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = "user-space-receive")
    void sendsAsAnAcceptingKernelDid(final String capture)
    {
        replay(capture, Connection.of(capture).getFirst(), false);
    }

    @ParameterizedTest
    @CsvSource({
        "bad-rkey, 10", "invalid-request, 11", "retry-exhausted, 12", "rnr-exhausted, 13", "user-space-naks, 10",
        "write-imm, 0" })
    void completesWithTheStatusThatTheKernelGave(final String capture, final int status)
    {
        replay(capture, Connection.of(capture).getFirst(), true);
        side.queuePair.work(Long.MAX_VALUE / 2, 100);
        final List<Side.Wc> completions = side.pollSends();
        assertThat(completions).anyMatch(wc -> wc.status() == status);
        assertThat(side.queuePair.state()).isEqualTo(status == WcStatus.SUCCESS ? QpState.RTS : QpState.ERR);
        boolean failed = false;
        for (final Side.Wc wc : completions)
        {
            assertThat(wc.status()).isEqualTo(
                failed ? WcStatus.WR_FLUSH_ERR : wc.status() == status ? status : WcStatus.SUCCESS);
            failed = failed || wc.status() != WcStatus.SUCCESS;
        }
    }

    private void replay(final String capture, final Connection each, final boolean fromInitiator)
    {
        connection = each;
        initiator = fromInitiator;
        start();
        final Map<Integer, Integer> late = LATE.getOrDefault(capture, Map.of());
        final Map<Integer, Frame> heldBack = new HashMap<>();
        for (final Frame frame : connection.packets())
        {
            if (connection.fromInitiator(frame) != initiator)
            {
                if (late.containsKey(frame.number()))
                {
                    heldBack.put(late.get(frame.number()), frame);
                }
                else if (!LOST.getOrDefault(capture, Set.of()).contains(frame.number()))
                {
                    answer(frame, frame.nanos());
                }
            }
            else if (!COPIES.getOrDefault(capture, Set.of()).contains(frame.number()))
            {
                expect(capture, frame);
                if (heldBack.containsKey(frame.number()))
                {
                    answer(heldBack.get(frame.number()), frame.nanos());
                }
            }
        }
        assertThat(side.sink.size()).isZero();
    }

    private void start()
    {
        side = new Side(connection.qpn(initiator), Tuning.SOFT_ROCE, 0, MEMORY, Access.LOCAL_READ);
        side.queuePair.connect(
            new QpSettings(
                connection.mtu(), connection.qpn(!initiator), connection.sendPsn(initiator),
                connection.sendPsn(!initiator), connection.ackTimeout(), connection.retryCount(),
                connection.rnrRetry(initiator)),
            side.sink);
        memoryUsed = 0;
        posted.clear();
        firstByPsn.clear();
        basePsn = connection.sendPsn(initiator);
        for (final Frame frame : connection.packets())
        {
            if (connection.fromInitiator(frame) == initiator && !isBroken(frame))
            {
                firstByPsn.putIfAbsent(Psn.extend(basePsn, frame.psn()), frame);
            }
        }
    }

    private static boolean isBroken(final Frame frame)
    {
        final var bytes = frame.direct();
        final var icrc = new io.gannet.rdma.roce.wire.Icrc();
        frame.direction(icrc);
        return icrc.verify(new UnsafeBuffer(bytes), bytes, 0, frame.bytes().length) != frame.ipId();
    }

    private void answer(final Frame frame, final long now)
    {
        side.queuePair.onPacket(frame.buffer(), 0, frame.bytes().length, now);
    }

    private void expect(final String capture, final Frame frame)
    {
        final long psn = Psn.extend(basePsn, frame.psn());
        if (Opcode.isStart(frame.opcode()) && posted.putIfAbsent("psn " + psn, frame.number()) == null)
        {
            post(psn);
        }
        side.queuePair.work(frame.nanos(), 1);
        final byte[] sent = side.sink.poll();
        final byte[] bytes = Arrays.copyOf(frame.bytes(), frame.bytes().length - Packets.ICRC_SIZE);
        if (isBroken(frame))
        {
            assertThat(sent).as("%s #%d", capture, frame.number()).hasSameSizeAs(bytes);
            return;                     // its last payload byte was changed on the way
        }
        assertThat(sent).as("%s #%d", capture, frame.number()).isEqualTo(bytes);
    }

    private void post(final long firstPsn)
    {
        final List<Frame> message = new ArrayList<>();
        long psn = firstPsn;
        do
        {
            message.add(firstByPsn.get(psn));
            psn++;
        }
        while (!Opcode.isEnd(message.getLast().opcode()));
        final long from = memoryUsed;
        for (final Frame frame : message)
        {
            final int header = Opcode.headerLength(frame.opcode());
            final int payload = Packets.payloadLength(frame.buffer(), 0, frame.bytes().length);
            side.fill(memoryUsed, Arrays.copyOfRange(frame.bytes(), header, header + payload));
            memoryUsed += payload;
        }
        final UnsafeBuffer first = message.getFirst().buffer();
        final UnsafeBuffer last = message.getLast().buffer();
        final int lastOpcode = message.getLast().opcode();
        final int imm = Opcode.hasImm(lastOpcode) ?
            ImmDt.value(last, Opcode.headerLength(lastOpcode) - ImmDt.SIZE) : 0;
        final int flags = SendFlags.SIGNALED | (Bth.solicited(last, 0) ? SendQueue.SOLICITED : 0);
        final int length = (int) (memoryUsed - from);
        final long at = side.memory.address() + from;
        final int lkey = side.region.lkey();
        if (Opcode.isSend(lastOpcode))
        {
            if (Opcode.hasImm(lastOpcode))
            {
                side.sends.addSendWithImm(firstPsn, flags, at, length, lkey, imm);
            }
            else
            {
                side.sends.addSend(firstPsn, flags, at, length, lkey);
            }
        }
        else
        {
            final long address = Reth.address(first, Bth.SIZE);
            final int rkey = Reth.rkey(first, Bth.SIZE);
            if (Opcode.hasImm(lastOpcode))
            {
                side.sends.addWriteWithImm(firstPsn, flags, at, length, lkey, address, rkey, imm);
            }
            else
            {
                side.sends.addWrite(firstPsn, flags, at, length, lkey, address, rkey);
            }
        }
        assertThat(side.sends.ringDoorbell()).isZero();
    }
}

package io.gannet.rdma.roce.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.Access;
import io.gannet.rdma.QpState;
import io.gannet.rdma.roce.capture.Connection;
import io.gannet.rdma.roce.capture.Frame;
import io.gannet.rdma.roce.wire.Aeth;
import io.gannet.rdma.roce.wire.Bth;
import io.gannet.rdma.roce.wire.Icrc;
import io.gannet.rdma.roce.wire.Opcode;
import io.gannet.rdma.roce.wire.Packets;
import io.gannet.rdma.roce.wire.Reth;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Feeds the responder with what reached a kernel's and expects the kernel's answers, byte for byte, and the bytes in
 * memory.
 */
class ResponderReplayTest
{
    private static final int ALWAYS = 0;
    private static final int NEVER = Integer.MAX_VALUE;
    private static final int MEMORY = 1 << 20;
    private static final int RNR_TIMER = 12;
    private static final int RECEIVE_SIZE = 8192;

    /** Frames that did not reach the responder. */
    private static final Map<String, Set<Integer>> LOST = Map.of(
        "loss-middle", Set.of(5), "loss-middle-mtu1024", Set.of(5), "loss-last", Set.of(4, 9), "retry-exhausted",
        Set.of(4, 5, 6), "user-space-client", Set.of(13));
    /** Frames that reached it after another. */
    private static final Map<String, Map<Integer, Integer>> LATE = Map.of("reorder", Map.of(5, 9));
    /** The frame before which receives were posted. */
    private static final Map<String, Integer> RECEIVES_BEFORE =
        Map.of("rnr", 48, "rnr-multi-packet", 30, "rnr-exhausted", NEVER);

    private final Icrc icrc = new Icrc();

    @ParameterizedTest
    @ValueSource(strings = {
        "bad-icrc", "bad-rkey", "burst-300", "cm-duplicate", "cm-lost-rep", "cm-lost-req", "cm-lost-rtu", "duplicate",
        "invalid-request", "long-message-mtu1024", "loss-ack", "loss-last", "loss-middle", "loss-middle-mtu1024",
        "reorder", "retry-exhausted", "rnr", "rnr-exhausted", "rnr-multi-packet", "user-space-client", "write-imm",
        "write-imm-ipv6", "write-imm-mtu1024", "write-send", "write-send-mtu1024" })
    void answersAsTheKernelDid(final String capture)
    {
        final List<Connection> connections = Connection.of(capture);
        assertThat(connections).isNotEmpty();
        for (final Connection connection : connections)
        {
            replay(capture, connection);
        }
    }

    @Test
    void readIsRefusedAsAnInvalidRequest()
    {
        final Connection connection = Connection.of("read").getFirst();
        final Side side = side(connection);
        side.postReceives(10, RECEIVE_SIZE);
        feed(side, connection.packets().getFirst(), new long[2]);
        final UnsafeBuffer answer = new UnsafeBuffer(side.sink.poll());
        assertThat(Aeth.syndrome(answer, Bth.SIZE)).isEqualTo(Aeth.NAK_INVALID_REQUEST);
        assertThat(side.queuePair.state()).isEqualTo(QpState.ERR);
    }

    private void replay(final String capture, final Connection connection)
    {
        final Side side = side(connection);
        final long[] origin = new long[2];
        final Map<Integer, Frame> heldBack = new HashMap<>();
        final Map<Integer, Integer> late = LATE.getOrDefault(capture, Map.of());
        boolean posted = false;
        for (final Frame frame : connection.packets())
        {
            if (!connection.fromInitiator(frame) || LOST.getOrDefault(capture, Set.of()).contains(frame.number()))
            {
                continue;
            }
            if (!posted && frame.number() >= RECEIVES_BEFORE.getOrDefault(capture, ALWAYS))
            {
                side.postReceives(400, RECEIVE_SIZE);
                posted = true;
            }
            if (late.containsKey(frame.number()))
            {
                heldBack.put(late.get(frame.number()), frame);
                continue;
            }
            feed(side, frame, origin);
            if (heldBack.containsKey(frame.number()))
            {
                feed(side, heldBack.get(frame.number()), origin);
            }
        }
        compare(capture, connection, side);
    }

    private static void compare(final String capture, final Connection connection, final Side side)
    {
        final List<Frame> expected = new ArrayList<>(
            connection.packets().stream().filter(f -> !connection.fromInitiator(f)).toList());
        if (capture.equals("rnr"))
        {
            // Soft-RoCE adds a sequence NAK for what follows a packet it wasn't ready for; the specification does not
            expected.removeIf(f -> Aeth.syndrome(f.buffer(), Bth.SIZE) == Aeth.NAK_SEQUENCE);
        }
        if (capture.equals("duplicate"))
        {
            expected.removeIf(f -> f.number() == 22);           // copied by the network
        }
        for (final Frame frame : expected)
        {
            final byte[] bytes = Arrays.copyOf(frame.bytes(), frame.bytes().length - Packets.ICRC_SIZE);
            assertThat(side.sink.poll()).as("%s #%d", capture, frame.number()).isEqualTo(bytes);
        }
        assertThat(side.sink.size()).as("answers that the kernel did not give").isZero();
    }

    private static Side side(final Connection connection)
    {
        final Side side = new Side(
            connection.qpn(false), Tuning.SOFT_ROCE, RNR_TIMER, MEMORY, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        side.queuePair.connect(
            new QpSettings(
                connection.mtu(), connection.qpn(true), connection.sendPsn(false), connection.sendPsn(true),
                connection.ackTimeout(), connection.retryCount(), connection.rnrRetry(false)),
            side.sink);
        return side;
    }

    /** {@code origin}: the address and key of the kernel's region, found in the first write. */
    private void feed(final Side side, final Frame frame, final long[] origin)
    {
        final ByteBuffer bytes = frame.direct();
        final UnsafeBuffer packet = new UnsafeBuffer(bytes);
        frame.direction(icrc);
        if (icrc.verify(packet, bytes, 0, frame.bytes().length) != frame.ipId())
        {
            return;
        }
        final int opcode = frame.opcode();
        final boolean hasAddress = Opcode.hasReth(opcode) && Reth.length(packet, Bth.SIZE) != 0;
        long at = -1;
        if (hasAddress)
        {
            final long address = Reth.address(packet, Bth.SIZE);
            if (origin[0] == 0)
            {
                origin[0] = address & -4096;
                origin[1] = Reth.rkey(packet, Bth.SIZE);
            }
            at = address - origin[0];
            final int rkey = Reth.rkey(packet, Bth.SIZE) == origin[1] ? side.region.rkey() : ~side.region.rkey();
            Reth.write(packet, Bth.SIZE, side.memory.address() + at, rkey, (int) Reth.length(packet, Bth.SIZE));
        }
        final int before = side.sink.size();
        side.queuePair.onPacket(packet, 0, frame.bytes().length, frame.nanos());
        side.queuePair.flushAnswers();
        if (opcode == Opcode.WRITE_ONLY && side.sink.size() == before + 1)
        {
            final byte[] payload = new byte[Packets.payloadLength(packet, 0, frame.bytes().length)];
            packet.getBytes(Opcode.headerLength(opcode), payload);
            assertThat(side.read(at, payload.length)).isEqualTo(payload);
        }
    }
}

package io.gannet.rdma.roce.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.harness.LoopbackAddress;
import io.gannet.os.SocketMessages;
import io.gannet.os.UdpSocket;
import io.gannet.rdma.roce.rc.Counter;
import io.gannet.rdma.roce.rc.Counters;
import io.gannet.rdma.roce.wire.Bth;
import io.gannet.rdma.roce.wire.Gid;
import io.gannet.rdma.roce.wire.Opcode;
import io.gannet.rdma.roce.wire.Packets;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How packets pass the kernel: cut and joined at one stride, several runs by one call, packet by packet without.
 */
class PacketSocketTest
{
    private static final long PATIENCE = 30_000_000_000L;
    private static final int STRIDE = 1_000;

    private final Counters counters = new Counters();
    private final InetAddress here = LoopbackAddress.random();
    private final InetAddress there = LoopbackAddress.random();
    private final Arena arena = Arena.ofConfined();
    private final List<AutoCloseable> open = new ArrayList<>(List.of(arena));

    @AfterEach
    void close() throws Exception
    {
        Collections.reverse(open);
        for (final AutoCloseable one : open)
        {
            one.close();
        }
    }

    private NativePacketSocket nic(final InetAddress address, final boolean segmenting)
    {
        final NativePacketSocket socket =
            new NativePacketSocket(address, Packets.UDP_PORT, segmenting, counters);
        open.add(socket);
        return socket;
    }

    private static void add(final UdpPath path, final int length)
    {
        final int at = path.claim(length);
        path.buffer().setMemory(at, length, (byte) 0);
        Bth.write(path.buffer(), at, Opcode.WRITE_ONLY, 0, 77, false, length);
        path.commit();
    }

    private TransmitBatch batch(final NativePacketSocket socket, final int count)
    {
        final TransmitBatch batch = new TransmitBatch(socket.isSegmenting());
        final UdpPath path = new UdpPath(batch, socket, Gid.of(here), Gid.of(there), 0, 0);
        for (int i = 0; i < count; i++)
        {
            add(path, STRIDE);
        }
        add(path, STRIDE / 2);
        return batch;
    }

    private static void await(final UdpSocket socket, final SocketMessages messages)
    {
        final long deadline = System.nanoTime() + PATIENCE;
        messages.prepareReceive(0);
        while (socket.receive(messages, 1) != 1)
        {
            assertThat(System.nanoTime() - deadline).isNegative();
        }
    }

    @Test
    void aRunLeavesAsOneAndIsCutAtItsStride()
    {
        final UdpSocket receiver = UdpSocket.bind(there, Packets.UDP_PORT);
        open.add(receiver);
        assertThat(receiver.coalesceReceived()).isTrue();
        final SocketMessages messages = new SocketMessages(1, arena);
        final MemorySegment memory = arena.allocate(1 << 16);
        messages.buffer(0, memory.address(), memory.byteSize());
        final NativePacketSocket sender = nic(here, true);
        assertThat(sender.send(batch(sender, 20))).isEqualTo(21);
        await(receiver, messages);
        // loopback carries what the kernel was given in one piece, with the stride at which it is to be cut
        assertThat(messages.length(0)).isEqualTo(20 * STRIDE + STRIDE / 2);
        assertThat(messages.receivedSegmentSize(0)).isEqualTo(STRIDE);
        assertThat(counters.get(Counter.PACKETS_SENT)).isEqualTo(21);
        assertThat(counters.get(Counter.BYTES_SENT)).isEqualTo(20 * STRIDE + STRIDE / 2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void allPacketsComeInWholeAndInOrderJoinedOrNot(final boolean segmenting)
    {
        final NativePacketSocket receiver = nic(there, segmenting);
        final NativePacketSocket sender = nic(here, segmenting);
        assertThat(sender.send(batch(sender, 60))).isEqualTo(61);
        final List<Integer> lengths = new ArrayList<>();
        final long deadline = System.nanoTime() + PATIENCE;
        int most = 0;
        while (lengths.size() < 61)
        {
            assertThat(System.nanoTime() - deadline).isNegative();
            most = Math.max(most, receiver.receive((packet, bytes, offset, length, high, low, port, congested) ->
            {
                assertThat(Bth.psn(packet, offset)).isEqualTo(length);
                assertThat(low).isEqualTo(Gid.of(here).low());
                assertThat(port).isEqualTo(Packets.UDP_PORT);
                assertThat(congested).isFalse();
                lengths.add(length);
            }));
        }
        assertThat(lengths.subList(0, 60)).containsOnly(STRIDE);
        assertThat(lengths.getLast()).isEqualTo(STRIDE / 2);
        // a turn makes 8 calls at most
        assertThat(most > 8).as("%d packets by one turn", most).isEqualTo(segmenting);
    }

    @Test
    void datagramsToSeveralPeersLeaveByOneCall()
    {
        final UdpSocket sender = UdpSocket.bind(here, 0);
        open.add(sender);
        final int peers = 5;
        final SocketMessages messages = new SocketMessages(peers, arena);
        final MemorySegment name = arena.allocate(SocketMessages.ADDRESS_SIZE, 8);
        for (int i = 0; i < peers; i++)
        {
            final int length =
                SocketMessages.writeAddress(name.address(), LoopbackAddress.random(), Packets.UDP_PORT);
            messages.buffer(i, arena.allocate(100).address(), 100);
            messages.destination(i, name.address(), length);
        }
        assertThat(sender.send(messages, 0, peers)).isEqualTo(peers);
    }

    @Test
    void nothingButItsAddressIsBound() throws IOException
    {
        nic(here, true);
        final byte[] bytes = here.getAddress();
        final String own = String.format(Locale.ROOT, "%02X%02X%02X%02X:12B7", bytes[3], bytes[2], bytes[1], bytes[0]);
        assertThat(Files.readAllLines(Path.of("/proc/self/net/udp"))).anyMatch(line -> line.contains(own));
        final long inode = Files.readAllLines(Path.of("/proc/self/net/udp")).stream().skip(1)
            .filter(line -> line.contains("00000000:12B7")).filter(PacketSocketTest::isOurs).count();
        assertThat(inode).as("sockets bound to every address").isZero();
    }

    private static boolean isOurs(final String line)
    {
        final String socket = "socket:[" + line.trim().split(" +", -1)[9] + "]";
        try (var descriptors = Files.list(Path.of("/proc/self/fd")))
        {
            return descriptors.anyMatch(descriptor ->
            {
                try
                {
                    return Files.readSymbolicLink(descriptor).toString().equals(socket);
                }
                catch (final IOException gone)
                {
                    return false;
                }
            });
        }
        catch (final IOException e)
        {
            throw new AssertionError(e);
        }
    }
}

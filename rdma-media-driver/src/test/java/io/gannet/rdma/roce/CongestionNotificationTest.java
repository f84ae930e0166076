package io.gannet.rdma.roce;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.harness.LoopbackAddress;
import io.gannet.rdma.Access;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.MemoryRegion;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.roce.rc.Counter;
import io.gannet.rdma.roce.rc.QpSettings;
import io.gannet.rdma.roce.wire.Gid;
import io.gannet.rdma.roce.wire.Packets;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.util.HexFormat;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * ECN: a packet that a router has marked is answered by a congestion notification, byte for byte that of the RoCE v2
 * annex (A17.9.3), and not too often; one that comes halves the window, once in a round trip.
 */
class CongestionNotificationTest
{
    private static final int PEER_QPN = 0x123456;
    private static final int PSN = 0x10;
    private static final long PATIENCE = 60_000_000_000L;

    private final InetAddress peerAddress = LoopbackAddress.random();
    private final RoceDevice device = RoceDevice.open(RoceOptions.LOOPBACK.withAddress(LoopbackAddress.random()));
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(1 << 20, 64);
    private final ProtectionDomain domain = device.allocateProtectionDomain();
    private final MemoryRegion region = domain.register(
        memory.address(), memory.byteSize(), Access.LOCAL_WRITE | Access.REMOTE_WRITE);
    private final CompletionQueue completions = device.createCompletionQueue(256, null);
    private final RoceQueuePair queuePair =
        device.createQueuePair(domain, new QpAttributes(completions, completions, 64, 64, 0, 1));
    private final ByteBuffer received = ByteBuffer.allocate(1 << 13);
    private DatagramChannel peer;
    private Attacker network;

    @BeforeEach
    void connect() throws IOException
    {
        peer = DatagramChannel.open();
        peer.bind(new InetSocketAddress(peerAddress, Packets.UDP_PORT));
        peer.configureBlocking(false);
        network = new Attacker(peerAddress, device.address());
        queuePair.connect(
            new QpSettings(1024, PEER_QPN, 0, PSN, 20, 7, 7), device.paths().of(Gid.of(peerAddress), 0));
    }

    @AfterEach
    void close() throws IOException
    {
        network.close();
        peer.close();
        queuePair.close();
        completions.close();
        region.close();
        domain.close();
        device.close();
        arena.close();
    }

    /** A write with immediate and the PSN so many behind the first. */
    private void write(final int index)
    {
        network.sendRight(network.write(queuePair.number(), PSN + index, region.address(), region.rkey(), 64));
    }

    private byte[] next() throws IOException
    {
        final long deadline = System.nanoTime() + PATIENCE;
        received.clear();
        while (peer.receive(received) == null)
        {
            assertThat(System.nanoTime() - deadline).as(device.counters().toString()).isNegative();
            device.doWork();
        }
        final byte[] packet = new byte[received.position()];
        received.flip().get(packet);
        return packet;
    }

    @Test
    void aMarkedPacketIsAnsweredByANotificationOfTheSpecification() throws IOException
    {
        for (int i = 0; i < 16; i++)
        {
            queuePair.addReceive(i, 0, 0, 0);
        }
        queuePair.postReceives();
        write(0);
        final byte[] acknowledge = next();
        assertThat(acknowledge).as("not marked").hasSize(Packets.ACK_SIZE);
        network.markAsCongested();
        write(1);
        byte[] packet = next();
        while (packet.length == Packets.ACK_SIZE)
        {
            packet = next();
        }
        // opcode, flags, P_Key, BECN, queue pair, no acknowledge, PSN 0; 16 reserved bytes; ICRC
        final String expected = "81" + "00" + "ffff" + "40" + "123456" + "00" + "000000" + "00".repeat(16);
        assertThat(HexFormat.of().formatHex(packet)).hasSize(64).startsWith(expected);
        assertThat(ByteBuffer.wrap(packet).order(ByteOrder.LITTLE_ENDIAN).getInt(packet.length - 4))
            .isEqualTo(invariantChecksum(packet));
        assertThat(device.counters().get(Counter.CNP_SENT)).isEqualTo(1);
    }

    /** Over 8 bytes of ones, the IPv4 and UDP headers with what routers change as ones, and the packet. */
    private int invariantChecksum(final byte[] packet)
    {
        final ByteBuffer headers = ByteBuffer.allocate(28);
        headers.put((byte) 0x45).put((byte) -1).putShort((short) (28 + packet.length)).putShort((short) 0)
            .putShort((short) 0x4000).put((byte) -1).put((byte) 17).putShort((short) -1)
            .put(device.address().getAddress()).put(peerAddress.getAddress())
            .putShort((short) Packets.UDP_PORT).putShort((short) Packets.UDP_PORT)
            .putShort((short) (8 + packet.length)).putShort((short) -1);
        final byte[] masked = packet.clone();
        masked[4] = -1;
        final CRC32 crc = new CRC32();
        crc.update(new byte[]{-1, -1, -1, -1, -1, -1, -1, -1});
        crc.update(headers.array());
        crc.update(masked, 0, masked.length - 4);
        return (int) crc.getValue();
    }

    @Test
    void aQueuePairSendsOneIn50Microseconds()
    {
        final Gid from = Gid.of(peerAddress);
        final int length = network.write(queuePair.number(), PSN, region.address(), region.rkey(), 64);
        network.sendRight(length);                                  // makes its ICRC; the copy that arrives is one more
        for (int micros = 0; micros < 500; micros++)
        {
            device.dispatcher().now(1_000_000 + micros * 1_000L);
            device.dispatcher().onPacket(network.packet, network.bytes, 0, length, from.high(), from.low(),
                network.port(), true);
            network.bytes.clear();
        }
        assertThat(device.counters().get(Counter.DROP_ICRC)).isZero();
        assertThat(device.counters().get(Counter.CNP_SENT)).isEqualTo(10);
    }

    @Test
    void aNotificationHalvesTheWindowOnceInARoundTrip()
    {
        queuePair.addWrite(1, SendFlags.SIGNALED, region.address(), 60_000, region.lkey(), 0, 0);
        assertThat(queuePair.ringDoorbell()).isZero();
        device.doWork();
        final int before = queuePair.protocol().window();
        for (int i = 1; i <= 5; i++)
        {
            final long count = i;
            network.sendRight(network.congestion(queuePair.number()));
            final long deadline = System.nanoTime() + PATIENCE;
            while (device.counters().get(Counter.CNP_RECEIVED) < count)
            {
                assertThat(System.nanoTime() - deadline).isNegative();
                device.doWork();
            }
            assertThat(queuePair.protocol().window()).as("after %d", i).isEqualTo(before / 2);
        }
    }
}

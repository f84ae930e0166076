package io.gannet.rdma.roce;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.Access;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.MemoryRegion;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.QpState;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.WorkCompletions;
import io.gannet.rdma.roce.capture.Capture;
import io.gannet.rdma.roce.capture.Frame;
import io.gannet.rdma.roce.cm.CmAgent;
import io.gannet.rdma.roce.net.AllowList;
import io.gannet.rdma.roce.rc.Counter;
import io.gannet.rdma.roce.rc.QpSettings;
import io.gannet.rdma.roce.rc.RcQueuePair;
import io.gannet.rdma.roce.wire.Bth;
import io.gannet.rdma.roce.wire.CmReq;
import io.gannet.rdma.roce.wire.Gid;
import io.gannet.rdma.roce.wire.Icrc;
import io.gannet.rdma.roce.wire.Mad;
import io.gannet.rdma.roce.wire.Opcode;
import io.gannet.rdma.roce.wire.Packets;
import io.gannet.rdma.roce.wire.RdmaCmHeader;
import io.gannet.rdma.roce.wire.Reth;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Packets that an enemy could send: captured ones, changed field by field or bit by bit, most of them with a right ICRC
 * and for a live queue pair, from the peer, from others and from strangers; earlier ones again; connection requests
 * without end. Nothing may crash, no byte outside the region that a packet may address may change, somebody else's
 * stream through the same NIC goes on, state and heap stay bounded, each reason to drop or refuse is counted. Set
 * {@code gannet.fuzz.packets} for a long run and {@code gannet.fuzz.seed} to repeat one.
 */
class HostilePacketsTest
{
    private static final long PACKETS = Long.getLong("gannet.fuzz.packets", 120_000);
    private static final long SEED = Long.getLong("gannet.fuzz.seed", 20_261_129);
    private static final int REGION = 1 << 16;
    private static final int QUEUE_PAIRS = 8;
    private static final int TURN = 32;
    private static final int LISTENING = 7471;
    private static final Gid PEER = Gid.ofIpv4(0x7f00004d);
    private static final Gid OTHER = Gid.ofIpv4(0x7f00004e);
    private static final Gid STRANGER = Gid.ofIpv4(0x7f010001);
    private static final long HEAP_SLACK = 16 << 20;
    private static final byte CANARY = (byte) 0xc5;

    private final Random random = new Random(SEED);
    private final RoceDevice device = RoceOpener.open(
        RoceOptions.LOOPBACK.withAllow(AllowList.parse("127.0.0.0/24")), new RandomIdentifiers(new Random(SEED)));
    private final Gid local = Gid.of(device.port(1).address());
    private final Arena arena = Arena.ofShared();
    /** canary, region of the queue pairs, canary, region of another domain, canary. */
    private final MemorySegment memory = arena.allocate(5 * REGION, 4096);
    private final ProtectionDomain domain = device.allocateProtectionDomain();
    private final ProtectionDomain otherDomain = device.allocateProtectionDomain();
    private final MemoryRegion region = domain.register(
        memory.address() + REGION, REGION, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
    private final MemoryRegion otherRegion = otherDomain.register(
        memory.address() + 3 * REGION, REGION, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
    private final CompletionQueue completions = device.createCompletionQueue(1 << 16, null);
    private final WorkCompletions polled = new WorkCompletions(64);
    private final List<RoceQueuePair> queuePairs = new ArrayList<>();
    private final Icrc icrc = new Icrc();
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 13);
    private final UnsafeBuffer packet = new UnsafeBuffer(bytes);
    private final Deque<CmId> ids = new ArrayDeque<>();
    private final byte[][] sent = new byte[64][];
    private final Gid[] senders = new Gid[64];
    private final Bystander bystander = new Bystander(device);
    private long replaced;
    private long replayed;

    @AfterEach
    void close()
    {
        bystander.close();
        ids.forEach(CmId::close);
        queuePairs.forEach(RoceQueuePair::close);
        completions.close();
        region.close();
        otherRegion.close();
        domain.close();
        otherDomain.close();
        device.close();
        arena.close();
    }

    @Test
    void hostilePacketsHarmNothing()
    {
        final List<byte[]> captured = Capture.names()
            .flatMap(name -> Capture.read(name).stream()).map(Frame::bytes).toList();
        memory.fill(CANARY);
        memory.asSlice(REGION, REGION).fill((byte) 0);
        for (int i = 0; i < QUEUE_PAIRS; i++)
        {
            queuePairs.add(null);
            renew(i);
        }
        final var listener = device.connectionManager().listen(
            new InetSocketAddress(device.port(1).address(), LISTENING), null);
        long rightAndLive = 0;
        long heap = 0;
        for (long i = 0; i < PACKETS; i++)
        {
            if (random.nextInt(32) == 0 && i > sent.length)
            {
                replay(random.nextInt(sent.length));
            }
            else
            {
                rightAndLive += send(captured.get(random.nextInt(captured.size())), (int) (i % sent.length)) ? 1 : 0;
            }
            if (i % TURN == 0)
            {
                // at times the application does not look at connection requests
                turn(i % 50_000 < 30_000);
            }
            if (i % 16_384 == 0)
            {
                assertCanaries(i);
                bystander.sendAndReceive(device);
            }
            if (i == PACKETS / 2)
            {
                heap = usedHeap();
            }
        }
        assertCanaries(PACKETS);
        assertThat(usedHeap()).as("bytes of heap at the end, %d in the middle", heap).isLessThan(heap + HEAP_SLACK);
        assertThat(replayed).isPositive();
        System.out.println("seed " + SEED + ": " + PACKETS + " packets, " + rightAndLive +
            " with a right ICRC for a live queue pair, " + replayed + " again, " + replaced +
            " queue pairs ended: " + device.counters());
        listener.close();
        assertThat(rightAndLive).as("right ICRC and live queue pair").isGreaterThan(PACKETS / 2);
        assertThat(replaced).as("queue pairs killed").isPositive();
        for (final Counter counter : new Counter[]{
            Counter.DROP_NOT_ALLOWED, Counter.DROP_MALFORMED, Counter.DROP_ICRC, Counter.DROP_PKEY,
            Counter.DROP_UNKNOWN_QP, Counter.DROP_WRONG_PEER, Counter.DROP_QP_STATE, Counter.DROP_MAD,
            Counter.DROP_CM, Counter.DROP_CM_FLOOD, Counter.DUPLICATE_REQUESTS, Counter.OUT_OF_SEQUENCE,
            Counter.DROP_STALE_ACK, Counter.NAK_SEQUENCE_SENT, Counter.NAK_INVALID_REQUEST_SENT,
            Counter.NAK_REMOTE_ACCESS_SENT, Counter.NAK_REMOTE_OPERATION_SENT, Counter.RNR_NAK_SENT,
            Counter.NAK_FATAL_RECEIVED, Counter.RNR_NAK_RECEIVED, Counter.CNP_RECEIVED })
        {
            assertThat(device.counters().get(counter)).as("%s of %s", counter, device.counters()).isPositive();
        }
        assertThat(device.agent().size()).isLessThanOrEqualTo(CmAgent.MAX_HALF_OPEN + QUEUE_PAIRS);
    }

    private static long usedHeap()
    {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private void replay(final int slot)
    {
        if (sent[slot] != null)
        {
            replayed++;
            packet.putBytes(0, sent[slot]);
            device.dispatcher().onPacket(packet, bytes, 0, sent[slot].length, senders[slot].high(),
                senders[slot].low(), Packets.UDP_PORT, false);
        }
    }

    /** Whether the packet sent had a right ICRC and went to a live queue pair or QP 1. */
    private boolean send(final byte[] original, final int slot)
    {
        int length = original.length;
        packet.putBytes(0, original);
        final int index = random.nextInt(QUEUE_PAIRS);
        final boolean management = Bth.opcode(packet, 0) == Opcode.UD_SEND_ONLY;
        boolean live = random.nextInt(16) != 0;
        if (management)
        {
            aimRequest();
        }
        else
        {
            aim(index, live);
        }
        final int kind = random.nextInt(8);
        if (kind == 3 && !management && random.nextInt(8) == 0)
        {
            length = Packets.CNP_SIZE;
            packet.setMemory(0, length, (byte) 0);
            Bth.write(packet, 0, Opcode.CNP, 0, queuePairs.get(index).number(), false, 0);
        }
        if (kind == 0)
        {
            length = resize(length);
        }
        else if (kind == 1)
        {
            flipBits(length, management);
        }
        else if (kind == 2 && !management)
        {
            packet.putByte(0, (byte) random.nextInt(256));          // any opcode
        }
        final int who = random.nextInt(32);
        final Gid source = who == 0 ? STRANGER : who == 1 ? OTHER : PEER;
        icrc.ipv4(source.ipv4(), local.ipv4(), Packets.UDP_PORT);
        final boolean right = random.nextInt(8) != 0 && length >= Packets.MIN_SIZE && (length & 3) == 0;
        if (right)
        {
            icrc.append(packet, bytes, 0, length, random.nextInt(1 << 16));
        }
        live = live && (management || Bth.qpn(packet, 0) == queuePairs.get(index).number());
        sent[slot] = new byte[length];
        packet.getBytes(0, sent[slot]);
        senders[slot] = source;
        device.dispatcher().onPacket(
            packet, bytes, 0, length, source.high(), source.low(), Packets.UDP_PORT, random.nextInt(64) == 0);
        return right && live && who > 1;
    }

    private void aim(final int index, final boolean live)
    {
        final int opcode = Bth.opcode(packet, 0);
        final boolean request = Opcode.isRc(opcode) && Opcode.isRequest(opcode);
        final RcQueuePair protocol = queuePairs.get(index).protocol();
        final int base = request ? protocol.expectedPsn() : protocol.unacknowledgedPsn();
        final int psn = base + switch (random.nextInt(8))
        {
            case 0 -> -random.nextInt(5);
            case 1 -> random.nextInt(5);
            case 2 -> random.nextInt();
            default -> 0;
        };
        final int qpn = live ? queuePairs.get(index).number() : random.nextInt(1 << 24);
        Bth.write(packet, 0, opcode, Bth.flags(packet, 0), qpn, random.nextBoolean(), psn);
        if (Opcode.isRc(opcode) && Opcode.hasReth(opcode))
        {
            final int length = (int) Reth.length(packet, Bth.SIZE);
            final MemoryRegion target = random.nextInt(8) == 0 ? otherRegion : region;
            final long address = switch (random.nextInt(8))
            {
                case 0 -> target.address() - random.nextInt(64);
                case 1 -> target.address() + REGION - random.nextInt(64);
                case 2 -> random.nextLong();
                default -> target.address() + random.nextInt(REGION);
            };
            final int rkey = random.nextInt(8) == 0 ? random.nextInt() : target.rkey();
            final int claimed = random.nextInt(16) == 0 ? random.nextInt() : length;
            Reth.write(packet, Bth.SIZE, address, rkey, claimed);
        }
    }

    private void aimRequest()
    {
        final int body = Mad.PACKET_OFFSET + Mad.BODY;
        if (Mad.attribute(packet, Mad.PACKET_OFFSET) == Mad.REQ && random.nextInt(4) != 0)
        {
            packet.putInt(body, random.nextInt(), ByteOrder.BIG_ENDIAN);                // comm id
            packet.putLong(body + 16, random.nextInt(1 << 16), ByteOrder.BIG_ENDIAN);   // CA GUID
            CmReq.writePath(packet, body, PEER, local, 0, 0, 64);
            RdmaCmHeader.write(packet, body + CmReq.PRIVATE_DATA, 4000, PEER, local);
        }
    }

    private int resize(final int length)
    {
        final int changed = random.nextBoolean() ? random.nextInt(length + 1) : length + random.nextInt(64);
        return random.nextBoolean() ? changed & -4 : changed;
    }

    private void flipBits(final int length, final boolean management)
    {
        final int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++)
        {
            // mostly headers: payload bits change nothing
            final int at = random.nextInt(management || random.nextInt(4) == 0 ? length : Math.min(length, 32));
            packet.putByte(at, (byte) (packet.getByte(at) ^ 1 << random.nextInt(8)));
        }
    }

    private void turn(final boolean looksAtRequests)
    {
        device.doWork();
        while (completions.poll(polled) > 0)
        {
            // their statuses are the enemy's
        }
        device.connectionManager().pollEvents(event ->
        {
            if (event.type() == CmEventType.CONNECT_REQUEST)
            {
                ids.addLast(event.id());
            }
            else
            {
                event.id().close();
            }
        });
        while (looksAtRequests && ids.size() > 100)
        {
            ids.pollFirst().close();
        }
        device.pollAsyncEvents((type, number, queue) ->
        {
        });
        for (int i = 0; i < QUEUE_PAIRS; i++)
        {
            final RoceQueuePair queuePair = queuePairs.get(i);
            if (queuePair.state() == QpState.ERR)
            {
                if (random.nextInt(3) != 0)
                {
                    renew(i);
                }
            }
            else if (random.nextInt(4) == 0)
            {
                post(queuePair);
            }
        }
    }

    private void post(final RoceQueuePair queuePair)
    {
        queuePair.addReceive(1, region.address(), random.nextInt(9000), region.lkey());
        queuePair.postReceives();
        queuePair.addWrite(
            2, SendFlags.SIGNALED, region.address(), random.nextInt(2_000), region.lkey(), 0, 0);
        queuePair.ringDoorbell();
    }

    private void renew(final int index)
    {
        if (queuePairs.get(index) != null)
        {
            queuePairs.get(index).close();
            replaced++;
        }
        final RoceQueuePair queuePair = device.createQueuePair(
            domain, new QpAttributes(completions, completions, 256, 256, 64, 12));
        queuePair.connect(
            new QpSettings(
                256 << random.nextInt(5), 77, random.nextInt(1 << 24), random.nextInt(1 << 24), 14, 7, 7),
            device.paths().of(PEER, 0));
        queuePairs.set(index, queuePair);
        for (int i = 0; i < random.nextInt(64); i++)
        {
            post(queuePair);
        }
    }

    private void assertCanaries(final long packets)
    {
        for (final int at : new int[]{ 0, 2, 3, 4 })
        {
            final MemorySegment guard = memory.asSlice((long) at * REGION, REGION);
            for (long i = 0; i < REGION; i += Long.BYTES)
            {
                if (guard.get(ValueLayout.JAVA_LONG, i) != 0xc5c5_c5c5_c5c5_c5c5L)
                {
                    throw new AssertionError("seed " + SEED + ": byte " + ((long) at * REGION + i) +
                        " was changed before packet " + packets);
                }
            }
        }
    }
}

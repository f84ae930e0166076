package io.gannet.rdma.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.gannet.harness.LoopbackAddress;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.QpState;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.WorkCompletions;
import io.gannet.rdma.roce.rc.Counter;
import io.gannet.rdma.roce.rc.RcQueuePair;
import io.gannet.rdma.roce.wire.Aeth;
import io.gannet.rdma.roce.wire.Bth;
import io.gannet.rdma.roce.wire.Deth;
import io.gannet.rdma.roce.wire.Mad;
import io.gannet.rdma.roce.wire.Opcode;
import io.gannet.rdma.roce.wire.Packets;
import java.io.File;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One kind of attack at a time, by datagrams that leave a socket of this host, against a NIC with an honest stream.
 * Each packet is counted under the reason for which it is dropped, nothing of it is placed, and the stream goes on; or,
 * where the specification says so, the queue pair ends, and other streams of the NIC go on.
 */
class AttackTest
{
    private static final ConnectParameters PATIENT = new ConnectParameters(7, 7, 18, 0);
    private static final long PATIENCE = 60_000_000_000L;
    private static final int ROUNDS = 40;
    private static final int LENGTH = 3_000;
    /** Where the honest stream writes; what lies behind is nobody's. */
    private static final int STREAM = 8_192;
    private static final Set<Counter> DROPS = EnumSet.of(
        Counter.DROP_NOT_ALLOWED, Counter.DROP_MALFORMED, Counter.DROP_ICRC, Counter.DROP_PKEY,
        Counter.DROP_UNKNOWN_QP, Counter.DROP_WRONG_PEER, Counter.DROP_QP_STATE, Counter.DROP_MAD, Counter.DROP_CM,
        Counter.DROP_CM_FLOOD, Counter.DROP_STALE_ACK);
    /** The honest side's repeats, when the machine is slow, are among these. */
    private static final Set<Counter> REPEATS = EnumSet.of(Counter.DUPLICATE_REQUESTS, Counter.OUT_OF_SEQUENCE);

    private final Random random = new Random(7);
    private final WorkCompletions completions = new WorkCompletions(64);
    private final RocePair pair = new RocePair(RoceOptions.LOOPBACK, PATIENT);
    private final Attacker peer = new Attacker(pair.a.device.address(), pair.b.device.address());
    private final Attacker stranger = new Attacker(LoopbackAddress.random(), pair.b.device.address());
    private int number;

    @AfterEach
    void close()
    {
        peer.close();
        stranger.close();
        pair.close();
    }

    private static RcQueuePair protocol(final RocePair.End end)
    {
        return ((RoceQueuePair) end.queuePair).protocol();
    }

    /** What one datagram of an attack is. */
    @FunctionalInterface
    interface Attack
    {
        void send(AttackTest test, int round);
    }

    /** A write that would be placed if nothing were wrong with it. */
    private int write(final Attacker by, final int psnAhead)
    {
        return by.write(pair.b.queuePair.number(), protocol(pair.b).expectedPsn() + psnAhead & 0xff_ffff,
            pair.b.region.address() + STREAM, pair.b.region.rkey(), 64);
    }

    private static Attack right(final ToIntFunction<AttackTest> packet)
    {
        return (test, round) -> test.peer.sendRight(packet.applyAsInt(test));
    }

    private int management(final int attribute)
    {
        peer.packet.setMemory(0, Packets.CM_SIZE, (byte) 0);
        Bth.write(peer.packet, 0, Opcode.UD_SEND_ONLY, 0, Bth.GSI_QPN, true, 0);
        Deth.write(peer.packet, Bth.SIZE, Deth.GSI_QKEY, Bth.GSI_QPN);
        Mad.write(peer.packet, Mad.PACKET_OFFSET, attribute, random.nextLong());
        peer.packet.putInt(Mad.PACKET_OFFSET + Mad.BODY, random.nextInt());
        peer.packet.putInt(Mad.PACKET_OFFSET + Mad.BODY + 4, random.nextInt());
        return Packets.CM_SIZE;
    }

    static Stream<Arguments> harmless()
    {
        return Stream.of(
            attack("an empty datagram", Counter.DROP_MALFORMED, (t, round) -> t.peer.send(0)),
            attack("a few bytes", Counter.DROP_MALFORMED, (t, round) ->
            {
                t.peer.packet.setMemory(0, 64, (byte) t.random.nextInt());
                t.peer.send(1 + round % (Packets.MIN_SIZE - 1));
            }),
            attack("the largest datagram", Counter.DROP_MALFORMED, (t, round) -> t.peer.send(Attacker.SIZE)),
            attack("a packet with a byte too many", Counter.DROP_MALFORMED,
                (t, round) -> t.peer.send(t.write(t.peer, 0) + 1)),
            attack("a packet that is cut off", Counter.DROP_ICRC,
                (t, round) -> t.peer.send(t.write(t.peer, 0) - 4 * (1 + round % 16))),
            attack("a packet that is cut off in its headers", Counter.DROP_MALFORMED,
                (t, round) -> t.peer.sendRight(t.write(t.peer, 0) - 4 * (17 + round % 5))),
            attack("another version", Counter.DROP_MALFORMED, (t, round) ->
            {
                final int length = t.write(t.peer, 0);
                t.peer.packet.putByte(1, (byte) 1);
                t.peer.sendRight(length);
            }),
            attack("another partition", Counter.DROP_PKEY, (t, round) ->
            {
                final int length = t.write(t.peer, 0);
                t.peer.packet.putShort(2, (short) 0x1234, ByteOrder.BIG_ENDIAN);
                t.peer.sendRight(length);
            }),
            attack("a wrong ICRC", Counter.DROP_ICRC, (t, round) ->
            {
                final int length = t.write(t.peer, 0);
                t.peer.packet.putInt(length - 4, 0);
                t.peer.send(length);
            }),
            attack("a queue pair that is nobody's", Counter.DROP_UNKNOWN_QP, (t, round) -> t.peer.sendRight(
                t.peer.write(t.pair.b.queuePair.number() ^ 0x40_0000, 0, 0, 0, 8))),
            attack("somebody who is not the peer", Counter.DROP_WRONG_PEER,
                (t, round) -> t.stranger.sendRight(t.write(t.stranger, 0))),
            attack("a PSN far ahead", Counter.OUT_OF_SEQUENCE, right(t -> t.write(t.peer, 5_000))),
            attack("a PSN half of the numbers away", Counter.DUPLICATE_REQUESTS,
                right(t -> t.write(t.peer, 0x80_0000))),
            attack("a PSN that was executed", Counter.DUPLICATE_REQUESTS, right(t -> t.write(t.peer, -1))),
            attack("an acknowledge of what was never sent", Counter.DROP_STALE_ACK, right(t ->
                t.peer.acknowledge(t.pair.b.queuePair.number(), t.random.nextInt() & 0xff_ffff, Aeth.ACK))),
            attack("NAKs of what was never sent", Counter.DROP_STALE_ACK, right(t -> t.peer.acknowledge(
                t.pair.b.queuePair.number(), t.random.nextInt() & 0xff_ffff, Aeth.NAK_SEQUENCE))),
            attack("fatal NAKs of what was never sent", Counter.DROP_STALE_ACK, right(t -> t.peer.acknowledge(
                t.pair.b.queuePair.number(), t.random.nextInt() & 0xff_ffff, Aeth.NAK_REMOTE_ACCESS))),
            attack("RNR NAKs of what was never sent", Counter.DROP_STALE_ACK, right(t -> t.peer.acknowledge(
                t.pair.b.queuePair.number(), t.random.nextInt() & 0xff_ffff, Aeth.RNR_NAK))),
            attack("an answer to a READ", Counter.DROP_STALE_ACK, right(t ->
            {
                Bth.write(t.peer.packet, 0, Opcode.READ_RESPONSE_ONLY, 0, t.pair.b.queuePair.number(), false, 0);
                Aeth.write(t.peer.packet, Bth.SIZE, Aeth.ACK, 0);
                return Bth.SIZE + Aeth.SIZE + 64 + Packets.ICRC_SIZE;
            })),
            attack("a reply to no request", Counter.DROP_CM, right(t -> t.management(Mad.REP))),
            attack("an end of no connection", Counter.DROP_CM, right(t -> t.management(Mad.DREQ))),
            attack("a message of no kind", Counter.DROP_CM, right(t -> t.management(0x7777))),
            attack("another class of management", Counter.DROP_MAD, right(t ->
            {
                final int length = t.management(Mad.REQ);
                t.peer.packet.putByte(Mad.PACKET_OFFSET + 1, (byte) 3);
                return length;
            })),
            attack("another Q_Key", Counter.DROP_MAD, right(t ->
            {
                final int length = t.management(Mad.REQ);
                t.peer.packet.putInt(Bth.SIZE, 0);
                return length;
            })));
    }

    private static Arguments attack(final String name, final Counter reason, final Attack attack)
    {
        return arguments(name, reason, attack);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("harmless")
    void isDroppedAndCountedAndTheStreamGoesOn(final String name, final Counter reason, final Attack attack)
    {
        final MemorySegment behind = pair.b.memory.asSlice(STREAM, RocePair.MEMORY - STREAM);
        behind.fill((byte) 0xc5);
        transfer();
        final long before = count(reason);
        final long others = dropsBut(reason);
        for (int i = 0; i < ROUNDS; i++)
        {
            attack.send(this, i);
            final long expected = before + i + 1;
            // the datagram may come behind a turn
            until("it is counted, " + name, () -> count(reason) >= expected);
            transfer();
        }
        assertThat(pair.b.queuePair.state()).isEqualTo(QpState.RTS);
        if (REPEATS.contains(reason))
        {
            assertThat(count(reason)).isGreaterThanOrEqualTo(before + ROUNDS);
        }
        else
        {
            assertThat(count(reason)).isEqualTo(before + ROUNDS);
        }
        assertThat(dropsBut(reason)).as("counted under another reason: %s", pair.b.device.counters())
            .isEqualTo(others);
        for (long at = 0; at < behind.byteSize(); at += Long.BYTES)
        {
            if (behind.get(ValueLayout.JAVA_LONG, at) != 0xc5c5_c5c5_c5c5_c5c5L)
            {
                throw new AssertionError("byte " + (STREAM + at) + " was changed");
            }
        }
    }

    static Stream<Arguments> deadly()
    {
        final long far = 1L << 40;
        return Stream.of(
            fatal("a guessed key", Counter.NAK_REMOTE_ACCESS_SENT, t -> t.aimed(0, 64, 1)),
            fatal("bytes before the region", Counter.NAK_REMOTE_ACCESS_SENT, t -> t.aimed(-8, 64, 0)),
            fatal("bytes behind the region", Counter.NAK_REMOTE_ACCESS_SENT, t -> t.aimed(RocePair.MEMORY - 8, 64, 0)),
            fatal("an address far away", Counter.NAK_REMOTE_ACCESS_SENT, t -> t.aimed(far, 64, 0)),
            fatal("an address that wraps around", Counter.NAK_REMOTE_ACCESS_SENT,
                t -> t.aimed(-8 - t.pair.b.region.address(), 64, 0)),
            fatal("a length of 4 GB", Counter.NAK_REMOTE_ACCESS_SENT, t ->
            {
                final int length = t.first();
                t.peer.packet.putInt(Bth.SIZE + 12, -1);
                return length;
            }),
            fatal("a length that is not the packet's", Counter.NAK_INVALID_REQUEST_SENT, t ->
            {
                final int length = t.aimed(STREAM, 64, 0);
                t.peer.packet.putInt(Bth.SIZE + 12, 60, ByteOrder.BIG_ENDIAN);
                return length;
            }),
            fatal("a middle without a beginning", Counter.NAK_INVALID_REQUEST_SENT, t ->
            {
                Bth.write(t.peer.packet, 0, Opcode.WRITE_MIDDLE, 0, t.pair.b.queuePair.number(), true,
                    protocol(t.pair.b).expectedPsn());
                return Bth.SIZE + Packets.MAX_MTU + Packets.ICRC_SIZE;
            }),
            fatal("a READ", Counter.NAK_INVALID_REQUEST_SENT, t ->
            {
                t.aimed(0, 0, 0);
                Bth.write(t.peer.packet, 0, Opcode.READ_REQUEST, 0, t.pair.b.queuePair.number(), true,
                    protocol(t.pair.b).expectedPsn());
                return Bth.SIZE + 16 + Packets.ICRC_SIZE;
            }));
    }

    private static Arguments fatal(
        final String name, final Counter reason, final ToIntFunction<AttackTest> packet)
    {
        return arguments(name, reason, packet);
    }

    private int aimed(final long offset, final int length, final int keyOffset)
    {
        return peer.write(pair.b.queuePair.number(), protocol(pair.b).expectedPsn(),
            pair.b.region.address() + offset, pair.b.region.rkey() + keyOffset, length);
    }

    /** The first packet of a longer write. */
    private int first()
    {
        aimed(STREAM, Packets.MAX_MTU, 0);
        Bth.write(peer.packet, 0, Opcode.WRITE_FIRST, 0, pair.b.queuePair.number(), true,
            protocol(pair.b).expectedPsn());
        return Opcode.headerLength(Opcode.WRITE_FIRST) + Packets.MAX_MTU + Packets.ICRC_SIZE;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("deadly")
    void endsTheQueuePairAloneAndPlacesNothing(
        final String name, final Counter reason, final ToIntFunction<AttackTest> packet)
    {
        try (Bystander bystander = new Bystander(pair.b.device))
        {
            bystander.sendAndReceive(pair.b.device);
            transfer();
            pair.b.memory.fill((byte) 0xc5);
            peer.sendRight(packet.applyAsInt(this));
            until("the end of the queue pair, " + name, () -> pair.b.queuePair.state() == QpState.ERR);
            assertThat(pair.b.device.counters().get(reason)).isEqualTo(1);
            // the honest side hears of it when it sends next: at the latest, when its retries have run out
            pair.a.queuePair.addWrite(1, SendFlags.SIGNALED, pair.a.region.address(), 64, pair.a.region.lkey(),
                pair.b.region.address(), pair.b.region.rkey());
            pair.a.queuePair.ringDoorbell();
            for (int i = 0; i < 5; i++)
            {
                bystander.sendAndReceive(pair.b.device);
            }
            assertThat(pair.b.memory.asByteBuffer().order(ByteOrder.nativeOrder()).asLongBuffer()
                .mismatch(filled())).isEqualTo(-1);
        }
    }

    private static LongBuffer filled()
    {
        final LongBuffer words = LongBuffer.allocate(RocePair.MEMORY / Long.BYTES);
        while (words.hasRemaining())
        {
            words.put(0xc5c5_c5c5_c5c5_c5c5L);
        }
        return words.flip();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 20_000})
    void floodsOfCongestionNotificationsSlowAStreamAndDoNotStopIt(final int count)
    {
        try (Attacker victims = new Attacker(pair.b.device.address(), pair.a.device.address()))
        {
            transfer();
            final int length = victims.congestion(pair.a.queuePair.number());
            for (int i = 0; i < count; i++)
            {
                victims.sendRight(length);
                if (i % 64 == 63)
                {
                    transfer();
                }
            }
            final long most = count;
            until("all are counted", () -> pair.a.device.counters().get(Counter.CNP_RECEIVED) >= most);
            assertThat(pair.a.device.counters().get(Counter.CNP_RECEIVED)).isEqualTo(count);
            assertThat(protocol(pair.a).window()).isBetween(1, 128);
            until("the window is open again", () ->
            {
                transfer();
                return protocol(pair.a).window() >= 16;
            });
        }
    }

    @Test
    void aStormOfNaksEndsTheStreamWithItsRetriesAndIsCounted()
    {
        try (Attacker victims = new Attacker(pair.b.device.address(), pair.a.device.address()))
        {
            transfer();
            post();
            pair.a.device.doWork();                                     // b does not look at it
            for (int i = 0; pair.a.queuePair.state() == QpState.RTS && i < 64; i++)
            {
                victims.sendRight(victims.acknowledge(
                    pair.a.queuePair.number(), protocol(pair.a).unacknowledgedPsn(), Aeth.NAK_SEQUENCE));
                final long heard = i + 1L;
                until("a NAK is counted", () -> pair.a.device.doWork() >= 0 &&
                    pair.a.device.counters().get(Counter.NAK_SEQUENCE_RECEIVED) >= heard, false);
            }
            assertThat(pair.a.queuePair.state()).isEqualTo(QpState.ERR);
            assertThat(pair.a.device.counters().get(Counter.RETRY_EXCEEDED)).isEqualTo(1);
            assertThat(pair.a.device.counters().get(Counter.NAK_SEQUENCE_RECEIVED)).isEqualTo(8);
            assertThat(pair.a.sends.poll(completions)).isEqualTo(1);
            assertThat(completions.status(0)).isEqualTo(WcStatus.RETRY_EXC_ERR);
        }
    }

    @Test
    void connectionRequestsFromEverywhereLeaveNothingBehind()
    {
        final int descriptors = descriptors();
        for (int i = 0; i < 300; i++)
        {
            try (Attacker anybody = new Attacker(LoopbackAddress.random(), pair.b.device.address()))
            {
                peer.packet.putInt(0, 0);
                final int length = management(Mad.REQ);
                anybody.packet.putBytes(0, peer.packet, 0, length);
                anybody.sendRight(length);
            }
            if (i % 50 == 0)
            {
                transfer();
            }
        }
        final long all = 300;
        until("all are counted", () -> pair.b.device.counters().get(Counter.DROP_CM) >= all);
        transfer();
        assertThat(pair.b.device.agent().size()).isEqualTo(1);
        assertThat(descriptors()).isEqualTo(descriptors);
    }

    private static int descriptors()
    {
        return new File("/proc/self/fd").list().length;
    }

    private long count(final Counter counter)
    {
        return pair.b.device.counters().get(counter);
    }

    /** Packets dropped for any other reason than that. */
    private long dropsBut(final Counter reason)
    {
        return DROPS.stream().filter(counter -> counter != reason).mapToLong(this::count).sum();
    }

    private void post()
    {
        number++;
        for (int at = 0; at < LENGTH; at += Long.BYTES)
        {
            pair.a.memory.set(ValueLayout.JAVA_LONG, at, number * 1_000_003L + at);
        }
        pair.a.queuePair.addWriteWithImm(number, SendFlags.SIGNALED, pair.a.region.address(), LENGTH,
            pair.a.region.lkey(), pair.b.region.address(), pair.b.region.rkey(), number);
        assertThat(pair.a.queuePair.ringDoorbell()).isZero();
    }

    /** One honest write: arrives once, whole. */
    private void transfer()
    {
        post();
        final boolean[] done = new boolean[2];
        until("write " + number, () ->
        {
            done[0] |= arrived(pair.b.receives.poll(completions), false);
            done[1] |= arrived(pair.a.sends.poll(completions), true);
            return done[0] && done[1];
        });
        assertThat(pair.b.memory.asSlice(0, LENGTH).mismatch(pair.a.memory.asSlice(0, LENGTH))).isEqualTo(-1);
        pair.b.queuePair.addReceive(number, 0, 0, 0);
        pair.b.queuePair.postReceives();
    }

    private boolean arrived(final int count, final boolean sent)
    {
        for (int i = 0; i < count; i++)
        {
            assertThat(completions.status(i)).isEqualTo(WcStatus.SUCCESS);
            assertThat(sent ? completions.wrId(i) : completions.imm(i)).isEqualTo(number);
        }
        return count > 0;
    }

    private void until(final String what, final BooleanSupplier condition)
    {
        until(what, condition, true);
    }

    private void until(final String what, final BooleanSupplier condition, final boolean works)
    {
        final long deadline = System.nanoTime() + PATIENCE;
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - deadline > 0)
            {
                throw new AssertionError("waits until " + what + ": " + pair.a.device.counters() + "; " +
                    pair.b.device.counters());
            }
            if (works)
            {
                pair.a.device.doWork();
                pair.b.device.doWork();
            }
        }
    }
}

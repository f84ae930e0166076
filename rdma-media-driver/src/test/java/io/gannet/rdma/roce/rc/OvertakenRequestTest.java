package io.gannet.rdma.roce.rc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gannet.rdma.Access;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.roce.wire.Packets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Requests that a network brings in another order than they were sent in.
 */
class OvertakenRequestTest
{
    private static final int MEMORY = 1 << 17;
    private static final int MTU = 1024;
    private static final int HOLD = 200_000;

    private final Side sender = new Side(0x21, Tuning.DEFAULT, 1, MEMORY, Access.LOCAL_READ);
    private final Side receiver = new Side(0x22, Tuning.DEFAULT, 1, MEMORY, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
    private final Wire wire = new Wire(new Random(1), 0, 0, 0);
    private final byte[] content = new byte[MEMORY];
    private long now = 1_000_000_000;

    OvertakenRequestTest()
    {
        sender.queuePair.connect(new QpSettings(MTU, 0x22, 5, 9, 14, 3, 3), sender.sink);
        receiver.queuePair.connect(new QpSettings(MTU, 0x21, 9, 5, 14, 3, 3), receiver.sink);
        new Random(7).nextBytes(content);
        sender.fill(0, content);
    }

    /** Packets of one message. */
    private List<byte[]> packets(final int count)
    {
        sender.sends.addWriteWithImm(
            1, SendFlags.SIGNALED, sender.memory.address(), count * MTU, sender.region.lkey(),
            receiver.memory.address(), receiver.region.rkey(), 77);
        sender.sends.ringDoorbell();
        sender.queuePair.work(now, 1_000);
        final List<byte[]> packets = new ArrayList<>();
        for (byte[] packet = sender.sink.poll(); packet != null; packet = sender.sink.poll())
        {
            packets.add(packet);
        }
        return packets;
    }

    private void deliver(final byte[] packet)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(Arrays.copyOf(packet, packet.length + Packets.ICRC_SIZE));
        receiver.queuePair.onPacket(buffer, 0, buffer.capacity(), now);
    }

    private void turns(final long nanos)
    {
        for (long end = now + nanos; now < end; now += 5_000)
        {
            receiver.queuePair.work(now, 1_000);
            wire.take(receiver, sender, now);
            wire.deliver(now);
            sender.queuePair.work(now, 1_000);
            wire.take(sender, receiver, now);
        }
    }

    private void assertWhole(final int count)
    {
        assertThat(receiver.pollReceives()).extracting(Side.Wc::status, Side.Wc::imm, Side.Wc::length)
            .containsExactly(tuple(WcStatus.SUCCESS, 77, count * MTU));
        assertThat(receiver.read(0, count * MTU)).isEqualTo(Arrays.copyOf(content, count * MTU));
        assertThat(sender.pollSends()).extracting(Side.Wc::status).containsExactly(WcStatus.SUCCESS);
    }

    @Test
    void nothingIsAskedForAgainIfTheMissingOneComesSoon()
    {
        receiver.postReceives(4, 64);
        final int count = HeldPackets.MOST + 1;
        final List<byte[]> packets = packets(count);
        assertThat(packets).hasSize(count);
        for (int i = count - 1; i > 0; i--)
        {
            deliver(packets.get(i));
            deliver(packets.get(i));
        }
        turns(HOLD - 10_000);
        assertThat(receiver.queuePair.isQuiet()).isFalse();
        assertThat(receiver.pollReceives()).isEmpty();

        deliver(packets.getFirst());
        turns(100_000);

        assertWhole(count);
        assertThat(receiver.queuePair.isQuiet()).isTrue();
        assertThat(receiver.counters.get(Counter.NAK_SEQUENCE_SENT)).isZero();
        assertThat(sender.counters.get(Counter.PACKETS_RESENT)).isZero();
    }

    @Test
    void twoMissingOnesAreWaitedForOneAfterTheOther()
    {
        receiver.postReceives(4, 64);
        final List<byte[]> packets = packets(6);
        for (final int i : new int[]{ 0, 2, 5, 4, 1, 3 })
        {
            deliver(packets.get(i));
        }
        turns(100_000);
        assertWhole(6);
        assertThat(receiver.counters.get(Counter.NAK_SEQUENCE_SENT)).isZero();
    }

    @Test
    void whatDoesNotComeIsAskedForOnceAndOnlyThatIsMissed()
    {
        receiver.postReceives(4, 64);
        final List<byte[]> packets = packets(6);
        deliver(packets.get(0));
        for (int i = 2; i < 6; i++)
        {
            deliver(packets.get(i));
        }
        turns(HOLD);
        turns(100_000);
        assertWhole(6);
        assertThat(receiver.counters.get(Counter.NAK_SEQUENCE_SENT)).isEqualTo(1);
    }

    @Test
    void moreThanCanBeKeptIsAskedForAtOnce()
    {
        receiver.postReceives(4, 64);
        final List<byte[]> packets = packets(HeldPackets.MOST + 3);
        for (int i = 1; i < packets.size(); i++)
        {
            deliver(packets.get(i));
        }
        receiver.queuePair.work(now, 1_000);
        assertThat(receiver.counters.get(Counter.NAK_SEQUENCE_SENT)).isEqualTo(1);
        turns(100_000);
        assertWhole(HeldPackets.MOST + 3);
    }

    @Test
    void withoutAReceiveAllComesAgain()
    {
        final List<byte[]> packets = packets(2);
        deliver(packets.get(1));
        deliver(packets.get(0));
        receiver.queuePair.work(now, 1);
        assertThat(receiver.counters.get(Counter.RNR_NAK_SENT)).isEqualTo(1);
        assertThat(receiver.queuePair.isQuiet()).isTrue();

        receiver.postReceives(4, 64);
        turns(1_000_000);
        assertWhole(2);
    }
}

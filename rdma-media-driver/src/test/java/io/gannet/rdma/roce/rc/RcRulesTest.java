package io.gannet.rdma.roce.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.Access;
import io.gannet.rdma.AsyncEventType;
import io.gannet.rdma.Errno;
import io.gannet.rdma.QpState;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.WcOpcode;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.roce.wire.Aeth;
import io.gannet.rdma.roce.wire.Bth;
import io.gannet.rdma.roce.wire.Packets;
import java.util.List;
import java.util.Random;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rules that no capture shows, on a wire that loses nothing.
 */
class RcRulesTest
{
    private static final int MEMORY = 1 << 16;
    private static final Tuning TUNING = new Tuning(64, true, false, 8, false, true, false);

    private final Side sender = new Side(0x21, TUNING, 1, MEMORY, Access.LOCAL_READ);
    private final Side receiver = new Side(0x22, TUNING, 1, MEMORY, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
    private final Wire wire = new Wire(new Random(1), 0, 0, 0);
    private long now;

    RcRulesTest()
    {
        sender.queuePair.connect(new QpSettings(1024, 0x22, 5, 9, 14, 3, 3), sender.sink);
        receiver.queuePair.connect(new QpSettings(1024, 0x21, 9, 5, 14, 3, 3), receiver.sink);
    }

    @Test
    void aRangeBeyondTheRegionIsRefusedAndNothingIsWritten()
    {
        for (final long address : new long[]{ MEMORY - 7, -1, MEMORY, Long.MIN_VALUE, -8 })
        {
            final RcRulesTest fresh = new RcRulesTest();
            fresh.sender.fill(0, new byte[]{ 1, 2, 3, 4, 5, 6, 7, 8 });
            fresh.write(1, 8, fresh.receiver.memory.address() + address, fresh.receiver.region.rkey());
            fresh.exchange();
            assertThat(fresh.sender.pollSends()).extracting(Side.Wc::status).containsExactly(WcStatus.REM_ACCESS_ERR);
            assertThat(fresh.receiver.queuePair.state()).isEqualTo(QpState.ERR);
            assertThat(fresh.receiver.events).containsExactly(AsyncEventType.QP_ACCESS_ERR);
            assertThat(fresh.receiver.read(MEMORY - 8, 8)).containsOnly(0);
            assertThat(fresh.receiver.counters.get(Counter.NAK_REMOTE_ACCESS_SENT)).isEqualTo(1);
        }
    }

    @Test
    void anotherDomainsRegionIsRefused()
    {
        final Region other = receiver.regions.register(
            receiver.memory.address(), MEMORY, Access.LOCAL_WRITE | Access.REMOTE_WRITE, new Object());
        write(1, 8, receiver.memory.address(), other.rkey());
        exchange();
        assertThat(sender.pollSends()).extracting(Side.Wc::status).containsExactly(WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void aRegionWithoutRemoteWriteIsRefusedEvenByItsLocalKey()
    {
        final Region local = receiver.regions.register(
            receiver.memory.address(), MEMORY, Access.LOCAL_WRITE, Side.DOMAIN);
        assertThat(local.rkey()).isZero();
        write(1, 8, receiver.memory.address(), local.lkey());
        exchange();
        assertThat(sender.pollSends()).extracting(Side.Wc::status).containsExactly(WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void aRegionThatGoesAwayInMidMessageTakesNoMoreBytes()
    {
        sender.fill(0, filled(4096));
        write(1, 4096, receiver.memory.address(), receiver.region.rkey());
        sender.queuePair.work(now, 2);
        wire.take(sender, receiver, now);
        now += 20_000;
        wire.deliver(now);
        assertThat(receiver.read(2040, 16)).startsWith(1, 1, 1, 1, 1, 1, 1, 1).endsWith(0, 0, 0, 0, 0, 0, 0, 0);
        receiver.regions.deregister(receiver.region);
        exchange();
        assertThat(sender.pollSends()).extracting(Side.Wc::status).containsExactly(WcStatus.REM_ACCESS_ERR);
        assertThat(receiver.read(2048, 2048)).containsOnly(0);
    }

    @Test
    void nothingIsPlacedAfterTheErrorState()
    {
        sender.fill(0, filled(64));
        receiver.postReceives(3, 64);
        receiver.queuePair.toError();
        write(1, 64, receiver.memory.address(), receiver.region.rkey());
        exchange();
        assertThat(receiver.read(0, 64)).containsOnly(0);
        assertThat(receiver.pollReceives()).extracting(Side.Wc::status)
            .containsExactly(WcStatus.WR_FLUSH_ERR, WcStatus.WR_FLUSH_ERR, WcStatus.WR_FLUSH_ERR);
        assertThat(receiver.counters.get(Counter.DROP_QP_STATE)).isPositive();
    }

    @Test
    void afterAnErrorEverythingFlushesInOrderAndLaterPostsToo()
    {
        write(1, 8, receiver.memory.address(), ~receiver.region.rkey());
        sender.sends.addWrite(2, 0, sender.memory.address(), 8, sender.region.lkey(), 0, 0);
        sender.sends.addWrite(3, 0, sender.memory.address(), 8, sender.region.lkey(), 0, 0);
        sender.sends.ringDoorbell();
        exchange();
        sender.sends.addWrite(4, 0, sender.memory.address(), 8, sender.region.lkey(), 0, 0);
        assertThat(sender.sends.ringDoorbell()).isZero();
        sender.queuePair.work(now, 1);
        final List<Side.Wc> completions = sender.pollSends();
        assertThat(completions).extracting(Side.Wc::wrId).containsExactly(1L, 2L, 3L, 4L);
        assertThat(completions).extracting(Side.Wc::status).containsExactly(
            WcStatus.REM_ACCESS_ERR, WcStatus.WR_FLUSH_ERR, WcStatus.WR_FLUSH_ERR, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    void aWrongLocalKeyFailsAtTheSenderAlone()
    {
        write(1, 8, receiver.memory.address(), receiver.region.rkey());
        sender.sends.addWrite(2, 0, sender.memory.address(), 8, ~sender.region.lkey(), 0, 0);
        sender.sends.ringDoorbell();
        exchange();
        assertThat(sender.pollSends()).extracting(Side.Wc::status)
            .containsExactly(WcStatus.SUCCESS, WcStatus.LOC_PROT_ERR);
        assertThat(receiver.queuePair.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void aWriteOfNoBytesNeedsNoKey()
    {
        receiver.postReceives(1, 0);
        sender.sends.addWriteWithImm(1, SendFlags.SIGNALED, 0, 0, 0, 0, 0, 77);
        sender.sends.ringDoorbell();
        exchange();
        assertThat(receiver.pollReceives()).containsExactly(
            new Side.Wc(0, WcStatus.SUCCESS, WcOpcode.RECV_RDMA_WITH_IMM, 0, 77));
        assertThat(sender.pollSends()).extracting(Side.Wc::status).containsExactly(WcStatus.SUCCESS);
    }

    @Test
    void aSilentPeerEndsTheQueuePairAfterItsRetries()
    {
        write(1, 8, receiver.memory.address(), receiver.region.rkey());
        for (int i = 0; i < 4; i++)
        {
            sender.queuePair.work(now, 10);
            assertThat(sender.sink.poll()).as("transmission %d", i).isNotNull();
            now += 68_000_000;
        }
        sender.queuePair.work(now, 10);
        assertThat(sender.pollSends()).extracting(Side.Wc::status).containsExactly(WcStatus.RETRY_EXC_ERR);
        assertThat(sender.queuePair.state()).isEqualTo(QpState.ERR);
    }

    @Test
    void aFullSendQueueRefusesUntilACompletionIsPolled()
    {
        for (int i = 0; i < Side.DEPTH; i++)
        {
            sender.sends.addWrite(i, i == Side.DEPTH - 1 ? SendFlags.SIGNALED : 0, 0, 0, 0, 0, 0);
        }
        sender.sends.addWrite(-1, 0, 0, 0, 0, 0, 0);
        assertThat(sender.sends.ringDoorbell()).isEqualTo(Errno.ENOMEM);
        assertThat(sender.sends.accepted()).isEqualTo(Side.DEPTH);
        exchange();
        assertThat(sender.queuePair.isDrained()).isTrue();
        sender.sends.addWrite(-1, 0, 0, 0, 0, 0, 0);
        assertThat(sender.sends.ringDoorbell()).as("not polled yet").isEqualTo(Errno.ENOMEM);
        assertThat(sender.pollSends()).hasSize(1);
        sender.sends.addWrite(-1, 0, 0, 0, 0, 0, 0);
        assertThat(sender.sends.ringDoorbell()).isZero();
    }

    @Test
    void inlineBytesMayChangeAfterTheDoorbell()
    {
        sender.fill(0, filled(8));
        sender.sends.addWrite(
            1, SendFlags.INLINE, sender.memory.address(), 8, 0, receiver.memory.address(), receiver.region.rkey());
        sender.sends.ringDoorbell();
        sender.fill(0, new byte[8]);
        exchange();
        assertThat(receiver.read(0, 8)).containsOnly(1);
        sender.sends.addWrite(1, SendFlags.INLINE, sender.memory.address(), Side.INLINE + 1, 0, 0, 0);
        assertThat(sender.sends.ringDoorbell()).isEqualTo(Errno.EINVAL);
    }

    @Test
    void anOverfullCompletionQueueIsReportedOnceAndEndsTheQueuePair()
    {
        for (int i = 0; i < 2; i++)
        {
            for (int j = 0; j < Side.DEPTH; j++)
            {
                // unsignaled requests of another life of the ring: only the ring is used up
                sender.sendCompletions.addSend(sender.sends, 0, 0, WcStatus.SUCCESS, 0, 0);
            }
        }
        write(1, 8, receiver.memory.address(), receiver.region.rkey());
        exchange();
        assertThat(sender.events).containsExactly(AsyncEventType.CQ_ERR);
        assertThat(sender.queuePair.state()).isEqualTo(QpState.ERR);
        assertThat(sender.sendCompletions.isOverrun()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = { 0, 1, 3 })
    void withoutCreditsOneMessageIsOnTheWay(final int credits)
    {
        for (int i = 0; i < 10; i++)
        {
            sender.sends.addWriteWithImm(i, 0, 0, 0, 0, 0, 0, i);
        }
        sender.sends.ringDoorbell();
        sender.queuePair.work(now, 1);
        assertThat(sender.sink.size()).isEqualTo(1);
        sender.sink.poll();
        final UnsafeBuffer ack = new UnsafeBuffer(new byte[20]);
        Bth.write(ack, 0, 0x11, 0, 0x21, false, 5);
        Aeth.write(ack, Bth.SIZE, credits, 1);
        sender.queuePair.onPacket(ack, 0, 20, now);
        sender.queuePair.work(now, 100);
        assertThat(sender.sink.size()).isEqualTo(Math.max(1, credits));
    }

    @Test
    void answersWaitForRoomInTheSocket()
    {
        receiver.sink.room(0);
        write(1, 8, receiver.memory.address(), receiver.region.rkey());
        sender.queuePair.work(now, 1);
        wire.take(sender, receiver, now);
        now += 20_000;
        wire.deliver(now);
        assertThat(receiver.sink.size()).isZero();
        receiver.sink.room(1);
        receiver.queuePair.work(now, 1);
        assertThat(receiver.sink.size()).isEqualTo(1);
    }

    @Test
    void anAcknowledgeOfAFewPacketsWaitsATurnAndNoLongerThanEightPackets()
    {
        for (int i = 0; i < 9; i++)
        {
            write(i, 8, receiver.memory.address(), receiver.region.rkey());
        }
        sender.queuePair.work(now, 9);
        deliverOne();
        receiver.queuePair.work(now, 1, true);
        assertThat(receiver.sink.size()).as("acknowledges in the turn of the packet").isZero();
        receiver.queuePair.work(now, 1, true);
        assertThat(receiver.sink.size()).as("acknowledges in the next turn").isEqualTo(1);
        for (int i = 1; i <= 8; i++)
        {
            deliverOne();
            receiver.queuePair.work(now, 1, true);
            assertThat(receiver.sink.size()).as("acknowledges after packet %d in a row", i).isEqualTo(i < 8 ? 1 : 2);
        }
    }

    private void deliverOne()
    {
        final byte[] bytes = sender.sink.poll();
        final UnsafeBuffer packet = new UnsafeBuffer(Arrays.copyOf(bytes, bytes.length + Packets.ICRC_SIZE));
        receiver.queuePair.onPacket(packet, 0, packet.capacity(), now);
    }

    @Test
    void acknowledgesOfWhatWasNeverSentAreDropped()
    {
        write(1, 8, receiver.memory.address(), receiver.region.rkey());
        sender.queuePair.work(now, 1);
        for (final int psn : new int[]{ 4, 6, 7, 1 << 23 })
        {
            final UnsafeBuffer ack = new UnsafeBuffer(new byte[20]);
            Bth.write(ack, 0, 0x11, 0, 0x21, false, psn);
            Aeth.write(ack, Bth.SIZE, psn == 7 ? Aeth.NAK_REMOTE_ACCESS : Aeth.ACK, 1);
            sender.queuePair.onPacket(ack, 0, 20, now);
        }
        assertThat(sender.counters.get(Counter.DROP_STALE_ACK)).isEqualTo(4);
        assertThat(sender.queuePair.state()).isEqualTo(QpState.RTS);
        assertThat(sender.pollSends()).isEmpty();
    }

    private void write(final long wrId, final int length, final long remote, final int rkey)
    {
        sender.sends.addWrite(
            wrId, SendFlags.SIGNALED, sender.memory.address(), length, sender.region.lkey(), remote, rkey);
        assertThat(sender.sends.ringDoorbell()).isZero();
    }

    private void exchange()
    {
        for (int i = 0; i < 100; i++)
        {
            now += 20_000;
            sender.queuePair.work(now, 64);
            wire.take(sender, receiver, now);
            wire.deliver(now);
            receiver.queuePair.work(now, 64);
            wire.take(receiver, sender, now);
        }
    }

    private static byte[] filled(final int length)
    {
        final byte[] bytes = new byte[length];
        java.util.Arrays.fill(bytes, (byte) 1);
        return bytes;
    }
}

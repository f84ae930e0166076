package io.gannet.rdma.roce.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.Access;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.roce.wire.Bth;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Which packets ask for an acknowledge when not every message does.
 */
class AckRequestTest
{
    private static final int MEMORY = 1 << 16;
    private static final int UNASKED = 200_000;

    private final Side sender = new Side(0x21, Tuning.DEFAULT, 1, MEMORY, Access.LOCAL_READ);
    private final Side receiver = new Side(0x22, Tuning.DEFAULT, 1, MEMORY, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
    private final Wire wire = new Wire(new Random(1), 0, 0, 0);
    private long now = 1_000_000_000;

    AckRequestTest()
    {
        sender.queuePair.connect(new QpSettings(1024, 0x22, 5, 9, 14, 3, 3), sender.sink);
        receiver.queuePair.connect(new QpSettings(1024, 0x21, 9, 5, 14, 3, 3), receiver.sink);
    }

    private void post(final long wrId, final int flags)
    {
        sender.sends.addWrite(
            wrId, flags, sender.memory.address(), 64, sender.region.lkey(), receiver.memory.address(),
            receiver.region.rkey());
        sender.sends.ringDoorbell();
    }

    /** Which packets of a turn ask, by PSN. */
    private List<Boolean> turn()
    {
        sender.queuePair.work(now, 1_000);
        final List<Boolean> asks = new ArrayList<>();
        for (byte[] packet = sender.sink.poll(); packet != null; packet = sender.sink.poll())
        {
            asks.add(Bth.ackRequest(new UnsafeBuffer(packet), 0));
        }
        return asks;
    }

    private void exchange(final long nanos)
    {
        for (long end = now + nanos; now < end; now += 5_000)
        {
            sender.queuePair.work(now, 1_000);
            receiver.queuePair.work(now, 1_000);
            wire.take(sender, receiver, now);
            wire.take(receiver, sender, now);
            wire.deliver(now);
        }
    }

    @Test
    void onlySignaledRequestsAskWhenTheyFollowEachOther()
    {
        post(1, 0);
        post(2, SendFlags.SIGNALED);
        post(3, 0);
        assertThat(turn()).containsExactly(false, true, false);
    }

    @Test
    void noPacketIsOnTheWayForLongWithoutOneThatAsks()
    {
        final List<Boolean> asks = new ArrayList<>();
        for (int i = 0; i < 9; i++)
        {
            post(i, 0);
            asks.addAll(turn());
            now += UNASKED / 4;
        }
        assertThat(asks).containsExactly(false, false, false, false, true, false, false, false, true);
    }

    @Test
    void beforeTheWindowIsFullAPacketAsks()
    {
        for (int i = 0; i < 100; i++)
        {
            post(i, 0);
        }
        final List<Boolean> asks = turn();
        assertThat(asks).hasSize(sender.queuePair.window());
        assertThat(asks.subList(0, asks.size() - 1)).contains(true);
        assertThat(asks.getLast()).isTrue();
    }

    @Test
    void behindTheLastRequestSilenceAsksOnceAndNothingIsExecutedTwice()
    {
        post(1, 0);
        post(2, 0);
        exchange(UNASKED - 10_000);
        assertThat(sender.queuePair.isDrained()).isFalse();
        assertThat(receiver.counters.get(Counter.ACKS_SENT)).isZero();

        exchange(100_000);

        assertThat(sender.queuePair.isDrained()).isTrue();
        assertThat(sender.counters.get(Counter.PACKETS_RESENT)).isEqualTo(1);
        assertThat(receiver.counters.get(Counter.DUPLICATE_REQUESTS)).isEqualTo(1);
        assertThat(receiver.counters.get(Counter.ACKS_SENT)).isEqualTo(1);
        assertThat(sender.counters.get(Counter.TIMEOUTS)).isZero();
        exchange(10 * UNASKED);
        assertThat(sender.counters.get(Counter.PACKETS_RESENT)).isEqualTo(1);
        assertThat(sender.pollSends()).isEmpty();
    }

    @Test
    void aLostLastPacketComesAgainByTheQuestion()
    {
        post(1, 0);
        post(2, 0);
        sender.queuePair.work(now, 1);
        wire.take(sender, receiver, now);
        sender.queuePair.work(now, 1);
        assertThat(sender.sink.poll()).as("lost").isNotNull();
        exchange(2 * UNASKED);
        assertThat(sender.queuePair.isDrained()).isTrue();
        assertThat(receiver.queuePair.expectedPsn()).isEqualTo(7);
        assertThat(sender.counters.get(Counter.TIMEOUTS)).isZero();
        post(3, SendFlags.SIGNALED);
        exchange(100_000);
        assertThat(sender.pollSends()).extracting(Side.Wc::status).containsExactly(WcStatus.SUCCESS);
    }
}

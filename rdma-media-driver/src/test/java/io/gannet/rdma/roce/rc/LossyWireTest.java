package io.gannet.rdma.roce.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.Access;
import io.gannet.rdma.QpState;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.WcOpcode;
import io.gannet.rdma.WcStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requester against responder over a wire that loses, copies and reorders: every message once, in order, its bytes in
 * place, whatever the sizes, path MTU, receives and tuning.
 */
class LossyWireTest
{
    private static final int MEMORY = 1 << 18;
    private static final int MESSAGES = 150;
    private static final int RECEIVE_SIZE = 1 << 14;
    private static final long STEP = 20_000;
    private static final int STEPS = 2_000_000;

    static LongStream seeds()
    {
        return LongStream.range(0, Long.getLong("gannet.test.seeds", 100));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyMessageArrivesOnceAndInOrder(final long seed)
    {
        final Random random = new Random(seed);
        final Tuning tuning = new Tuning(
            1 + random.nextInt(200), random.nextBoolean(), random.nextBoolean(), 1 + random.nextInt(40),
            random.nextBoolean(), random.nextBoolean(), random.nextBoolean());
        final int mtu = 256 << random.nextInt(5);
        final Side sender = new Side(0x11, tuning, 1, MEMORY, Access.LOCAL_READ);
        final Side receiver = new Side(0x12, tuning, 1, MEMORY, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        final int forward = random.nextInt(1 << 24);
        final int back = random.nextInt(1 << 24);
        sender.queuePair.connect(new QpSettings(mtu, 0x12, forward, back, 10, 7, 7), sender.sink);
        receiver.queuePair.connect(new QpSettings(mtu, 0x11, back, forward, 10, 7, 7), receiver.sink);
        final byte[] content = new byte[MEMORY];
        random.nextBytes(content);
        sender.fill(0, content);

        final Wire wire = new Wire(random, random.nextInt(6) / 100.0, random.nextInt(6) / 100.0,
            random.nextInt(6) / 100.0);
        final List<Integer> expected = new ArrayList<>();
        final List<Side.Wc> received = new ArrayList<>();
        int receives = 0;
        int posted = 0;
        long completed = 0;
        long now = 0;
        for (int step = 0; step < STEPS && (completed < MESSAGES || received.size() < expected.size()); step++)
        {
            now += STEP;
            if (posted < MESSAGES && random.nextInt(3) == 0)
            {
                post(sender, receiver, random, posted++, expected);
            }
            if (receives - received.size() < 8 && random.nextInt(10) == 0)
            {
                receiver.receives.add(receives++, receiver.memory.address(), RECEIVE_SIZE, receiver.region.lkey());
                receiver.receives.post();
            }
            final int burst = 1 + random.nextInt(30);
            sender.queuePair.work(now, burst);
            wire.take(sender, receiver, now);
            wire.deliver(now);
            receiver.queuePair.work(now, burst);
            wire.take(receiver, sender, now);
            completed += sender.pollSends().stream().filter(wc -> wc.status() == WcStatus.SUCCESS).count();
            received.addAll(receiver.pollReceives());
            if (sender.queuePair.state() == QpState.ERR)
            {
                break;
            }
        }
        assertThat(sender.queuePair.state()).as("seed %d, lost %d: %s", seed, wire.lost(), sender.counters)
            .isEqualTo(QpState.RTS);
        assertThat(completed).as("seed %d: %s", seed, sender.counters).isEqualTo(MESSAGES);
        assertThat(received).extracting(Side.Wc::imm).as("seed %d", seed).isEqualTo(expected);
        assertThat(received).allMatch(wc -> wc.status() == WcStatus.SUCCESS);
        verifyWrites(seed, receiver, content, received);
    }

    /** Writes go to where they came from, with an offset, in the upper half; sends into the lower. */
    private static void post(
        final Side sender, final Side receiver, final Random random, final int number, final List<Integer> expected)
    {
        final int length = switch (random.nextInt(4))
        {
            case 0 -> 0;
            case 1 -> random.nextInt(64);
            case 2 -> random.nextInt(2_000);
            default -> random.nextInt(RECEIVE_SIZE);
        };
        final int from = MEMORY / 2 + random.nextInt(MEMORY / 2 - RECEIVE_SIZE);
        final long local = sender.memory.address() + from;
        final long remote = receiver.memory.address() + from;
        final int lkey = sender.region.lkey();
        final int rkey = receiver.region.rkey();
        final int flags = SendFlags.SIGNALED | (length <= Side.INLINE ? SendFlags.INLINE : 0);
        switch (random.nextInt(3))
        {
            case 0 -> sender.sends.addWrite(number, flags, local, length, lkey, remote, rkey);
            case 1 ->
            {
                sender.sends.addWriteWithImm(number, flags, local, length, lkey, remote, rkey, from);
                expected.add(from);
            }
            default ->
            {
                sender.sends.addSend(number, flags, local, length, lkey);
                expected.add(0);
            }
        }
        assertThat(sender.sends.ringDoorbell()).isZero();
    }

    private static void verifyWrites(
        final long seed, final Side receiver, final byte[] content, final List<Side.Wc> received)
    {
        for (final Side.Wc wc : received)
        {
            if (wc.opcode() == WcOpcode.RECV_RDMA_WITH_IMM)
            {
                assertThat(receiver.read(wc.imm(), wc.length())).as("seed %d", seed)
                    .isEqualTo(Arrays.copyOfRange(content, wc.imm(), wc.imm() + wc.length()));
            }
        }
    }
}

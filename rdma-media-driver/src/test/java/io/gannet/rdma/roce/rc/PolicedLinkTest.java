package io.gannet.rdma.roce.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.rdma.Access;
import io.gannet.rdma.QpState;
import io.gannet.rdma.SendFlags;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.stream.LongStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two flows through a link that drops what exceeds its rate, under virtual time: they share it, use most of it, and do
 * not go on sending into the loss.
 */
class PolicedLinkTest
{
    private static final int MESSAGE = 8_000;
    private static final int MTU = 1024;
    private static final int WINDOW = 128;
    private static final long STEP = 50_000;
    private static final long ROUND_TRIP = 2_000_000;
    private static final long DURATION = 4_000_000_000L;
    private static final double BYTES_PER_NANO = 0.0125;            // 100 Mbit/s
    private static final double BUCKET = 48 * 1024;

    private final Flow first;
    private final Flow second;
    private final Deque<Flight> flights = new ArrayDeque<>();
    private double tokens = BUCKET;
    private long sent;
    private long dropped;

    PolicedLinkTest()
    {
        first = new Flow(0x31);
        second = new Flow(0x41);
    }

    static LongStream seeds()
    {
        return LongStream.range(0, 3);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void twoFlowsShareALinkThatPolices(final long seed)
    {
        final Random random = new Random(seed);
        for (long now = 0; now < DURATION; now += STEP)
        {
            tokens = Math.min(BUCKET, tokens + STEP * BYTES_PER_NANO);
            final boolean turned = random.nextBoolean();
            turn(turned ? second : first, now);
            turn(turned ? first : second, now);
            deliver(now);
        }
        final double capacity = DURATION * BYTES_PER_NANO;
        final double total = (double) (first.received + second.received) * MESSAGE;
        assertThat(first.sender.queuePair.state()).isEqualTo(QpState.RTS);
        assertThat(second.sender.queuePair.state()).isEqualTo(QpState.RTS);
        assertThat((double) Math.max(first.received, second.received) / Math.min(first.received, second.received))
            .as("seed %d: share of %d and %d messages", seed, first.received, second.received).isLessThan(2);
        assertThat(total / capacity).as("seed %d: use of the link", seed).isGreaterThan(0.5);
        assertThat((double) dropped / sent).as("seed %d: loss", seed).isLessThan(0.1);
    }

    private void turn(final Flow flow, final long now)
    {
        flow.post();
        flow.sender.queuePair.work(now, WINDOW);
        for (byte[] packet = flow.sender.sink.poll(); packet != null; packet = flow.sender.sink.poll())
        {
            sent++;
            if (tokens >= packet.length)
            {
                tokens -= packet.length;
                flights.add(new Flight(flow.receiver, now + ROUND_TRIP / 2, packet));
            }
            else
            {
                dropped++;
            }
        }
        flow.receiver.queuePair.work(now, WINDOW);
        for (byte[] packet = flow.receiver.sink.poll(); packet != null; packet = flow.receiver.sink.poll())
        {
            flights.add(new Flight(flow.sender, now + ROUND_TRIP / 2, packet));
        }
        flow.drain();
    }

    private void deliver(final long now)
    {
        while (!flights.isEmpty() && flights.peek().at <= now)
        {
            final Flight flight = flights.poll();
            final UnsafeBuffer buffer = new UnsafeBuffer(new byte[flight.packet.length + 4]);
            buffer.putBytes(0, flight.packet);
            flight.to.queuePair.onPacket(buffer, 0, buffer.capacity(), now);
        }
    }

    /** A sender that always has something to send, and its receiver. */
    private static final class Flow
    {
        private final Side sender;
        private final Side receiver;
        private int outstanding;
        private long received;

        Flow(final int qpn)
        {
            sender = new Side(qpn, Tuning.DEFAULT, 1, MESSAGE, Access.LOCAL_READ);
            receiver = new Side(qpn + 1, Tuning.DEFAULT, 1, MESSAGE, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
            sender.queuePair.connect(new QpSettings(MTU, qpn + 1, 0, 0, 14, 6, 6), sender.sink);
            receiver.queuePair.connect(new QpSettings(MTU, qpn, 0, 0, 14, 6, 6), receiver.sink);
            receiver.postReceives(Side.DEPTH, 0);
        }

        void post()
        {
            while (outstanding < 64)
            {
                outstanding++;
                sender.sends.addWriteWithImm(
                    0, SendFlags.SIGNALED, sender.memory.address(), MESSAGE, sender.region.lkey(),
                    receiver.memory.address(), receiver.region.rkey(), 0);
                sender.sends.ringDoorbell();
            }
        }

        void drain()
        {
            outstanding -= sender.pollSends().size();
            final int count = receiver.pollReceives().size();
            received += count;
            receiver.postReceives(count, 0);
        }
    }

    /** A packet on its way. */
    private record Flight(Side to, long at, @SuppressWarnings("ArrayRecordComponent") byte[] packet)
    {
    }
}

package io.gannet.rdma.roce.rc;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Carries packets between two sides under virtual time, and loses, copies and reorders some of them, from a seed.
 */
final class Wire
{
    private static final long DELAY = 10_000;

    private final Random random;
    private final double loss;
    private final double copy;
    private final double late;
    private final List<Flight> flights = new ArrayList<>();
    private final List<Side> hurt = new ArrayList<>();
    private long lost;

    Wire(final Random random, final double loss, final double copy, final double late)
    {
        this.random = random;
        this.loss = loss;
        this.copy = copy;
        this.late = late;
    }

    long lost()
    {
        return lost;
    }

    /** Takes what {@code from} has sent. */
    void take(final Side from, final Side to, final long now)
    {
        for (byte[] packet = from.sink.poll(); packet != null; packet = from.sink.poll())
        {
            if (random.nextDouble() < loss)
            {
                lost++;
                continue;
            }
            final int copies = random.nextDouble() < copy ? 2 : 1;
            for (int i = 0; i < copies; i++)
            {
                final long extra = random.nextDouble() < late ? random.nextInt(200_000) : 0;
                flights.add(new Flight(to, now + DELAY + extra, packet));
            }
        }
    }

    /** Delivers what is due. */
    void deliver(final long now)
    {
        hurt.clear();
        for (int i = 0; i < flights.size(); i++)
        {
            final Flight flight = flights.get(i);
            if (flight.at <= now)
            {
                flights.remove(i--);
                final UnsafeBuffer buffer = new UnsafeBuffer(new byte[flight.packet.length + 4]);
                buffer.putBytes(0, flight.packet);
                flight.to.queuePair.onPacket(buffer, 0, buffer.capacity(), now);
                hurt.add(flight.to);
            }
        }
        hurt.forEach(side -> side.queuePair.flushAnswers());
    }

    /** A packet on its way. */
    private record Flight(Side to, long at, @SuppressWarnings("ArrayRecordComponent") byte[] packet)
    {
    }
}

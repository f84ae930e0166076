package io.gannet.perf.peer;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import io.gannet.perf.worker.Scenario;
import java.util.HashMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The Disruptor inside one process: preallocated events with a byte payload that the publisher copies into and a poller
 * for each subscription. It has as many slots as the other peers' rings have room for messages, rounded down to a power
 * of two.
 */
final class DisruptorPeer extends Peer
{
    private static final int HEADER = 32;

    private final Scenario scenario;
    private final Map<Integer, RingBuffer<Event>> rings = new HashMap<>();

    DisruptorPeer(final Scenario scenario)
    {
        this.scenario = scenario;
    }

    @Override
    public Sender sender(final int stream, final int ringBytes)
    {
        return new DisruptorSender(ring(stream, ringBytes));
    }

    @Override
    public Receiver receiver(final int stream, final int ringBytes, final MessageHandler handler)
    {
        return new DisruptorReceiver(ring(stream, ringBytes), handler);
    }

    @Override
    public Sender warmUpSender(final int stream, final int ringBytes)
    {
        return sender(stream, ringBytes);
    }

    @Override
    public Receiver warmUpReceiver(final int stream, final int ringBytes, final MessageHandler handler)
    {
        return receiver(stream, ringBytes, handler);
    }

    @Override
    public void close()
    {
        rings.clear();
    }

    private RingBuffer<Event> ring(final int stream, final int ringBytes)
    {
        final int size = scenario.size();
        final int slots = Integer.highestOneBit(ringBytes / (size + HEADER));
        return rings.computeIfAbsent(stream, key -> scenario.exclusive() ?
            RingBuffer.createSingleProducer(() -> new Event(size), slots, new BusySpinWaitStrategy()) :
            RingBuffer.createMultiProducer(() -> new Event(size), slots, new BusySpinWaitStrategy()));
    }

    private static final class Event
    {
        private final UnsafeBuffer payload;
        private int length;

        Event(final int size)
        {
            payload = new UnsafeBuffer(new byte[size]);
        }
    }

    private static final class DisruptorSender extends Sender
    {
        private final RingBuffer<Event> ring;

        DisruptorSender(final RingBuffer<Event> ring)
        {
            this.ring = ring;
        }

        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length)
        {
            final long sequence;
            try
            {
                sequence = ring.tryNext();
            }
            catch (final InsufficientCapacityException e)
            {
                return false;
            }
            final Event event = ring.get(sequence);
            event.length = length;
            event.payload.putBytes(0, buffer, offset, length);
            ring.publish(sequence);
            return true;
        }

        @Override
        public boolean connected()
        {
            return true;
        }
    }

    private static final class DisruptorReceiver extends Receiver implements EventPoller.Handler<Event>
    {
        private final EventPoller<Event> poller;
        private final MessageHandler handler;
        private final PolledState state = new PolledState();

        DisruptorReceiver(final RingBuffer<Event> ring, final MessageHandler handler)
        {
            poller = ring.newPoller();
            ring.addGatingSequences(poller.getSequence());
            this.handler = handler;
        }

        @Override
        public int poll(final int most)
        {
            state.polled = 0;
            state.limit = most;
            try
            {
                poller.poll(this);
            }
            catch (final RuntimeException e)
            {
                throw e;
            }
            catch (final Exception e)
            {
                throw new IllegalStateException(e);
            }
            return (int) state.polled;
        }

        @Override
        public boolean onEvent(final Event event, final long sequence, final boolean endOfBatch)
        {
            handler.onMessage(event.payload, 0, event.length);
            return ++state.polled < state.limit;
        }

        @Override
        public boolean connected()
        {
            return true;
        }
    }
}

package io.gannet.perf.peer;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import io.gannet.perf.worker.Scenario;
import org.agrona.DirectBuffer;

/**
 * Aeron IPC over an external driver. The client's conductor runs between phases, so that it takes no processor in one.
 */
class AeronPeer extends Peer
{
    /** Longest message that the driver's default MTU of 1408 carries in one fragment. */
    private static final int MAX_UNFRAGMENTED = 1376;
    private static final int LARGEST_MTU = 65_504;
    private static final long DRIVER_TIMEOUT_MS = 120_000;

    private final Scenario scenario;
    private final Aeron aeron;

    AeronPeer(final Scenario scenario, final String directory)
    {
        this.scenario = scenario;
        aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(directory)
            .useConductorAgentInvoker(true)
            .preTouchMappedMemory(true)
            .driverTimeoutMs(DRIVER_TIMEOUT_MS));
    }

    @Override
    public Sender sender(final int stream, final int ringBytes)
    {
        return warmUpSender(stream, ringBytes);
    }

    @Override
    public final Sender warmUpSender(final int stream, final int ringBytes)
    {
        return sender(channel(ringBytes), stream);
    }

    final Sender sender(final String channel, final int stream)
    {
        return scenario.exclusive() ?
            new ExclusiveSender(aeron.addExclusivePublication(channel, stream)) :
            new ConcurrentSender(aeron.addPublication(channel, stream));
    }

    @Override
    public Receiver receiver(final int stream, final int ringBytes, final MessageHandler handler)
    {
        return warmUpReceiver(stream, ringBytes, handler);
    }

    @Override
    public final Receiver warmUpReceiver(final int stream, final int ringBytes, final MessageHandler handler)
    {
        return receiver(channel(ringBytes), stream, MAX_UNFRAGMENTED, handler);
    }

    final Receiver receiver(
        final String channel, final int stream, final int maxUnfragmented, final MessageHandler handler)
    {
        final FragmentHandler direct = (buffer, offset, length, header) -> handler.onMessage(buffer, offset, length);
        return new SubscriptionReceiver(aeron.addSubscription(channel, stream),
            scenario.size() <= maxUnfragmented ? direct : new FragmentAssembler(direct));
    }

    @Override
    public void service()
    {
        aeron.conductorAgentInvoker().invoke();
    }

    @Override
    public void close()
    {
        aeron.close();
    }

    private String channel(final int ringBytes)
    {
        return "aeron:ipc?term-length=" + ringBytes +
            (scenario.size() <= MAX_UNFRAGMENTED ? "" : "|mtu=" + LARGEST_MTU);
    }

    private static final class ExclusiveSender extends Sender
    {
        private final ExclusivePublication publication;

        ExclusiveSender(final ExclusivePublication publication)
        {
            this.publication = publication;
        }

        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length)
        {
            return publication.offer(buffer, offset, length) > 0;
        }

        @Override
        public boolean connected()
        {
            return publication.isConnected();
        }
    }

    private static final class ConcurrentSender extends Sender
    {
        private final Publication publication;

        ConcurrentSender(final Publication publication)
        {
            this.publication = publication;
        }

        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length)
        {
            return publication.offer(buffer, offset, length) > 0;
        }

        @Override
        public boolean connected()
        {
            return publication.isConnected();
        }
    }

    private static final class SubscriptionReceiver extends Receiver
    {
        private final Subscription subscription;
        private final FragmentHandler handler;

        SubscriptionReceiver(final Subscription subscription, final FragmentHandler handler)
        {
            this.subscription = subscription;
            this.handler = handler;
        }

        @Override
        public int poll(final int limit)
        {
            return subscription.poll(handler, limit);
        }

        @Override
        public boolean connected()
        {
            return subscription.isConnected();
        }
    }
}

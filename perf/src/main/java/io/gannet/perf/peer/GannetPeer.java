package io.gannet.perf.peer;

import io.gannet.ExclusivePublication;
import io.gannet.FragmentHandler;
import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import io.gannet.perf.worker.Scenario;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;

/**
 * Gannet over an external driver. The client's conductor runs between phases, so that it takes no processor in one.
 */
class GannetPeer extends Peer
{
    private static final long DRIVER_TIMEOUT_SECONDS = 120;

    private final Scenario scenario;
    private final Gannet gannet;

    GannetPeer(final Scenario scenario, final String directory)
    {
        this.scenario = scenario;
        gannet = Gannet.connect(new Gannet.Context()
            .directory(Path.of(directory))
            .name("perf " + scenario.bench() + " " + scenario.size())
            .useConductorInvoker(true)
            .driverTimeout(DRIVER_TIMEOUT_SECONDS, TimeUnit.SECONDS));
    }

    @Override
    public Sender sender(final int stream, final int ringBytes)
    {
        return warmUpSender(stream, ringBytes);
    }

    @Override
    public final Sender warmUpSender(final int stream, final int ringBytes)
    {
        return sender("gannet:ipc?ring=" + ringBytes, stream);
    }

    final Sender sender(final String channel, final int stream)
    {
        return scenario.exclusive() ?
            new ExclusiveSender(gannet.addExclusivePublication(channel, stream)) :
            new ConcurrentSender(gannet.addPublication(channel, stream));
    }

    @Override
    public Receiver receiver(final int stream, final int ringBytes, final MessageHandler handler)
    {
        return warmUpReceiver(stream, ringBytes, handler);
    }

    @Override
    public final Receiver warmUpReceiver(final int stream, final int ringBytes, final MessageHandler handler)
    {
        return receiver("gannet:ipc", stream, handler);
    }

    final Receiver receiver(final String channel, final int stream, final MessageHandler handler)
    {
        return new SubscriptionReceiver(gannet.addSubscription(channel, stream),
            (buffer, offset, length, header) -> handler.onMessage(buffer, offset, length));
    }

    @Override
    public void service()
    {
        gannet.conductorInvoker().invoke();
    }

    @Override
    public void close()
    {
        gannet.close();
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

package io.gannet.samples.orderflow.link;

import io.gannet.BufferClaim;
import io.gannet.ExclusivePublication;
import io.gannet.FragmentHandler;
import io.gannet.Gannet;
import io.gannet.Publication;
import io.gannet.Subscription;
import org.agrona.MutableDirectBuffer;

/**
 * Streams of Gannet. What is sent is written straight into the ring.
 */
public final class GannetTransport extends Transport
{
    private final Gannet client;
    private final String inChannel;
    private final String outChannel;

    /**
     * @param client     owned by the caller.
     * @param inChannel  of streams to read.
     * @param outChannel of streams to write.
     */
    public GannetTransport(final Gannet client, final String inChannel, final String outChannel)
    {
        this.client = client;
        this.inChannel = inChannel;
        this.outChannel = outChannel;
    }

    @Override
    public Inlet inlet(final int stream)
    {
        return new SubscriptionInlet(client.addSubscription(inChannel, stream));
    }

    @Override
    public Sender sender(final int stream)
    {
        return new PublicationSender(client.addExclusivePublication(outChannel, stream));
    }

    /** As the channel says if it has {@code slow=}, else with {@code slow=drop}. */
    @Override
    public Sender droppingSender(final int stream)
    {
        final String channel = outChannel.contains("slow=") ? outChannel :
            outChannel + (outChannel.contains("?") ? "|" : "?") + "slow=drop";
        return new PublicationSender(client.addExclusivePublication(channel, stream));
    }

    private static final class SubscriptionInlet extends Inlet
    {
        private final Subscription subscription;
        private Handler handler;
        private final FragmentHandler fragments = (buffer, offset, length, header) ->
            handler.onMessage(buffer, offset, length, header.sessionId());

        SubscriptionInlet(final Subscription subscription)
        {
            this.subscription = subscription;
        }

        @Override
        public int poll(final Handler messages, final int limit)
        {
            handler = messages;
            return subscription.poll(fragments, limit);
        }

        @Override
        Subscription subscription()
        {
            return subscription;
        }

        @Override
        public boolean isConnected()
        {
            return subscription.isConnected();
        }

        @Override
        public boolean isConnected(final long source)
        {
            return subscription.imageBySessionId((int) source) != null;
        }

        @Override
        public void close()
        {
            subscription.close();
        }
    }

    private static final class PublicationSender extends Sender
    {
        private final ExclusivePublication publication;
        private final BufferClaim claim = BufferClaim.allocate();

        PublicationSender(final ExclusivePublication publication)
        {
            this.publication = publication;
        }

        @Override
        public int claim(final int length)
        {
            final long result = publication.tryClaim(length, claim);
            if (result > 0)
            {
                return 1;
            }
            return result == Publication.BACK_PRESSURED ? BACK_PRESSURED :
                result == Publication.NOT_CONNECTED ? NOT_CONNECTED : CLOSED;
        }

        @Override
        public MutableDirectBuffer buffer()
        {
            return claim.buffer();
        }

        @Override
        public int offset()
        {
            return claim.offset();
        }

        @Override
        public void commit()
        {
            claim.commit();
        }

        @Override
        public boolean isConnected()
        {
            return publication.isConnected();
        }

        @Override
        public void close()
        {
            publication.close();
        }
    }
}

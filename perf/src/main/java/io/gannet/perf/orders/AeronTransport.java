package io.gannet.perf.orders;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import io.gannet.samples.orderflow.link.Inlet;
import io.gannet.samples.orderflow.link.Sender;
import io.gannet.samples.orderflow.link.Transport;
import org.agrona.MutableDirectBuffer;

/**
 * Streams of Aeron IPC, as those of Gannet: exclusive publications, claimed and written in place. Kept apart from
 * Gannet's, which it resembles line by line: the libraries have no type in common, and a layer that both share would be
 * a call on each message that is measured.
 */
final class AeronTransport extends Transport
{
    private final Aeron aeron;
    private final String channel;

    AeronTransport(final Aeron aeron, final int termLength)
    {
        this.aeron = aeron;
        channel = "aeron:ipc?term-length=" + termLength;
    }

    @Override
    public Inlet inlet(final int stream)
    {
        return new SubscriptionInlet(aeron.addSubscription(channel, stream));
    }

    @Override
    public Sender sender(final int stream)
    {
        return new PublicationSender(aeron.addExclusivePublication(channel, stream));
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
        private final BufferClaim claim = new BufferClaim();

        PublicationSender(final ExclusivePublication publication)
        {
            this.publication = publication;
        }

        @Override
        public int claim(final int length)
        {
            long result = publication.tryClaim(length, claim);
            if (result == Publication.ADMIN_ACTION)
            {
                result = publication.tryClaim(length, claim);
            }
            if (result > 0)
            {
                return 1;
            }
            return result == Publication.BACK_PRESSURED || result == Publication.ADMIN_ACTION ? BACK_PRESSURED :
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

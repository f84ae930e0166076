package io.gannet.driver;

import io.gannet.control.CommandHandler;
import io.gannet.control.ErrorCode;
import io.gannet.counters.CounterTypes;
import io.gannet.protocol.ImageEnd;
import io.gannet.protocol.PublicationKind;
import io.gannet.ring.RingKind;

/**
 * Serves the commands of one client, once it is connected. Owned by the conductor.
 */
final class ClientCommands implements CommandHandler
{
    private final ClientSession session;
    private final ClientHoldings holdings;
    private final Streams streams;
    private final DriverCounters counters;

    ClientCommands(
        final ClientSession session,
        final ClientHoldings holdings,
        final Streams streams,
        final DriverCounters counters)
    {
        this.session = session;
        this.holdings = holdings;
        this.streams = streams;
        this.counters = counters;
    }

    @Override
    public void onConnect(final long correlationId, final long epoch, final int protocolVersion)
    {
        session.connect(correlationId, epoch, protocolVersion);
    }

    @Override
    public void onResumeDone(final long correlationId)
    {
        if (session.admits())
        {
            holdings.resumed();
            holdings.match();
            succeed(correlationId);
        }
    }

    @Override
    public void onAddPublication(
        final long correlationId,
        final long registrationId,
        final PublicationKind kind,
        final int streamId,
        final String channel,
        final long resumeRingId)
    {
        if (session.admits())
        {
            answer(correlationId, () ->
                addPublication(correlationId, registrationId, kind, streamId, channel, resumeRingId));
        }
    }

    private void addPublication(
        final long correlationId,
        final long registrationId,
        final PublicationKind kind,
        final int streamId,
        final String channel,
        final long resumeRingId)
    {
        holdings.checkNew(registrationId);
        final RingKind ringKind = kind == PublicationKind.EXCLUSIVE ? RingKind.EXCLUSIVE : RingKind.CONCURRENT;
        final PublicationRequest request = new PublicationRequest(
            session, correlationId, registrationId, ringKind, streams.publicationChannel(channel), streamId);
        if (resumeRingId == 0)
        {
            holdings.request(request);
        }
        else if (!holdings.resume(request, resumeRingId))
        {
            session.countRefusal();
            session.events().send(out -> out.publicationEnded(registrationId, 0, ErrorCode.NOT_ADOPTED,
                "ring " + JournalEntry.hex(resumeRingId) + " could not be taken over from the driver before"));
        }
    }

    @Override
    public void onRemovePublication(final long correlationId, final long registrationId)
    {
        if (session.admits())
        {
            holdings.removePublication(registrationId);
            succeed(correlationId);
        }
    }

    @Override
    public void onAddSubscription(
        final long correlationId, final long registrationId, final int streamId, final String channel)
    {
        if (session.admits())
        {
            answer(correlationId, () ->
            {
                holdings.checkNew(registrationId);
                final Subscriber subscriber =
                    new Subscriber(session, registrationId, streams.subscriptionChannel(channel), streamId);
                holdings.add(subscriber);
                streams.subscriptions().prepare(
                    subscriber, failure -> subscriptionPrepared(correlationId, subscriber, failure));
            });
        }
    }

    private void subscriptionPrepared(
        final long correlationId, final Subscriber subscriber, final Throwable failure)
    {
        if (!holdings.holds(subscriber))
        {
            return;
        }
        if (failure != null)
        {
            holdings.removeSubscriber(subscriber.registrationId);
            session.refuse(correlationId, failure);
            return;
        }
        session.events().send(out -> out.subscriptionReady(correlationId, subscriber.registrationId));
        streams.subscriptions().add(subscriber);
    }

    @Override
    public void onRemoveSubscription(final long correlationId, final long registrationId)
    {
        if (session.admits())
        {
            holdings.removeSubscriber(registrationId);
            succeed(correlationId);
        }
    }

    @Override
    public void onResumeImage(final long subscriptionId, final long ringId, final int gate)
    {
        if (session.admits() && !holdings.resumeImage(subscriptionId, ringId, gate))
        {
            session.events().send(out -> out.imageUnavailable(subscriptionId, ringId, 0, ImageEnd.NOT_ADOPTED));
        }
    }

    @Override
    public void onReleaseImage(final long subscriptionId, final long ringId)
    {
        if (session.admits())
        {
            final Subscriber subscriber = holdings.subscriber(subscriptionId);
            final RingImage image = subscriber == null ? null : subscriber.imageOf(ringId);
            if (image != null)
            {
                streams.subscriptions().release(image);
            }
        }
    }

    @Override
    public void onAddCounter(
        final long correlationId,
        final long registrationId,
        final int typeId,
        final byte[] key,
        final String label,
        final long value)
    {
        if (session.admits())
        {
            answer(correlationId, () ->
            {
                holdings.checkNew(registrationId);
                if (typeId < CounterTypes.FIRST_FREE)
                {
                    throw new RefusedException(ErrorCode.GENERIC, "counter type " + typeId +
                        ": types below " + CounterTypes.FIRST_FREE + " are the driver's own");
                }
                final int id = counters.allocateForClient(label, typeId, key, value);
                holdings.addCounter(registrationId, id);
                session.events().send(out -> out.counterReady(correlationId, registrationId, id));
            });
        }
    }

    @Override
    public void onRemoveCounter(final long correlationId, final long registrationId)
    {
        if (session.admits())
        {
            holdings.removeCounter(registrationId);
            succeed(correlationId);
        }
    }

    @Override
    public void onCloseClient(final long correlationId)
    {
        if (session.admits())
        {
            session.left();
        }
    }

    @Override
    public void onMalformedCommand(final String reason)
    {
        session.giveUp(reason);
    }

    private void answer(final long correlationId, final Runnable command)
    {
        try
        {
            command.run();
        }
        catch (final RefusedException e)
        {
            session.refuse(correlationId, e);
        }
    }

    private void succeed(final long correlationId)
    {
        session.events().send(out -> out.operationSucceeded(correlationId));
    }
}

package io.gannet.driver;

import io.gannet.control.ClientFile;
import io.gannet.control.CommandHandler;
import io.gannet.control.CommandReader;
import io.gannet.control.ErrorCode;
import io.gannet.control.GuardedRing;
import io.gannet.protocol.ConnectDecoder;
import io.gannet.protocol.ImageEnd;
import io.gannet.protocol.PublicationKind;
import io.gannet.ring.RingKind;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * What the driver knows of one client: its file, and its publications, subscriptions and counters by registration id.
 * Owned by the conductor. Whatever stands in the client's rings, nothing but this session suffers from it.
 */
final class ClientSession implements CommandHandler
{
    /** Where a session is in its life. */
    enum State
    {
        /** The client's file is there, its first command is not. */
        ARRIVED,
        CONNECTED,
        /** It sent garbage: it may connect anew and claim what it held. Until then that stays as it is. */
        GIVEN_UP,
        /** It speaks no version that this driver knows, or is one too many: only its end is waited for. */
        REFUSED,
        /** Its file can't be read: only its end is waited for. What it holds stays until then. */
        BROKEN,
        /** It said that it is going. */
        LEFT
    }

    private static final int COMMAND_LIMIT = 16;
    private static final long NO_COUNTER = -1;

    private final ClientFile file;
    private final RefusedException refusal;
    private final long clientId;
    private final long driverEpoch;
    private final Streams streams;
    private final DriverCounters counters;
    private final AtomicCounter commandCount;
    private final AtomicCounter refusedCount;
    private final DriverErrors errors;
    private final EventQueue events;
    private final GuardedRing commands;
    private final CommandReader reader = new CommandReader(this);
    private final Long2ObjectHashMap<PublicationRequest> requests = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<StreamRing> publications = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<Subscriber> subscribers = new Long2ObjectHashMap<>();
    private final Long2LongHashMap applicationCounters = new Long2LongHashMap(NO_COUNTER);
    private State state = State.ARRIVED;
    private boolean matchLater;

    /**
     * @param refusal what the client is told instead of being served, or null.
     */
    ClientSession(
        final ClientFile file,
        final RefusedException refusal,
        final long driverEpoch,
        final Streams streams,
        final DriverCounters counters,
        final DriverErrors errors)
    {
        this.file = file;
        this.refusal = refusal;
        this.driverEpoch = driverEpoch;
        this.streams = streams;
        this.counters = counters;
        this.errors = errors;
        clientId = file.clientId();
        commandCount = counters.system(SystemCounter.COMMANDS);
        refusedCount = counters.system(SystemCounter.COMMANDS_REFUSED);
        events = new EventQueue(file, driverEpoch);
        commands = file.commands();
    }

    long clientId()
    {
        return clientId;
    }

    ClientFile file()
    {
        return file;
    }

    State state()
    {
        return state;
    }

    EventQueue events()
    {
        return events;
    }

    /** For messages. */
    String describe()
    {
        return file.name() + " (pid " + file.pid() + ")";
    }

    /** The subscriptions of this client are to be matched when its events have drained. */
    void matchLater()
    {
        matchLater = true;
    }

    /** Serves the client's commands; returns how many. */
    int poll()
    {
        final boolean mute = state == State.LEFT || state == State.BROKEN || file.connectedEpoch() != driverEpoch;
        if (mute || !events.flush())
        {
            return 0;
        }
        if (matchLater)
        {
            matchLater = false;
            subscribers.values().forEach(streams::match);
        }
        final int count = commands.read(reader, COMMAND_LIMIT);
        if (count == GuardedRing.CORRUPT)
        {
            giveUp("its command ring holds bytes that are no record");
            return 1;
        }
        return count;
    }

    /** Frees everything: the client has left, or is dead. */
    void release()
    {
        subscribers.values().forEach(streams::removeSubscriber);
        forget();
        streams.releaseClient(clientId);
    }

    /** The client's file failed under the driver's hands. */
    void broken()
    {
        state = State.BROKEN;
    }

    /** Keeps what the client holds as after a driver restart: until it claims it again or says that it will not. */
    private void detach()
    {
        subscribers.values().forEach(streams::detach);
        publications.forEach((registrationId, ring) -> ring.user(clientId, registrationId).resumedBy(null));
        forget();
    }

    private void forget()
    {
        requests.values().forEach(PublicationRequest::cancel);
        requests.clear();
        subscribers.clear();
        publications.clear();
        applicationCounters.forEachLong((registrationId, id) -> counters.free((int) id));
        applicationCounters.clear();
        events.clear();
    }

    /**
     * The client's threads may be publishing and polling for all that is known, so its gates and claims stay until it
     * has connected anew, or is dead.
     */
    private void giveUp(final String reason)
    {
        if (state == State.GIVEN_UP || state == State.REFUSED)
        {
            return;
        }
        state = State.GIVEN_UP;
        counters.system(SystemCounter.CLIENTS_GIVEN_UP).getAndAdd(1);
        errors.onError(new DriverException("client " + describe() + " is given up: " + reason +
            "; it may connect anew, nobody else is touched"));
        detach();
        events.send(out -> out.operationFailed(0, ErrorCode.MALFORMED_COMMAND, reason));
    }

    @Override
    public void onConnect(final long correlationId, final long epoch, final int protocolVersion)
    {
        commandCount.getAndAdd(1);
        if (epoch != driverEpoch)
        {
            giveUp("a Connect for epoch " + epoch + " instead of " + driverEpoch);
            return;
        }
        if (state == State.CONNECTED)
        {
            // It found garbage in its own event ring, or something like it, and starts anew.
            detach();
        }
        if (refusal != null)
        {
            state = State.REFUSED;
            refuse(correlationId, refusal);
            return;
        }
        final int own = ConnectDecoder.SCHEMA_VERSION;
        if (protocolVersion > own + 1 || protocolVersion < own - 1)
        {
            state = State.REFUSED;
            refusedCount.getAndAdd(1);
            events.send(out -> out.operationFailed(correlationId, ErrorCode.VERSION_MISMATCH,
                "the driver speaks protocol version " + own + ", the client version " + protocolVersion +
                ": use releases that are at most one version apart"));
            return;
        }
        state = State.CONNECTED;
        events.send(out -> out.connected(correlationId, driverEpoch));
    }

    @Override
    public void onResumeDone(final long correlationId)
    {
        if (isConnected())
        {
            streams.releaseUnresumed(clientId);
            subscribers.values().forEach(streams::match);
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
        if (isConnected())
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
        checkNew(registrationId);
        final RingKind ringKind = Streams.ringKind(kind);
        final PublicationRequest request = new PublicationRequest(
            this, correlationId, registrationId, ringKind, streams.channel(channel), streamId);
        if (resumeRingId != 0)
        {
            resume(request, resumeRingId);
            return;
        }
        requests.put(registrationId, request);
        try
        {
            streams.addPublication(request);
        }
        catch (final RefusedException e)
        {
            requests.remove(registrationId);
            throw e;
        }
    }

    private void resume(final PublicationRequest request, final long ringId)
    {
        final StreamRing ring = streams.ring(ringId);
        final RingUser user = ring == null ? null : ring.user(clientId, request.registrationId);
        if (user == null || ring.kind() != request.kind || ring.streamId() != request.streamId)
        {
            refusedCount.getAndAdd(1);
            events.send(out -> out.publicationEnded(request.registrationId, 0, ErrorCode.NOT_ADOPTED,
                "ring " + JournalEntry.hex(ringId) + " could not be taken over from the driver before"));
            return;
        }
        user.resumedBy(this);
        publications.put(request.registrationId, ring);
        sendReady(request, ring);
    }

    /** The ring of a request is there. */
    void publicationReady(final PublicationRequest request, final StreamRing ring)
    {
        requests.remove(request.registrationId);
        publications.put(request.registrationId, ring);
        sendReady(request, ring);
    }

    private void sendReady(final PublicationRequest request, final StreamRing ring)
    {
        events.send(out -> out.publicationReady(request.correlationId, request.registrationId,
            Streams.publicationKind(ring.kind()), ring.streamId(), ring.sessionId(), ring.ringId(), ring.fileName()));
    }

    /** The ring of a publication is no more. */
    void publicationLost(final long registrationId, final StreamRing ring)
    {
        if (publications.remove(registrationId) != null)
        {
            events.send(out -> out.publicationEnded(registrationId, 0, ErrorCode.NOT_ADOPTED,
                ring + " can't be read any more: was its file " + ring.fileName() + " truncated?"));
        }
    }

    /** A request that could not be served. */
    void publicationRefused(final PublicationRequest request, final Throwable failure)
    {
        if (!request.isCancelled())
        {
            requests.remove(request.registrationId);
            refuse(request.correlationId, failure);
        }
    }

    @Override
    public void onRemovePublication(final long correlationId, final long registrationId)
    {
        if (isConnected())
        {
            final PublicationRequest request = requests.remove(registrationId);
            if (request != null)
            {
                request.cancel();
            }
            final StreamRing ring = publications.remove(registrationId);
            if (ring != null)
            {
                streams.removePublication(ring, ring.user(clientId, registrationId));
            }
            succeed(correlationId);
        }
    }

    @Override
    public void onAddSubscription(
        final long correlationId, final long registrationId, final int streamId, final String channel)
    {
        if (isConnected())
        {
            answer(correlationId, () ->
            {
                checkNew(registrationId);
                final Subscriber subscriber =
                    new Subscriber(this, registrationId, streams.channel(channel), streamId);
                subscribers.put(registrationId, subscriber);
                streams.prepare(subscriber, failure -> subscriptionPrepared(correlationId, subscriber, failure));
            });
        }
    }

    private void subscriptionPrepared(
        final long correlationId, final Subscriber subscriber, final Throwable failure)
    {
        if (subscribers.get(subscriber.registrationId) != subscriber)
        {
            return;
        }
        if (failure != null)
        {
            subscribers.remove(subscriber.registrationId);
            streams.removeSubscriber(subscriber);
            refuse(correlationId, failure);
            return;
        }
        events.send(out -> out.subscriptionReady(correlationId, subscriber.registrationId));
        streams.addSubscriber(subscriber);
    }

    @Override
    public void onRemoveSubscription(final long correlationId, final long registrationId)
    {
        if (isConnected())
        {
            final Subscriber subscriber = subscribers.remove(registrationId);
            if (subscriber != null)
            {
                streams.removeSubscriber(subscriber);
            }
            succeed(correlationId);
        }
    }

    @Override
    public void onResumeImage(final long subscriptionId, final long ringId, final int gate)
    {
        if (!isConnected())
        {
            return;
        }
        final Subscriber subscriber = subscribers.get(subscriptionId);
        final StreamRing ring = streams.ring(ringId);
        final RingImage image = ring == null ? null : ring.image(clientId, subscriptionId);
        if (subscriber == null || image == null || image.gate != gate || image.subscriber() != null)
        {
            events.send(out -> out.imageUnavailable(subscriptionId, ringId, 0, ImageEnd.NOT_ADOPTED));
            return;
        }
        image.resumedBy(subscriber);
        subscriber.images.add(image);
    }

    @Override
    public void onReleaseImage(final long subscriptionId, final long ringId)
    {
        if (isConnected())
        {
            final Subscriber subscriber = subscribers.get(subscriptionId);
            final RingImage image = subscriber == null ? null : subscriber.imageOf(ringId);
            if (image != null)
            {
                streams.release(image);
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
        if (isConnected())
        {
            answer(correlationId, () ->
            {
                checkNew(registrationId);
                if (typeId < DriverCounters.FIRST_FREE_TYPE_ID)
                {
                    throw new RefusedException(ErrorCode.GENERIC, "counter type " + typeId +
                        ": types below " + DriverCounters.FIRST_FREE_TYPE_ID + " are the driver's own");
                }
                final int id = counters.allocateForClient(label, typeId, key, value);
                applicationCounters.put(registrationId, id);
                events.send(out -> out.counterReady(correlationId, registrationId, id));
            });
        }
    }

    @Override
    public void onRemoveCounter(final long correlationId, final long registrationId)
    {
        if (isConnected())
        {
            final long id = applicationCounters.remove(registrationId);
            if (id != NO_COUNTER)
            {
                counters.free((int) id);
            }
            succeed(correlationId);
        }
    }

    @Override
    public void onCloseClient(final long correlationId)
    {
        if (isConnected())
        {
            state = State.LEFT;
            release();
        }
    }

    @Override
    public void onMalformedCommand(final String reason)
    {
        giveUp(reason);
    }

    /** Counts a command, and gives the client up if it has not introduced itself. */
    private boolean isConnected()
    {
        commandCount.getAndAdd(1);
        if (state == State.ARRIVED)
        {
            giveUp("a command before Connect");
        }
        return state == State.CONNECTED;
    }

    private void checkNew(final long registrationId)
    {
        if (requests.containsKey(registrationId) || publications.containsKey(registrationId) ||
            subscribers.containsKey(registrationId) || applicationCounters.containsKey(registrationId))
        {
            throw new RefusedException(ErrorCode.CONFLICT, "registration id " + registrationId + " is in use");
        }
    }

    private void answer(final long correlationId, final Runnable command)
    {
        try
        {
            command.run();
        }
        catch (final RefusedException e)
        {
            refuse(correlationId, e);
        }
    }

    private void refuse(final long correlationId, final Throwable failure)
    {
        refusedCount.getAndAdd(1);
        final ErrorCode code = failure instanceof final RefusedException refused ? refused.code() : ErrorCode.GENERIC;
        events.send(out -> out.operationFailed(correlationId, code, String.valueOf(failure.getMessage())));
    }

    private void succeed(final long correlationId)
    {
        events.send(out -> out.operationSucceeded(correlationId));
    }
}

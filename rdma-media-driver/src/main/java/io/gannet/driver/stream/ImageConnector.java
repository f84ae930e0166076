package io.gannet.driver.stream;

import java.net.InetSocketAddress;

import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmId;
import io.gannet.rdma.RdmaException;

/**
 * Connects one image to its fan-out publication, again whenever it has no connection. For the control thread alone.
 */
final class ImageConnector implements CmEventOwner
{
    /** Part of the retry interval after which a publisher that is not ready yet is asked again. */
    private static final int SOON = 16;
    /** Retry intervals for the last word, and for an answer to it. */
    private static final int GOODBYE_INTERVALS = 2;

    private final ReplicationContext context;
    private final ImageSession session;
    private final ReplicationSettings settings;
    private CmId id;
    private boolean wasIdle;
    private long retryAt;
    private final Attempts attempts;
    private long goodbyeDeadline;
    private int generation;
    private boolean tried;
    private boolean parting;
    private boolean told;
    private long endedAt;
    private boolean ended;
    private String lastProblem = "";

    ImageConnector(
        final ReplicationContext context, final ImageSession session, final ReplicationSettings settings)
    {
        this.settings = settings;
        this.context = context;
        this.session = session;
        attempts = new Attempts(settings.connectTimeout());
        generation = Generation.before(context.life, context.nextConnector());
    }

    ImageSession session()
    {
        return session;
    }

    boolean isEnded()
    {
        return session.isEnded() && id == null && (told || !session.isLeft());
    }

    /** Whether the image has ended so lately that its publication may be on its way back. */
    boolean isAwaited()
    {
        return isEnded() && context.now() - endedAt <= settings.imageTimeout();
    }

    /**
     * @param address of the publisher, as last looked up.
     */
    int doWork(final InetSocketAddress address)
    {
        int work = session.doWork();
        final long now = context.now();
        if (session.isEnded() && !ended)
        {
            ended = true;
            endedAt = now;
        }
        if (session.isLeft())
        {
            return work + sayGoodbye(address, now);
        }
        if (!session.isIdle())
        {
            closeId();
            wasIdle = false;
            if (session.wasAnswered())
            {
                attempts.answered(now);
            }
        }
        else if (!wasIdle)
        {
            wasIdle = true;
            retryAt = now + delay();
            if (session.wasAnswered())
            {
                attempts.answered(now);
            }
            else if (tried)
            {
                attempts.unanswered();
            }
        }
        else if (id == null && address != null && now - retryAt >= 0)
        {
            resolve(address, now);
            work++;
        }
        else if (id != null && attempts.isLate(now))
        {
            attempts.unanswered();
            problem("no answer");
            work++;
        }
        return work;
    }

    /** Tells the publisher once that the image is gone, so that it need not wait for the image's return. */
    private int sayGoodbye(final InetSocketAddress address, final long now)
    {
        if (told)
        {
            return 0;
        }
        if (!parting)
        {
            parting = true;
            retryAt = now;
            goodbyeDeadline = now + GOODBYE_INTERVALS * context.settings.retryInterval();
        }
        if (address == null || now - goodbyeDeadline >= 0)
        {
            closeId();
            told = true;
            return 1;
        }
        if (id == null && now - retryAt >= 0)
        {
            resolve(address, now);
            return 1;
        }
        return 0;
    }

    private void goodbye()
    {
        final SetupRequest image = session.request();
        try
        {
            id.createQueuePair(context.questionDomain(), context.questionAttributes());
            generation = Generation.next(generation);
            id.connect(settings.parameters(), new JoinRequest(
                session.imageNumber(), image.streamId(), generation, image.publicationId(), context.driverId, 1,
                JoinRequest.LEAVE, 0, context.settings.receiveDepth()).encode());
        }
        catch (final RdmaException ex)
        {
            // It is a courtesy: without it the publisher waits for the image timeout.
            closeId();
            told = true;
        }
    }

    /** A first connection is made at once, one after a failure soon. */
    private long delay()
    {
        if (!tried)
        {
            return 0;
        }
        return session.refusal() == SetupRefusal.NO_RESOURCES || session.refusal() == SetupRefusal.TOO_MANY ?
            context.settings.retryInterval() : context.settings.retryInterval() / SOON;
    }

    private void resolve(final InetSocketAddress address, final long now)
    {
        attempts.begin(now);
        try
        {
            id = context.device.connectionManager().createId();
            id.context(this);
            id.resolve(address, attempts.timeoutMillis());
        }
        catch (final RdmaException ex)
        {
            problem(ex.getMessage());
        }
    }

    @Override
    public void onCmEvent(final CmEvent event)
    {
        if (!event.id().equals(id))
        {
            return;
        }
        switch (event.type())
        {
            case ROUTE_RESOLVED ->
            {
                if (session.isLeft())
                {
                    goodbye();
                }
                else
                {
                    connect();
                }
            }
            case REJECTED, UNREACHABLE, CONNECT_ERROR ->
            {
                if (session.isLeft())
                {
                    closeId();
                    told = true;
                }
            }
            case ADDR_ERROR, ROUTE_ERROR, DEVICE_REMOVAL -> problem(event.type().text());
            default ->
            {
            }
        }
    }

    private void connect()
    {
        if (!session.isIdle())
        {
            return;
        }
        final CmId connection = id;
        try
        {
            generation = Generation.next(generation);
            tried = true;
            session.connect(connection, generation, settings.parameters(), attempts.timeout());
            id = null;
            wasIdle = false;
            lastProblem = "";
        }
        catch (final RdmaException ex)
        {
            problem(ex.getMessage());
        }
    }

    private void problem(final String message)
    {
        if (!message.equals(lastProblem))
        {
            context.listener.onError("cannot connect the image of " + session.request() + ": " + message);
            lastProblem = message;
        }
        closeId();
        retryAt = context.now() + context.settings.retryInterval();
    }

    private void closeId()
    {
        if (id != null)
        {
            if (id.queuePair() != null)
            {
                id.queuePair().close();
            }
            id.close();
            id = null;
        }
    }
}

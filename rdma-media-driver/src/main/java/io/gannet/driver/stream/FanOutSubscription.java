package io.gannet.driver.stream;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmId;
import io.gannet.rdma.RdmaException;
import io.gannet.ring.Ring;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * A subscription to a stream of a fan-out publisher: asks its control address again and again what publications there
 * are, and keeps an image of each that is wanted, whose connection it makes. For the control thread alone.
 */
public final class FanOutSubscription implements CmEventOwner
{
    /** Retry intervals between two questions once there is an image of each publication. */
    private static final int SELDOM = 5;
    /** Publications whose images have ended that are known for where the next gap begins. */
    private static final int MAX_REMEMBERED = 1024;
    private static final String NO_ANSWER =
        "no answer (is a driver with a publication running there, and does its allow= let this host in?)";

    private final ReplicationContext context;
    private final InetSocketAddress control;
    private final int streamId;
    private final ReplicationSettings settings;
    private final Attempts attempts;
    /** By publication; those that have ended too, for where the next gap begins. */
    private final Map<Long, ImageConnector> connectors = new Long2ObjectHashMap<>();
    private final List<ImageConnector> live = new ArrayList<>();
    private final Turns turns = new Turns();
    private InetSocketAddress address;
    private CmId id;
    private long askAt;
    private long after;
    private int attempt;
    private String lastProblem = "";
    private boolean lookingUp;
    private boolean closing;

    FanOutSubscription(
        final ReplicationContext context,
        final InetSocketAddress control,
        final int streamId,
        final ReplicationSettings settings)
    {
        this.settings = settings;
        attempts = new Attempts(settings.connectTimeout());
        this.context = context;
        this.control = control;
        this.streamId = streamId;
        askAt = context.now();
    }

    int doWork()
    {
        int work = 0;
        for (int due = turns.due(live.size(), context.now()); due > 0; due--)
        {
            final int index = turns.next(live.size());
            work += live.get(index).doWork(address);
            if (live.get(index).isEnded())
            {
                live.remove(index);
            }
        }
        if (closing)
        {
            return work;
        }
        final long now = context.now();
        if (id != null || lookingUp)
        {
            if (attempts.isTroubling(now))
            {
                say(NO_ANSWER);
            }
            if (attempts.isLate(now))
            {
                attempts.unanswered();
                return problem(null);
            }
            return work;
        }
        return now - askAt >= 0 ? work + lookUp(now) : work;
    }

    private int lookUp(final long now)
    {
        attempts.begin(now);
        lookingUp = true;
        final int number = ++attempt;
        context.lookUp(control, (found, failure) ->
        {
            if (lookingUp && number == attempt)
            {
                lookingUp = false;
                if (failure != null)
                {
                    problem(failure.getMessage());
                }
                else
                {
                    address = found;
                    ask();
                }
            }
        });
        return 1;
    }

    private void ask()
    {
        if (closing)
        {
            return;
        }
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
            case ROUTE_RESOLVED -> connect();
            case REJECTED -> onRejected(event);
            case TIMEWAIT_EXIT, ADDR_CHANGE, CONNECT_REQUEST ->
            {
            }
            default ->
            {
                attempts.unanswered();
                problem(event.type().text());
            }
        }
    }

    private void connect()
    {
        try
        {
            id.createQueuePair(context.questionDomain(), context.questionAttributes());
            id.connect(settings.parameters(), new DiscoverRequest(streamId, after).encode());
        }
        catch (final RdmaException ex)
        {
            problem(ex.getMessage());
        }
    }

    private void onRejected(final CmEvent event)
    {
        attempts.answered(context.now());
        if (!DiscoverReply.isOne(event.privateData()))
        {
            final int refusal = SetupRefusal.decode(event.privateData(), SetupRefusal.ANY);
            problem(refusal == SetupRefusal.UNKNOWN ? null : SetupRefusal.describe(refusal));
            return;
        }
        try
        {
            onReply(DiscoverReply.decode(event.privateData()));
        }
        catch (final SetupException ex)
        {
            problem(ex.getMessage());
        }
    }

    private void onReply(final DiscoverReply reply)
    {
        final List<DiscoverReply.Publication> publications = reply.publications();
        publications.forEach(this::onPublication);
        final boolean more = reply.more() && !publications.isEmpty();
        after = more ? publications.getLast().publicationId() : 0;
        lastProblem = "";
        again(more ? 0 : context.settings.retryInterval() * (awaitsImages() ? 1 : SELDOM));
    }

    /** Whether there is no image, or one has ended lately whose publication may be there again. */
    private boolean awaitsImages()
    {
        connectors.values().removeIf(connector -> connector.isEnded() && connector.session().isLast());
        boolean present = false;
        for (final ImageConnector connector : connectors.values())
        {
            if (connector.isAwaited())
            {
                return true;
            }
            present |= !connector.isEnded();
        }
        return !present;
    }

    private void onPublication(final DiscoverReply.Publication publication)
    {
        final ImageConnector connector = connectors.get(publication.publicationId());
        final SetupRequest request = new SetupRequest(SetupRequest.VERSION, false, streamId,
            publication.sessionId(), publication.capacity(), 0, publication.publicationId());
        if ((connector == null || connector.isEnded()) && context.listener.isWanted(control, request))
        {
            if (connectors.size() >= MAX_REMEMBERED)
            {
                connectors.values().removeIf(ImageConnector::isEnded);
            }
            final long gapFrom =
                connector == null ? context.listener.lastPosition(request) : connector.session().nextGapFrom();
            add(request, new ImageSession(context, control, address, request, gapFrom));
        }
    }

    /**
     * Goes on with an image that the driver before has left in the directory.
     *
     * @param request what its publisher said of it.
     */
    public ImageSession adopt(final Ring ring, final SetupRequest request)
    {
        final ImageSession session = new ImageSession(context, control, control, request, ring);
        add(request, session);
        return session;
    }

    private void add(final SetupRequest request, final ImageSession session)
    {
        final ImageConnector connector = new ImageConnector(context, session, settings);
        connectors.put(request.publicationId(), connector);
        live.add(connector);
    }

    /** The question has failed; says so once. */
    private int problem(final String message)
    {
        if (message != null)
        {
            say(message);
        }
        lookingUp = false;
        after = 0;
        again(context.settings.retryInterval());
        return 1;
    }

    private void say(final String message)
    {
        if (!message.equals(lastProblem))
        {
            context.listener.onError("cannot ask " + AddressText.of(control) + " for publications: " + message +
                "; it is asked again");
            lastProblem = message;
        }
    }

    private void again(final long delay)
    {
        closeQuestion();
        askAt = context.now() + delay;
    }

    private void closeQuestion()
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

    /** Ends it and all its images. */
    void end()
    {
        closing = true;
        lookingUp = false;
        closeQuestion();
        connectors.values().forEach(connector -> connector.session().end());
    }

    /** As {@link #end()}, but images stay for the driver that comes next. */
    void suspend()
    {
        connectors.values().forEach(connector -> connector.session().suspend());
        end();
    }

    /** {@return whether it has been ended, and nothing of it is in use any more} */
    boolean isDone()
    {
        return closing && live.isEmpty();
    }

    /** {@return the publisher's control address as it was given} */
    public InetSocketAddress control()
    {
        return control;
    }

    /** {@return images that live; for those who count} */
    List<ImageSession> images()
    {
        final List<ImageSession> images = new ArrayList<>();
        for (final ImageConnector connector : connectors.values())
        {
            if (!connector.isEnded())
            {
                images.add(connector.session());
            }
        }
        return images;
    }
}

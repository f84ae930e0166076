package io.gannet.driver.stream;

import java.net.InetSocketAddress;
import java.util.Map;

import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.CmListener;
import io.gannet.rdma.RdmaException;
import io.gannet.ring.Ring;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Takes publications that come in at one address, and keeps their images. For the control thread alone.
 */
public final class ImageListener implements CmEventOwner
{
    private static final int MAX_REMEMBERED = 1024;

    private final ReplicationContext context;
    private final CmListener listener;
    /** By publication; those that have ended too, for where the next gap begins. */
    private final Map<Long, ImageSession> sessions = new Long2ObjectHashMap<>();
    private boolean closing;

    ImageListener(final ReplicationContext context, final InetSocketAddress address)
    {
        this.context = context;
        this.listener = context.device.connectionManager().listen(address, this);
    }

    /** {@return the address with the port that was really taken} */
    public InetSocketAddress address()
    {
        return listener.localAddress();
    }

    @Override
    public void onCmEvent(final CmEvent event)
    {
        if (event.type() != CmEventType.CONNECT_REQUEST || context.answersDoctor(event))
        {
            return;
        }
        final CmId id = event.id();
        try
        {
            final SetupRequest request = SetupRequest.decode(event.privateData());
            final int refusal = closing ? SetupRefusal.NO_SUBSCRIBER : answer(id, request);
            if (refusal != SetupRefusal.UNKNOWN)
            {
                ReplicationContext.refuse(id, refusal, request.generation());
            }
        }
        catch (final SetupException ex)
        {
            context.tellOfRequest(id, ex);
            ReplicationContext.refuse(id, ex.refusal(), SetupRefusal.ANY);
        }
        catch (final RdmaException ex)
        {
            // Some devices take nothing for a request that was withdrawn, which is nobody's fault.
            if (ReplicationContext.refuse(id, SetupRefusal.NO_RESOURCES, SetupRefusal.ANY))
            {
                context.tellOfRequest(id, ex);
            }
        }
    }

    /** Accepts, and returns {@link SetupRefusal#UNKNOWN}; or returns why not. */
    private int answer(final CmId id, final SetupRequest request)
    {
        ImageSession session = sessions.get(request.publicationId());
        if (session != null && session.isOutdated(request))
        {
            // Some connection managers deliver a request that comes twice as another one. Its first answer holds.
            return SetupRefusal.NOT_READY;
        }
        if (session == null || session.isEnded())
        {
            if (request.resume())
            {
                return whyNot(session, request);
            }
            if (!context.listener.isWanted(address(), request))
            {
                return SetupRefusal.NO_SUBSCRIBER;
            }
            session = create(id, request, session);
        }
        else if (request.resume() != session.isStarted())
        {
            return onMismatch(session, request);
        }
        if (!session.isIdle())
        {
            // What is left of its last connection ends now; the publisher asks again.
            session.endConnection(FailureKind.DISCONNECTED);
            return SetupRefusal.NOT_READY;
        }
        session.accept(id, request.generation());
        return SetupRefusal.UNKNOWN;
    }

    /** Why an image is no more: nobody wants it, it was waited for in vain, or it was never here. */
    private int whyNot(final ImageSession session, final SetupRequest request)
    {
        if (session != null)
        {
            // One that is not unwanted and never started may start yet, where its gate is: nobody has missed anything.
            return session.isUnwanted() || session.isLast() ? SetupRefusal.NO_SUCH_IMAGE :
                session.isStarted() ? SetupRefusal.BROKEN_OFF : SetupRefusal.UNKNOWN_IMAGE;
        }
        // In the life of the driver before.
        return context.listener.lastPosition(request) == ImageSession.NO_GAP ?
            SetupRefusal.UNKNOWN_IMAGE : SetupRefusal.BROKEN_OFF;
    }

    private static int onMismatch(final ImageSession session, final SetupRequest request)
    {
        if (!request.resume())
        {
            // The publication has dropped this image, so it starts anew with a gap.
            session.end();
            return SetupRefusal.NOT_READY;
        }
        session.endConnection(FailureKind.DISCONNECTED);
        return session.isIdle() ? SetupRefusal.NOT_STARTED : SetupRefusal.NOT_READY;
    }

    private ImageSession create(final CmId id, final SetupRequest request, final ImageSession before)
    {
        prune();
        final ImageSession session = new ImageSession(
            context,
            address(),
            id.remoteAddress(),
            request,
            before == null ? context.listener.lastPosition(request) : before.nextGapFrom());
        sessions.put(request.publicationId(), session);
        context.images.add(session);
        return session;
    }

    /** Images that have ended are known for where the next gap begins; not for ever. */
    private void prune()
    {
        if (sessions.size() >= MAX_REMEMBERED)
        {
            sessions.values().removeIf(ImageSession::isEnded);
        }
    }

    /**
     * Goes on with an image that the driver before has left in the directory.
     *
     * @param request   what its publisher said of it.
     * @param publisher where it was when that was last known.
     */
    public ImageSession adopt(final Ring ring, final SetupRequest request, final InetSocketAddress publisher)
    {
        final ImageSession session = new ImageSession(context, address(), publisher, request, ring);
        sessions.put(request.publicationId(), session);
        context.images.add(session);
        return session;
    }

    /** Takes nothing any more, and ends all images. */
    void stop()
    {
        closing = true;
        sessions.values().forEach(ImageSession::end);
    }

    /** Takes nothing any more, and leaves all images to the driver that comes next. */
    void suspend()
    {
        closing = true;
        sessions.values().forEach(ImageSession::suspend);
    }

    boolean isDone()
    {
        return closing && sessions.values().stream().allMatch(ImageSession::isEnded);
    }

    void close()
    {
        listener.close();
    }
}

package io.gannet.driver.stream;

import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.CmListener;
import io.gannet.rdma.RdmaException;

/**
 * The control address of fan-out publications: subscribers' drivers ask here what there is, and join it. For the
 * control thread alone.
 */
public final class FanOutListener implements CmEventOwner
{
    private final ReplicationContext context;
    private final CmListener listener;
    private final Set<OutboundStream> streams = new LinkedHashSet<>();

    FanOutListener(final ReplicationContext context, final InetSocketAddress address)
    {
        this.context = context;
        listener = context.device.connectionManager().listen(address, this);
    }

    /** {@return the address with the port that was really taken} */
    public InetSocketAddress address()
    {
        return listener.localAddress();
    }

    void add(final OutboundStream stream)
    {
        streams.add(stream);
    }

    void remove(final OutboundStream stream)
    {
        streams.remove(stream);
    }

    /** {@return whether no publication is left} */
    public boolean isEmpty()
    {
        return streams.isEmpty();
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
            if (DiscoverRequest.isOne(event.privateData()))
            {
                id.reject(list(DiscoverRequest.decode(event.privateData())).encode());
                id.close();
            }
            else if (JoinRequest.isOne(event.privateData()))
            {
                join(id, JoinRequest.decode(event.privateData()));
            }
            else
            {
                throw new SetupException(
                    SetupRefusal.MALFORMED, "a connector that does not ask for fan-out, at a control address");
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

    private DiscoverReply list(final DiscoverRequest request)
    {
        final List<DiscoverReply.Publication> behind = streams.stream()
            .filter(OutboundStream::isJoinable)
            .filter(stream -> stream.ring().description().streamId() == request.streamId())
            .filter(stream -> Long.compareUnsigned(stream.publicationId(), request.after()) > 0)
            .sorted(Comparator.comparing(OutboundStream::publicationId, Long::compareUnsigned))
            .limit(DiscoverReply.MOST + 1)
            .map(stream -> new DiscoverReply.Publication(
                stream.publicationId(), stream.ring().description().sessionId(), stream.ring().capacity()))
            .toList();
        final boolean more = behind.size() > DiscoverReply.MOST;
        return new DiscoverReply(more ? behind.subList(0, DiscoverReply.MOST) : behind, more);
    }

    private void join(final CmId id, final JoinRequest request)
    {
        if (request.receivedPosition() == JoinRequest.LEAVE)
        {
            for (final OutboundStream stream : streams)
            {
                if (stream.publicationId() == request.publicationId())
                {
                    stream.leave(id.remoteAddress(), request);
                }
            }
            ReplicationContext.refuse(id, SetupRefusal.NO_SUCH_IMAGE, request.generation());
            return;
        }
        int refusal = SetupRefusal.NO_SUCH_PUBLICATION;
        for (final OutboundStream stream : streams)
        {
            if (stream.publicationId() == request.publicationId() &&
                stream.ring().description().streamId() == request.streamId())
            {
                refusal = stream.isRegistering() ? SetupRefusal.NOT_READY : !stream.isOpenTo(request.driverId()) ?
                    SetupRefusal.NO_SUCH_PUBLICATION :
                    stream.acceptor(id.remoteAddress(), request.driverId()).join(id, request);
            }
        }
        if (refusal != SetupRefusal.UNKNOWN)
        {
            ReplicationContext.refuse(id, refusal, request.generation());
        }
    }

    void close()
    {
        listener.close();
    }
}

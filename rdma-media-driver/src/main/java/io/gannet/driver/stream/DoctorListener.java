package io.gannet.driver.stream;

import java.net.InetSocketAddress;

import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmListener;

/**
 * An address where nothing is done but to tell other hosts' doctors what this host is like, for a driver that has no
 * channel yet. For the control thread alone.
 */
final class DoctorListener implements CmEventOwner
{
    private final ReplicationContext context;
    private final CmListener listener;

    DoctorListener(final ReplicationContext context, final InetSocketAddress address)
    {
        this.context = context;
        listener = context.device.connectionManager().listen(address, this);
    }

    InetSocketAddress address()
    {
        return listener.localAddress();
    }

    @Override
    public void onCmEvent(final CmEvent event)
    {
        if (event.type() == CmEventType.CONNECT_REQUEST && !context.answersDoctor(event))
        {
            event.id().reject(SetupRefusal.encode(SetupRefusal.MALFORMED, SetupRefusal.ANY));
            event.id().close();
        }
    }

    void close()
    {
        listener.close();
    }
}

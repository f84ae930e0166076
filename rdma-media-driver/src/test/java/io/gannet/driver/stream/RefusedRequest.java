package io.gannet.driver.stream;

import io.gannet.rdma.CmId;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.Errno;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.QueuePair;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.ResourceCounts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.agrona.DirectBuffer;

/** A request of a peer that may have gone, for which the device makes no queue pair. */
final class RefusedRequest extends CmId
{
    static final String WHY = "cannot make a queue pair, says the test";

    private final boolean gone;
    private boolean asked;

    RefusedRequest(final ResourceCounts counts, final boolean gone)
    {
        super(counts);
        this.gone = gone;
    }

    /** {@return whether somebody wanted to accept it} */
    boolean wasAskedForAQueuePair()
    {
        return asked;
    }

    @Override
    public QueuePair createQueuePair(final ProtectionDomain domain, final QpAttributes attributes)
    {
        asked = true;
        throw new RdmaException(Errno.EINVAL, WHY);
    }

    @Override
    public boolean reject(final DirectBuffer privateData)
    {
        return !gone;
    }

    @Override
    public void resolve(final InetSocketAddress remote, final int timeoutMs)
    {
        throw new AssertionError("a request has its route");
    }

    @Override
    public void connect(final ConnectParameters parameters, final DirectBuffer privateData)
    {
        throw new AssertionError("a request is accepted");
    }

    @Override
    public void accept(final ConnectParameters parameters, final DirectBuffer privateData)
    {
        throw new AssertionError("it has no queue pair");
    }

    @Override
    public void disconnect()
    {
        throw new AssertionError("it has no connection");
    }

    @Override
    public InetSocketAddress remoteAddress()
    {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    }

    @Override
    public QueuePair queuePair()
    {
        return null;
    }

    @Override
    protected int destroy()
    {
        return Errno.OK;
    }
}

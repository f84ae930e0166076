package io.gannet.rdma.roce.cm;

import io.gannet.rdma.roce.wire.Gid;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Where the agent puts its datagrams. One that cannot be sent is lost, as it could be on the way.
 */
@FunctionalInterface
public interface CmSink
{
    /**
     * Sends a datagram from QP 1 to QP 1 of {@code to}.
     *
     * @param mad {@link io.gannet.rdma.roce.wire.Mad#SIZE} bytes, copied before return.
     */
    void send(Gid to, UnsafeBuffer mad);
}

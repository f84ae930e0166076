package io.gannet.rdma.roce;

import io.gannet.rdma.Errno;
import io.gannet.rdma.roce.cm.CmConnection;
import io.gannet.rdma.roce.net.PacketSocket;
import io.gannet.rdma.roce.net.TransmitBatch;
import io.gannet.rdma.roce.net.UdpPath;
import io.gannet.rdma.roce.wire.Gid;
import java.net.InetAddress;

/**
 * The ways from a port to its peers.
 */
final class RocePaths
{
    private final InetAddress address;
    private final Gid gid;
    private final PacketSocket socket;
    private final TransmitBatch batch;

    RocePaths(final InetAddress address, final PacketSocket socket, final TransmitBatch batch)
    {
        this.address = address;
        this.socket = socket;
        this.batch = batch;
        gid = Gid.of(address);
    }

    /** Why an address cannot be reached from the port, or {@link Errno#OK}. */
    int routeError(final InetAddress remote)
    {
        return Gid.of(remote).isIpv4() == gid.isIpv4() ? LocalPort.routeError(address, remote) : Errno.EHOSTUNREACH;
    }

    /** The way of a queue pair; its flow follows from its number. */
    UdpPath of(final CmConnection connection, final int qpn)
    {
        final int flows = socket.flows() - 1;
        return new UdpPath(batch, socket, gid, connection.peer(), flows == 0 ? 0 : 1 + qpn % flows,
            connection.trafficClass());
    }

    /** The way of connection management. */
    UdpPath of(final Gid peer, final int trafficClass)
    {
        return new UdpPath(batch, socket, gid, peer, 0, trafficClass);
    }
}

package io.gannet.rdma.roce.net;

import io.gannet.os.SocketMessages;
import io.gannet.rdma.roce.rc.PacketSink;
import io.gannet.rdma.roce.wire.Gid;
import io.gannet.rdma.roce.wire.Icrc;
import io.gannet.rdma.roce.wire.Packets;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The way to one peer: its address and the ICRC of packets to it. Packets go into the NIC's batch, which is sent when
 * it is full or the NIC's turn ends.
 */
public final class UdpPath implements PacketSink
{
    private final TransmitBatch batch;
    private final PacketSocket socket;
    private final int flow;
    private final int trafficClass;
    private final Gid peer;
    private final Icrc icrc = new Icrc();
    private final ByteBuffer address = ByteBuffer.allocateDirect(SocketMessages.ADDRESS_SIZE);
    private final long addressAt = new UnsafeBuffer(address).addressOffset();
    private final int addressLength;
    private final InetSocketAddress socketAddress;

    /**
     * Makes a way.
     *
     * @param flow         of the socket, which decides the source port.
     * @param trafficClass of all packets.
     */
    public UdpPath(
        final TransmitBatch batch,
        final PacketSocket socket,
        final Gid local,
        final Gid peer,
        final int flow,
        final int trafficClass)
    {
        this.flow = flow;
        this.batch = batch;
        this.socket = socket;
        this.trafficClass = trafficClass;
        this.peer = peer;
        final int sourcePort = socket.port(flow);
        if (peer.isIpv4())
        {
            icrc.ipv4(local.ipv4(), peer.ipv4(), sourcePort);
        }
        else
        {
            icrc.ipv6(local, peer, sourcePort);
        }
        addressLength = SocketMessages.writeAddress(addressAt, peer.toInetAddress(), Packets.UDP_PORT);
        socketAddress = new InetSocketAddress(peer.toInetAddress(), Packets.UDP_PORT);
    }

    /** Where it leads. */
    public Gid peer()
    {
        return peer;
    }

    /** Whether it leads to the sender of a packet. */
    public boolean leadsTo(final long high, final long low)
    {
        return peer.low() == low && peer.high() == high;
    }

    @Override
    public int claim(final int length)
    {
        final int at = batch.isLarge() ? -1 : batch.claim(this, length);
        if (at >= 0)
        {
            return at;
        }
        socket.send(batch);
        return batch.claim(this, length);
    }

    @Override
    public UnsafeBuffer buffer()
    {
        return batch.buffer();
    }

    @Override
    public void commit()
    {
        final int length = batch.claimedLength();
        icrc.append(batch.buffer(), batch.bytes(), batch.claimedOffset(), length, batch.claimedId());
        batch.commit(this);
    }

    /** Address of the peer's sockaddr. */
    long address()
    {
        return addressAt;
    }

    int addressLength()
    {
        return addressLength;
    }

    int flow()
    {
        return flow;
    }

    int trafficClass()
    {
        return trafficClass;
    }

    InetSocketAddress socketAddress()
    {
        return socketAddress;
    }
}

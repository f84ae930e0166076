package io.gannet.rdma.roce.net;

import io.gannet.rdma.roce.rc.Counter;
import io.gannet.rdma.roce.rc.Counters;
import io.gannet.rdma.roce.wire.Gid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import jdk.net.ExtendedSocketOptions;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A socket by {@link DatagramChannel}, packet by packet: where system calls cannot be made. Traffic class and
 * congestion marks are not available, and IPv6 peers that send no UDP checksum, as Soft-RoCE, are not heard. Allocates.
 */
public final class ChannelPacketSocket implements PacketSocket
{
    private static final int SOCKET_BUFFER = 4 << 20;
    private static final int RECEIVES = 64;
    private static final int RECEIVE_SIZE = 1 << 13;

    private final DatagramChannel channel;
    private final Counters counters;
    private final ByteBuffer received = BufferUtil.allocateDirectAligned(RECEIVE_SIZE, 64);
    private final UnsafeBuffer receivedView = new UnsafeBuffer(received);

    /**
     * Binds a channel.
     *
     * @throws UncheckedIOException if the address is taken or not this host's.
     */
    public ChannelPacketSocket(final InetAddress address, final int port, final Counters counters)
    {
        this.counters = counters;
        try
        {
            channel = DatagramChannel.open(
                address instanceof Inet4Address ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException("cannot make a UDP socket", e);
        }
        try
        {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER);
            // an unconnected socket that must not fragment sends IPv4 id 0, which the ICRC counts on
            channel.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
            channel.bind(new InetSocketAddress(address, port));
            channel.configureBlocking(false);
        }
        catch (final IOException e)
        {
            close();
            throw new UncheckedIOException("cannot bind UDP " + address.getHostAddress() + ':' + port, e);
        }
    }

    @Override
    public int send(final TransmitBatch batch)
    {
        int packets = 0;
        while (!batch.isEmpty())
        {
            final int run = batch.first();
            final ByteBuffer bytes = batch.bytes();
            bytes.limit(batch.offset(run) + batch.length(run)).position(batch.offset(run));
            try
            {
                if (channel.send(bytes, batch.path(run).socketAddress()) == 0)
                {
                    counters.increment(Counter.SOCKET_FULL);
                    break;
                }
                packets++;
                counters.add(Counter.BYTES_SENT, batch.length(run));
            }
            catch (final IOException e)
            {
                counters.increment(Counter.SOCKET_ERRORS);          // lost, as on a bad link
            }
            batch.drop(1);
        }
        counters.add(Counter.PACKETS_SENT, packets);
        return packets;
    }

    @Override
    public int receive(final PacketReceiver receiver)
    {
        int packets = 0;
        while (packets < RECEIVES)
        {
            received.clear();
            final InetSocketAddress source;
            try
            {
                source = (InetSocketAddress) channel.receive(received);
            }
            catch (final IOException e)
            {
                break;                      // an ICMP error of something sent earlier
            }
            if (source == null)
            {
                break;
            }
            final Gid gid = Gid.of(source.getAddress());
            final int length = received.position();
            received.clear();
            receiver.onPacket(
                receivedView, received, 0, length, gid.high(), gid.low(), source.getPort(), false);
            packets++;
        }
        return packets;
    }

    @Override
    public boolean isSegmenting()
    {
        return false;
    }

    @Override
    public int descriptor()
    {
        return -1;
    }

    @Override
    public int localPort()
    {
        return channel.socket().getLocalPort();
    }

    @Override
    public void close()
    {
        try
        {
            channel.close();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}

package io.gannet.rdma.roce;

import io.gannet.rdma.Errno;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.roce.net.ChannelPacketSocket;
import io.gannet.rdma.roce.net.NativePacketSocket;
import io.gannet.rdma.roce.net.PacketSocket;
import io.gannet.rdma.roce.rc.Counters;
import io.gannet.rdma.roce.wire.Packets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * A local address, the interface that has it and the largest path MTU of packets through it.
 */
record LocalPort(InetAddress address, NetworkInterface network, int mtu)
{
    private static final int LOOPBACK_ADDRESSES = 254;
    /** IPv6 and UDP headers, BTH, the largest extended headers and ICRC, as kernel peers reckon. */
    private static final int OVERHEAD = 96;

    static LocalPort of(final InetAddress address)
    {
        try
        {
            final NetworkInterface network = address.isLoopbackAddress() ?
                loopbackInterface() : NetworkInterface.getByInetAddress(address);
            if (network == null)
            {
                throw new RdmaException(Errno.EADDRNOTAVAIL, "cannot open roce:" + address.getHostAddress() +
                    ": no interface of this host has the address");
            }
            return new LocalPort(address, network, pathMtu(network.getMTU()));
        }
        catch (final SocketException e)
        {
            throw new RdmaException(
                Errno.EADDRNOTAVAIL, "cannot open roce:" + address.getHostAddress() + ": " + e.getMessage());
        }
    }

    /** 127.0.0.1 to 127.0.0.254. */
    static List<LocalPort> loopback()
    {
        final List<LocalPort> ports = new ArrayList<>();
        for (int i = 1; i <= LOOPBACK_ADDRESSES; i++)
        {
            try
            {
                ports.add(of(InetAddress.getByAddress(new byte[]{ 127, 0, 0, (byte) i })));
            }
            catch (final UnknownHostException e)
            {
                throw new AssertionError(e);        // only a wrong length is unknown
            }
        }
        return ports;
    }

    /** Largest path MTU, 256 to 4096, whose packets fit an interface's. */
    static int pathMtu(final int interfaceMtu)
    {
        final int room = Math.min(Packets.MAX_MTU, interfaceMtu - OVERHEAD);
        if (room < 256)
        {
            throw new RdmaException(Errno.EINVAL,
                "cannot open a RoCE port on an interface with MTU " + interfaceMtu + ": it must be 352 at least");
        }
        return Integer.highestOneBit(room);
    }

    /** {@link Errno#OK}, or why this host knows no way from one address to the other. */
    static int routeError(final InetAddress from, final InetAddress to)
    {
        try (DatagramChannel channel = DatagramChannel.open())
        {
            channel.bind(new InetSocketAddress(from, 0));
            channel.connect(new InetSocketAddress(to, Packets.UDP_PORT));       // looks up the route, sends nothing
            return Errno.OK;
        }
        catch (final IOException e)
        {
            return Errno.EHOSTUNREACH;
        }
    }

    PacketSocket bind(final RoceOptions options, final Counters counters)
    {
        if (options.systemCalls())
        {
            return new NativePacketSocket(address, Packets.UDP_PORT, true, counters);
        }
        try
        {
            return new ChannelPacketSocket(address, Packets.UDP_PORT, counters);
        }
        catch (final UncheckedIOException e)
        {
            throw new RdmaException(Errno.EADDRINUSE, e.getMessage() + ": " + e.getCause().getMessage());
        }
    }

    private static NetworkInterface loopbackInterface() throws SocketException
    {
        return NetworkInterface.networkInterfaces()
            .filter(LocalPort::isLoopback)
            .findFirst()
            .orElseThrow(() -> new SocketException("this host has no loopback interface"));
    }

    private static boolean isLoopback(final NetworkInterface network)
    {
        try
        {
            return network.isLoopback();
        }
        catch (final SocketException e)
        {
            return false;
        }
    }
}

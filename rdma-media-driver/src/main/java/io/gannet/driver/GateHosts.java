package io.gannet.driver;

import io.gannet.driver.stream.AddressText;
import io.gannet.driver.stream.OutboundStream;
import io.gannet.driver.stream.RemoteSubscriber;
import io.gannet.ring.GatingList;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * Notes in a ring which host has which gate, so that the driver that comes next can name one that does not come back.
 * Owned by the conductor.
 */
final class GateHosts
{
    private static final int ADDRESS_LENGTH = 16;
    private static final int MAPPED = 0xFFFF;
    private static final int MAX_PORT = 0xFFFF;

    private GateHosts()
    {
    }

    /** A host has entered its gate, or is back. */
    static void note(final OutboundStream stream, final InetSocketAddress host)
    {
        for (final RemoteSubscriber subscriber : stream.subscribers())
        {
            if (subscriber.isJoined() && host.equals(subscriber.address()) && !host.isUnresolved())
            {
                note(new GatingList(stream.ring()), subscriber.gate(), host);
            }
        }
    }

    private static void note(final GatingList gates, final int gate, final InetSocketAddress host)
    {
        final byte[] address = host.getAddress().getAddress();
        final ByteBuffer bytes = ByteBuffer.allocate(ADDRESS_LENGTH);
        if (host.getAddress() instanceof Inet4Address)
        {
            bytes.putInt(2 * Integer.BYTES, MAPPED).put(3 * Integer.BYTES, address);
        }
        else
        {
            bytes.put(0, address);
        }
        gates.host(gate, bytes.getLong(0), bytes.getLong(Long.BYTES), host.getPort());
    }

    /** {@return who has a gate, as the driver before has noted it; a placeholder if it has not} */
    static InetSocketAddress of(final GatingList gates, final int gate)
    {
        final int port = gates.hostPort(gate);
        if (!gates.hasHost(gate) || port <= 0 || port > MAX_PORT)
        {
            return AddressText.NOT_BACK_YET;
        }
        try
        {
            final byte[] address = ByteBuffer.allocate(ADDRESS_LENGTH)
                .putLong(gates.hostHigh(gate)).putLong(gates.hostLow(gate)).array();
            return new InetSocketAddress(InetAddress.getByAddress(address), port);
        }
        catch (final UnknownHostException impossible)
        {
            return AddressText.NOT_BACK_YET;
        }
    }
}

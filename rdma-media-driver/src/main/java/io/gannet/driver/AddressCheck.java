package io.gannet.driver;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Tells addresses at which no driver can be.
 */
final class AddressCheck
{
    private static final int IPV4_BITS = Integer.SIZE;

    private AddressCheck()
    {
    }

    /**
     * Looks at an address by itself.
     *
     * @return what is wrong and what to give instead, completing "the address "; or null.
     */
    static String problem(final InetAddress address)
    {
        final String text = address.getHostAddress();
        if (address.isAnyLocalAddress())
        {
            return text + " stands for all addresses of a host and names none: give the one that the driver there has";
        }
        if (address.isMulticastAddress())
        {
            return text + " is a multicast address, from 224.0.0.0 or ff00:: on: endpoint= goes to one host; give " +
                "its address, or let many hosts come by control= with the publisher's address";
        }
        if (address instanceof Inet4Address && isAllOnes(address.getAddress()))
        {
            return broadcast(text);
        }
        return null;
    }

    /** As {@link #problem(InetAddress)}; asks also the interfaces of this host, which takes a while. */
    static String problemHere(final InetAddress address)
    {
        final String problem = problem(address);
        return problem != null || !isBroadcast(address) ? problem : broadcast(address.getHostAddress());
    }

    private static String broadcast(final String text)
    {
        return text + " is a broadcast address: give the address of one host";
    }

    private static boolean isAllOnes(final byte[] bytes)
    {
        final byte[] ones = new byte[bytes.length];
        Arrays.fill(ones, (byte) -1);
        return Arrays.equals(bytes, ones);
    }

    private static boolean isBroadcast(final InetAddress address)
    {
        try
        {
            final List<NetworkInterface> interfaces = NetworkInterface.networkInterfaces().toList();
            return interfaces.stream().flatMap(network -> network.getInterfaceAddresses().stream())
                .anyMatch(own -> isLastOf(own, address));
        }
        catch (final SocketException unknown)
        {
            return false;
        }
    }

    /** Whether all bits behind the network's are ones; loopback has such an address, too, and does not tell it. */
    private static boolean isLastOf(final InterfaceAddress network, final InetAddress address)
    {
        if (!(network.getAddress() instanceof Inet4Address) || !(address instanceof Inet4Address) ||
            network.getNetworkPrefixLength() >= IPV4_BITS - 1)
        {
            return false;
        }
        final int hosts = -1 >>> network.getNetworkPrefixLength();
        return word(address) == (word(network.getAddress()) | hosts);
    }

    private static int word(final InetAddress address)
    {
        return ByteBuffer.wrap(address.getAddress()).getInt();
    }
}

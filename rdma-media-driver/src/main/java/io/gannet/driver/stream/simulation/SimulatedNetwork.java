package io.gannet.driver.stream.simulation;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;

/**
 * Names and addresses of hosts. A host may get another address, and its name tells that a little later.
 */
final class SimulatedNetwork
{
    private static final int PORT = 4000;
    private static final String PREFIX = "host";

    private final int[] moves;
    private final int[] named;
    private final Map<InetAddress, Integer> owners = new HashMap<>();

    SimulatedNetwork(final int hosts)
    {
        moves = new int[hosts];
        named = new int[hosts];
        for (int i = 0; i < hosts; i++)
        {
            owners.put(address(i), i);
        }
    }

    /** {@return the host's address at present} */
    InetAddress address(final int index)
    {
        return address(index, moves[index]);
    }

    /** {@return what tells others where the host's driver is, whatever its address} */
    static InetSocketAddress name(final int index)
    {
        return InetSocketAddress.createUnresolved(PREFIX + index, PORT);
    }

    /** {@return any address of the host the driver runs at} */
    static InetSocketAddress anyAddress()
    {
        return new InetSocketAddress(PORT);
    }

    /** {@return the address that a name stands for, perhaps that of a while ago} */
    InetSocketAddress lookUp(final InetSocketAddress name)
    {
        final int index = Integer.parseInt(name.getHostString().substring(PREFIX.length()));
        return new InetSocketAddress(address(index, named[index]), name.getPort());
    }

    /** The host has another address. */
    void move(final int index)
    {
        moves[index]++;
        owners.put(address(index), index);
    }

    /** The name of the host stands for its address. */
    void rename(final int index)
    {
        named[index] = moves[index];
    }

    /** {@return which host has, or had, the address; -1 if it is none's} */
    int hostAt(final InetSocketAddress address)
    {
        return address.isUnresolved() ? -1 : owners.getOrDefault(address.getAddress(), -1);
    }

    private static InetAddress address(final int index, final int move)
    {
        try
        {
            return InetAddress.getByAddress(new byte[] {10, 1, (byte) move, (byte) (1 + index)});
        }
        catch (final UnknownHostException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}

package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.control.ErrorCode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * The address that a channel names. A name look-up may take long, so it isn't for the conductor.
 */
final class Endpoint
{
    private Endpoint()
    {
    }

    /** {@return the endpoint of a channel if it is a loopback address as such, else null} */
    static InetAddress loopback(final Channel channel)
    {
        final String text = channel.endpoint();
        if (text == null)
        {
            return null;
        }
        try
        {
            final InetAddress address = InetAddress.ofLiteral(text.substring(0, text.lastIndexOf(':')));
            return address.isLoopbackAddress() ? address : null;
        }
        catch (final IllegalArgumentException name)
        {
            return null;
        }
    }

    /**
     * Looks up the endpoint of an rdma channel.
     *
     * @return null for a channel that has none.
     * @throws RefusedException if the host is not known.
     */
    static InetSocketAddress resolve(final Channel channel)
    {
        final String text = channel.endpoint();
        if (text == null)
        {
            return null;
        }
        final int colon = text.lastIndexOf(':');
        final String host = text.substring(0, colon);
        try
        {
            return new InetSocketAddress(
                InetAddress.getByName(host), Integer.parseInt(text.substring(colon + 1)));
        }
        catch (final UnknownHostException e)
        {
            throw new RefusedException(ErrorCode.INVALID_CHANNEL, "channel " + channel + ": host " + host +
                " is not known; check the name or give an address");
        }
    }
}

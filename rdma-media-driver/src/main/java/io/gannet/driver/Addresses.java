package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.control.ErrorCode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * The addresses that rdma channels name. Thread-safe.
 */
final class Addresses
{
    private final HostNames names;
    private volatile InetAddress own;

    Addresses(final HostNames names)
    {
        this.names = names;
    }

    /** Says what the address of this driver's device is; before any channel comes. */
    void own(final InetAddress deviceAddress)
    {
        own = deviceAddress;
    }

    /** {@return the host of a channel if it is a loopback address as such, else null} */
    static InetAddress loopback(final Channel channel)
    {
        final InetSocketAddress named = named(channel);
        return named == null || named.isUnresolved() || !named.getAddress().isLoopbackAddress() ?
            null : named.getAddress();
    }

    /** A port of this driver's device. */
    InetSocketAddress ownAt(final int port)
    {
        return new InetSocketAddress(own, port);
    }

    /** Whether it is this driver's device; false if it could not be looked up. */
    boolean isOwn(final Place place)
    {
        return own.equals(place.address().getAddress());
    }

    /**
     * Looks a channel's host up, on the resource thread.
     *
     * @return null for a channel that has none.
     * @throws RefusedException if the host is not known.
     */
    Place resolve(final Channel channel)
    {
        final InetSocketAddress named = named(channel);
        if (named == null)
        {
            return null;
        }
        try
        {
            return new Place(named.isUnresolved() ? lookUp(named) : named, channel.control() != null);
        }
        catch (final UnknownHostException e)
        {
            throw new RefusedException(ErrorCode.INVALID_CHANNEL, "channel " + channel + ": host " +
                named.getHostString() + " is not known; check the name or give an address");
        }
    }

    /**
     * Looks up where a publication goes, on the resource thread.
     *
     * @throws RefusedException if the host is not known, or subscribers can't come there.
     */
    Place ofPublication(final Channel channel)
    {
        final Place place = resolve(channel);
        if (place != null && place.fanOut() && !isOwn(place))
        {
            throw new RefusedException(ErrorCode.INVALID_CHANNEL, "channel " + channel + ": control= of a " +
                "publication is where subscribers' drivers connect, and this driver's device has the address " +
                own.getHostAddress() + "; give that one");
        }
        return place;
    }

    /** Looks up where a ring of the driver before belongs, which it does even if the host is not known now. */
    Place ofLeftRing(final Channel channel)
    {
        try
        {
            return resolve(channel);
        }
        catch (final RefusedException unknown)
        {
            return new Place(named(channel), channel.control() != null);
        }
    }

    InetSocketAddress lookUp(final InetSocketAddress name) throws UnknownHostException
    {
        return new InetSocketAddress(names.lookUp(name.getHostString()), name.getPort());
    }

    /** What a channel names: resolved if that is a literal address, else to be looked up; null if it names nothing. */
    static InetSocketAddress named(final Channel channel)
    {
        final String text = channel.control() != null ? channel.control() : channel.endpoint();
        return text == null ? null : parse(text);
    }

    /** A host:port: resolved if the host is a literal address, else to be looked up. */
    static InetSocketAddress parse(final String text)
    {
        final int colon = text.lastIndexOf(':');
        final String host = text.substring(0, colon);
        final int port = Integer.parseInt(text.substring(colon + 1));
        try
        {
            return new InetSocketAddress(InetAddress.ofLiteral(host), port);
        }
        catch (final IllegalArgumentException name)
        {
            return InetSocketAddress.createUnresolved(host, port);
        }
    }

    /** A channel's host:port of an address. */
    static String text(final InetSocketAddress address)
    {
        final String host = address.isUnresolved() ?
            address.getHostString() : address.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }
}

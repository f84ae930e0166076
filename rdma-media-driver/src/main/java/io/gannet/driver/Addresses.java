package io.gannet.driver;

import io.gannet.Channel;
import io.gannet.control.ErrorCode;
import io.gannet.driver.stream.AddressText;
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

    /** {@return the host of a channel if it is an address as such, else null} */
    static InetAddress literal(final Channel channel)
    {
        final InetSocketAddress named = named(channel);
        return named == null || named.isUnresolved() ? null : named.getAddress();
    }

    /** {@return whether a channel's host has to be looked up} */
    static boolean isByName(final Channel channel)
    {
        final InetSocketAddress named = named(channel);
        return named != null && named.isUnresolved();
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
     * Looks a channel's host up, not on the conductor's thread.
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
            final InetSocketAddress address = named.isUnresolved() ?
                new InetSocketAddress(names.lookUp(named.getHostString()), named.getPort()) : named;
            final String problem = problem(address.getAddress());
            if (problem != null)
            {
                throw refuse(channel, named, problem);
            }
            return new Place(address, channel.control() != null);
        }
        catch (final UnknownHostException e)
        {
            throw new RefusedException(ErrorCode.INVALID_CHANNEL, "channel " + channel + ": host " +
                named.getHostString() + " is not known; check the name or give an address");
        }
    }

    /**
     * Refuses a literal address at which no driver can be, without a look at this host.
     *
     * @throws RefusedException with the remedy.
     */
    static void check(final Channel channel)
    {
        final InetSocketAddress named = named(channel);
        final String problem =
            named == null || named.isUnresolved() ? null : AddressCheck.problem(named.getAddress());
        if (problem != null)
        {
            throw refuse(channel, named, problem);
        }
    }

    private static RefusedException refuse(
        final Channel channel, final InetSocketAddress named, final String problem)
    {
        return new RefusedException(ErrorCode.INVALID_CHANNEL, "channel " + channel + ": " +
            (named.isUnresolved() ? "host " + named.getHostString() + " has the address " : "") + problem);
    }

    /** What is wrong with an address for this driver's device, or null. */
    private String problem(final InetAddress address)
    {
        final InetAddress device = own;
        if (device != null && device.getClass() != address.getClass())
        {
            return address.getHostAddress() + ", and this driver's device has " + device.getHostAddress() +
                ": both have to be IPv4, or both IPv6; give such an address, or start the driver with another " +
                DriverOptions.DEVICE_ADDRESS;
        }
        return AddressCheck.problemHere(address);
    }

    /**
     * Looks up where a publication goes, not on the conductor's thread.
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

    /**
     * Looks a name up, not on the conductor's thread.
     *
     * @throws UnknownHostException with a clause for people: it is not known, or means what can't be.
     */
    InetSocketAddress lookUp(final InetSocketAddress name) throws UnknownHostException
    {
        final String host = name.getHostString();
        final InetAddress address;
        try
        {
            address = names.lookUp(host);
        }
        catch (final UnknownHostException unknown)
        {
            // Its own message may be the bare name.
            throw (UnknownHostException) new UnknownHostException("host " + host + " is not known").initCause(unknown);
        }
        final String problem = problem(address);
        if (problem != null)
        {
            throw new UnknownHostException("host " + host + " has the address " + problem);
        }
        return new InetSocketAddress(address, name.getPort());
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

    /** The address with the word host before it. */
    static String host(final InetSocketAddress address)
    {
        return AddressText.host(address);
    }

    /** A channel's host:port of an address. */
    static String text(final InetSocketAddress address)
    {
        return AddressText.of(address);
    }
}

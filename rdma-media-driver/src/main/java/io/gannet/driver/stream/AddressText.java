package io.gannet.driver.stream;

import java.net.InetSocketAddress;

/**
 * Addresses in messages, labels and channels: {@code host:port}, an IPv6 address in brackets. Of a name that was looked
 * up the address is shown.
 */
public final class AddressText
{
    /** A subscribers' driver that an earlier driver had, without a note of its address, before it has come back. */
    public static final InetSocketAddress NOT_BACK_YET =
        InetSocketAddress.createUnresolved("a host that is not back yet", 0);

    private AddressText()
    {
    }

    /** {@return the address as text, with the word host before it} */
    public static String host(final InetSocketAddress address)
    {
        return NOT_BACK_YET.equals(address) ? of(address) : "host " + of(address);
    }

    /** {@return the host alone, for what is repeated from one port after the other and should be told once} */
    public static String withoutPort(final InetSocketAddress address)
    {
        return address.isUnresolved() ? address.getHostString() : address.getAddress().getHostAddress();
    }

    /** {@return the address as text} */
    public static String of(final InetSocketAddress address)
    {
        if (NOT_BACK_YET.equals(address))
        {
            return address.getHostString();
        }
        final String host = withoutPort(address);
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }
}

package io.gannet.rdma.verbs;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.agrona.UnsafeApi;

/**
 * {@code sockaddr_in} and {@code sockaddr_in6} in native memory.
 * <pre>
 *  0        2      4          8                  16             24         28
 *  +--------+------+----------+------------------+--------------+----------+
 *  | family | port | IPv4     | zero             |              |          |
 *  | family | port | flow     | IPv6 ... 16 bytes               | scope id |
 *  +--------+------+----------+------------------+--------------+----------+
 * </pre>
 * Port and address are big-endian.
 */
final class SocketAddresses
{
    static final int SIZE = 28;

    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int FAMILY = 0;
    private static final int PORT = 2;
    private static final int ADDRESS = 4;
    private static final int ADDRESS6 = 8;
    private static final int SCOPE = 24;

    private SocketAddresses()
    {
    }

    /**
     * @param at {@value #SIZE} bytes.
     */
    static void write(final long at, final InetAddress address, final int port)
    {
        UnsafeApi.setMemory(at, SIZE, (byte) 0);
        final boolean ipv4 = address instanceof Inet4Address;
        UnsafeApi.putShort(at + FAMILY, (short) (ipv4 ? AF_INET : AF_INET6));
        UnsafeApi.putShort(at + PORT, Short.reverseBytes((short) port));
        final byte[] bytes = address.getAddress();
        for (int i = 0; i < bytes.length; i++)
        {
            UnsafeApi.putByte(at + (ipv4 ? ADDRESS : ADDRESS6) + i, bytes[i]);
        }
        if (address instanceof Inet6Address ipv6)
        {
            UnsafeApi.putInt(at + SCOPE, ipv6.getScopeId());
        }
    }

    /** {@return the address, or null if the family is neither} */
    static InetSocketAddress read(final long at)
    {
        final int family = UnsafeApi.getShort(at + FAMILY);
        if (family != AF_INET && family != AF_INET6)
        {
            return null;
        }
        final byte[] bytes = new byte[family == AF_INET ? 4 : 16];
        for (int i = 0; i < bytes.length; i++)
        {
            bytes[i] = UnsafeApi.getByte(at + (family == AF_INET ? ADDRESS : ADDRESS6) + i);
        }
        try
        {
            final int scope = family == AF_INET ? 0 : UnsafeApi.getInt(at + SCOPE);
            final InetAddress address = scope == 0 ?
                InetAddress.getByAddress(bytes) : Inet6Address.getByAddress(null, bytes, scope);
            return new InetSocketAddress(address, Short.reverseBytes(UnsafeApi.getShort(at + PORT)) & 0xffff);
        }
        catch (final UnknownHostException e)
        {
            throw new IllegalStateException(e);
        }
    }
}

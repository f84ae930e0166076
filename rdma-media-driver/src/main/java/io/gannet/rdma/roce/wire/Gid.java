package io.gannet.rdma.roce.wire;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A port's address: 128 bits, an IPv6 address or ::ffff:a.b.c.d for IPv4.
 *
 * @param high first eight bytes, as a big-endian number.
 * @param low  last eight bytes.
 */
public record Gid(long high, long low)
{
    /** Bytes. */
    public static final int SIZE = 16;
    private static final long IPV4_PREFIX = 0x0000_ffff_0000_0000L;
    private static final long IPV4_MASK = 0xffff_ffff_0000_0000L;

    /** The GID at {@code offset}. */
    public static Gid read(final UnsafeBuffer buffer, final int offset)
    {
        return new Gid(
            buffer.getLong(offset, ByteOrder.BIG_ENDIAN), buffer.getLong(offset + Long.BYTES, ByteOrder.BIG_ENDIAN));
    }

    /** The GID of an IPv4 or IPv6 address. */
    public static Gid of(final InetAddress address)
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(address.getAddress());
        return bytes.capacity() == Integer.BYTES ? ofIpv4(bytes.getInt(0, ByteOrder.BIG_ENDIAN)) : read(bytes, 0);
    }

    /** The GID of an IPv4 address, first byte most significant. */
    public static Gid ofIpv4(final int address)
    {
        return new Gid(0, IPV4_PREFIX | (address & 0xffff_ffffL));
    }

    /** Writes the 16 bytes at {@code offset}. */
    public void write(final UnsafeBuffer buffer, final int offset)
    {
        buffer.putLong(offset, high, ByteOrder.BIG_ENDIAN);
        buffer.putLong(offset + Long.BYTES, low, ByteOrder.BIG_ENDIAN);
    }

    /** Whether this is a mapped IPv4 address. */
    public boolean isIpv4()
    {
        return high == 0 && (low & IPV4_MASK) == IPV4_PREFIX;
    }

    /** The IPv4 address, if {@link #isIpv4}. */
    public int ipv4()
    {
        return (int) low;
    }

    /** The address, mapped IPv4 as {@link java.net.Inet4Address}. */
    public InetAddress toInetAddress()
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[isIpv4() ? Integer.BYTES : SIZE]);
        if (isIpv4())
        {
            bytes.putInt(0, ipv4(), ByteOrder.BIG_ENDIAN);
        }
        else
        {
            write(bytes, 0);
        }
        try
        {
            return InetAddress.getByAddress(bytes.byteArray());
        }
        catch (final UnknownHostException e)
        {
            throw new AssertionError(e);        // only a wrong length is unknown
        }
    }

    @Override
    public String toString()
    {
        return toInetAddress().getHostAddress();
    }
}

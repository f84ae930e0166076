package io.gannet.os;

import java.lang.foreign.Arena;
import java.net.Inet4Address;
import java.net.InetAddress;
import org.agrona.UnsafeApi;

/**
 * An array of messages for sendmmsg(2) and recvmmsg(2) in native memory: headers, then per message one buffer
 * descriptor, one address and room for control data.
 * <pre>
 * mmsghdr, 64 bytes      0 name  8 name length  16 iov  24 iov count  32 control  40 control length
 *                        48 flags  56 length
 * iovec, 16 bytes        0 base  8 length
 * sockaddr_in, 16 bytes  0 family  2 port BE  4 address BE
 * sockaddr_in6, 28 bytes 0 family  2 port BE  4 flow  8 address  24 scope
 * cmsghdr, 16 bytes      0 length  8 level  12 type  16 data, padded to 8
 * </pre>
 * Not thread-safe.
 */
public final class SocketMessages
{
    /** Bytes of the largest address. */
    public static final int ADDRESS_SIZE = 28;

    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int HEADER = 64;
    private static final int NAME = 0;
    private static final int NAME_LENGTH = 8;
    private static final int IOV = 16;
    private static final int IOV_COUNT = 24;
    private static final int CONTROL = 32;
    private static final int CONTROL_LENGTH = 40;
    private static final int FLAGS = 48;
    private static final int LENGTH = 56;
    private static final int IOV_SIZE = 16;
    private static final int NAME_ROOM = 32;
    private static final int CONTROL_ROOM = 96;
    private static final int CMSG_HEADER = 16;
    private static final int SOL_IP = 0;
    private static final int SOL_UDP = 17;
    private static final int SOL_IPV6 = 41;
    private static final int IP_TOS = 1;
    private static final int IPV6_TCLASS = 67;
    private static final int UDP_SEGMENT = 103;
    private static final int UDP_GRO = 104;
    private static final int MSG_TRUNC = 0x20;

    private final long base;
    private final long vectors;
    private final long names;
    private final long controls;
    private final int count;

    /** Makes room for {@code count} messages; the memory lives as long as {@code arena}. */
    public SocketMessages(final int count, final Arena arena)
    {
        this.count = count;
        final long each = HEADER + IOV_SIZE + NAME_ROOM + CONTROL_ROOM;
        base = arena.allocate(count * each, 64).address();
        vectors = base + (long) count * HEADER;
        names = vectors + (long) count * IOV_SIZE;
        controls = names + (long) count * NAME_ROOM;
        for (int i = 0; i < count; i++)
        {
            UnsafeApi.putLong(address(i) + NAME, names + (long) i * NAME_ROOM);
            UnsafeApi.putLong(address(i) + IOV, vectors + (long) i * IOV_SIZE);
            UnsafeApi.putLong(address(i) + IOV_COUNT, 1);
            UnsafeApi.putLong(address(i) + CONTROL, controls + (long) i * CONTROL_ROOM);
        }
    }

    /** Messages that fit. */
    public int count()
    {
        return count;
    }

    /** Where a message's header is. */
    long address(final int index)
    {
        return base + (long) index * HEADER;
    }

    /** Sets the bytes of a message. */
    public void buffer(final int index, final long address, final long length)
    {
        UnsafeApi.putLong(vectors + (long) index * IOV_SIZE, address);
        UnsafeApi.putLong(vectors + (long) index * IOV_SIZE + 8, length);
    }

    /** Sets the destination: a copy of {@code length} bytes that {@link #writeAddress} has written. */
    public void destination(final int index, final long socketAddress, final int length)
    {
        UnsafeApi.copyMemory(socketAddress, names + (long) index * NAME_ROOM, length);
        UnsafeApi.putInt(address(index) + NAME_LENGTH, length);
        UnsafeApi.putLong(address(index) + CONTROL_LENGTH, 0);
        UnsafeApi.putInt(address(index) + FLAGS, 0);
    }

    /** Adds the traffic class; after {@link #destination}. */
    public void trafficClass(final int index, final int trafficClass)
    {
        final boolean ipv6 = family(index) == AF_INET6;
        final long at = control(index, ipv6 ? SOL_IPV6 : SOL_IP, ipv6 ? IPV6_TCLASS : IP_TOS, Integer.BYTES);
        UnsafeApi.putInt(at, trafficClass);
    }

    /** Lets the kernel cut the bytes into datagrams of {@code size}, the last perhaps shorter. */
    public void segmentSize(final int index, final int size)
    {
        UnsafeApi.putShort(control(index, SOL_UDP, UDP_SEGMENT, Short.BYTES), (short) size);
    }

    /** Makes a message ready to be received into. */
    public void prepareReceive(final int index)
    {
        UnsafeApi.putInt(address(index) + NAME_LENGTH, NAME_ROOM);
        UnsafeApi.putLong(address(index) + CONTROL_LENGTH, CONTROL_ROOM);
        UnsafeApi.putInt(address(index) + FLAGS, 0);
    }

    /** Bytes received. */
    public int length(final int index)
    {
        return UnsafeApi.getInt(address(index) + LENGTH);
    }

    /** Whether more was received than fitted. */
    public boolean isTruncated(final int index)
    {
        return (UnsafeApi.getInt(address(index) + FLAGS) & MSG_TRUNC) != 0;
    }

    /** Size of each coalesced datagram but the last; the whole length where nothing was coalesced. */
    public int receivedSegmentSize(final int index)
    {
        final long at = find(index, SOL_UDP, UDP_GRO);
        final int size = at == 0 ? 0 : UnsafeApi.getInt(at);
        return size > 0 ? size : length(index);
    }

    /** Traffic class of a received message, 0 if the kernel didn't say. */
    public int receivedTrafficClass(final int index)
    {
        final boolean ipv6 = family(index) == AF_INET6;
        final long at = ipv6 ? find(index, SOL_IPV6, IPV6_TCLASS) : find(index, SOL_IP, IP_TOS);
        return at == 0 ? 0 : UnsafeApi.getByte(at) & 0xff;
    }

    /** Whether a received message came over IPv6. */
    public boolean isIpv6(final int index)
    {
        return family(index) == AF_INET6;
    }

    /** Sender's port. */
    public int sourcePort(final int index)
    {
        return port(names + (long) index * NAME_ROOM);
    }

    /** Sender's IPv4 address, first byte most significant. */
    public int sourceIpv4(final int index)
    {
        return Integer.reverseBytes(UnsafeApi.getInt(names + (long) index * NAME_ROOM + 4));
    }

    /** First half of the sender's IPv6 address, first byte most significant. */
    public long sourceHigh(final int index)
    {
        return Long.reverseBytes(UnsafeApi.getLong(names + (long) index * NAME_ROOM + 8));
    }

    /** Second half of the sender's IPv6 address. */
    public long sourceLow(final int index)
    {
        return Long.reverseBytes(UnsafeApi.getLong(names + (long) index * NAME_ROOM + 16));
    }

    /**
     * Writes a socket address.
     *
     * @return its bytes, at most {@link #ADDRESS_SIZE}.
     */
    public static int writeAddress(final long at, final InetAddress address, final int port)
    {
        final byte[] bytes = address.getAddress();
        final boolean ipv4 = address instanceof Inet4Address;
        UnsafeApi.putShort(at, (short) (ipv4 ? AF_INET : AF_INET6));
        UnsafeApi.putShort(at + 2, Short.reverseBytes((short) port));
        UnsafeApi.putInt(at + 4, 0);
        for (int i = 0; i < bytes.length; i++)
        {
            UnsafeApi.putByte(at + (ipv4 ? 4 : 8) + i, bytes[i]);
        }
        final int length = ipv4 ? 16 : ADDRESS_SIZE;
        for (int i = (ipv4 ? 4 : 8) + bytes.length; i < length; i++)
        {
            UnsafeApi.putByte(at + i, (byte) 0);
        }
        return length;
    }

    static int port(final long socketAddress)
    {
        return Short.toUnsignedInt(Short.reverseBytes(UnsafeApi.getShort(socketAddress + 2)));
    }

    private int family(final int index)
    {
        return UnsafeApi.getShort(names + (long) index * NAME_ROOM);
    }

    /** Appends a control message and returns where its data goes. */
    private long control(final int index, final int level, final int type, final int size)
    {
        final long used = UnsafeApi.getLong(address(index) + CONTROL_LENGTH);
        final long at = controls + (long) index * CONTROL_ROOM + used;
        UnsafeApi.putLong(at, CMSG_HEADER + (long) size);
        UnsafeApi.putInt(at + 8, level);
        UnsafeApi.putInt(at + 12, type);
        UnsafeApi.putLong(address(index) + CONTROL_LENGTH, used + CMSG_HEADER + Long.BYTES);
        return at + CMSG_HEADER;
    }

    /** Where the data of a received control message is, 0 if there is none of that kind. */
    private long find(final int index, final int level, final int type)
    {
        final long start = controls + (long) index * CONTROL_ROOM;
        final long end = start + UnsafeApi.getLong(address(index) + CONTROL_LENGTH);
        long at = start;
        while (at + CMSG_HEADER <= end)
        {
            if (UnsafeApi.getInt(at + 8) == level && UnsafeApi.getInt(at + 12) == type)
            {
                return at + CMSG_HEADER;
            }
            at += Math.max(CMSG_HEADER, (UnsafeApi.getLong(at) + 7) & -8);
        }
        return 0;
    }
}

package io.gannet.rdma.roce.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What the ICRC covers in front of the UDP payload, with all that may change on the way set to ones.
 * <pre>
 *  0            8                       28 (48)        36 (56)          48 (68)
 *  +------------+-----------------------+--------------+-----------------+
 *  | 8 x 0xff   | IPv4 (IPv6) header    | UDP header   | BTH, byte 4     |
 *  | for LRH    | ToS, TTL, checksum    | checksum     | 0xff            |
 *  |            | 0xff                  | 0xffff       |                 |
 *  +------------+-----------------------+--------------+-----------------+
 * </pre>
 * IPv6 masks traffic class, flow label and hop limit. The IPv4 header is taken without options and with DF set.
 */
final class PseudoHeader
{
    static final int MAX_SIZE = 68;
    static final int IPV4_UDP = 28;
    static final int IPV4_BTH = 36;
    static final int IPV4_SIZE = 48;
    static final int IPV4_ID = 12;

    private static final int IPV4_HEADER = 8;
    private static final int IPV4_LENGTH = 10;
    private static final int IPV4_FRAGMENT = 14;
    private static final int IPV4_SOURCE = 20;
    private static final int IPV4_DESTINATION = 24;
    private static final int IPV6_LENGTH = 12;
    private static final int IPV6_SOURCE = 16;
    private static final int IPV6_DESTINATION = 32;
    private static final int IPV6_UDP = 48;
    private static final int IPV6_BTH = 56;
    private static final int UDP_LENGTH = 4;
    private static final int IPV4_HEADER_SIZE = 20;
    private static final int UDP_HEADER_SIZE = 8;
    private static final int DONT_FRAGMENT = 0x4000;
    private static final short UDP = 17;

    private final ByteBuffer bytes = ByteBuffer.allocateDirect(MAX_SIZE);
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    private boolean ipv4;

    void ipv4(final int source, final int destination, final int sourcePort)
    {
        ipv4 = true;
        buffer.setMemory(0, MAX_SIZE, (byte) 0xff);
        buffer.putShort(IPV4_HEADER, (short) 0x45ff, ByteOrder.BIG_ENDIAN);
        buffer.putShort(IPV4_FRAGMENT, (short) DONT_FRAGMENT, ByteOrder.BIG_ENDIAN);
        buffer.putByte(IPV4_HEADER + 9, (byte) UDP);
        buffer.putInt(IPV4_SOURCE, source, ByteOrder.BIG_ENDIAN);
        buffer.putInt(IPV4_DESTINATION, destination, ByteOrder.BIG_ENDIAN);
        ports(IPV4_UDP, sourcePort);
    }

    void ipv6(final Gid source, final Gid destination, final int sourcePort)
    {
        ipv4 = false;
        buffer.setMemory(0, MAX_SIZE, (byte) 0xff);
        buffer.putInt(IPV4_HEADER, 0x6fff_ffff, ByteOrder.BIG_ENDIAN);
        buffer.putByte(IPV6_LENGTH + 2, (byte) UDP);
        source.write(buffer, IPV6_SOURCE);
        destination.write(buffer, IPV6_DESTINATION);
        ports(IPV6_UDP, sourcePort);
    }

    boolean isIpv4()
    {
        return ipv4;
    }

    /** Fills in what depends on the packet of {@code length} bytes, BTH to ICRC, and returns the covered bytes. */
    ByteBuffer forPacket(final UnsafeBuffer packet, final int offset, final int length, final int ipId)
    {
        final int udpLength = UDP_HEADER_SIZE + length;
        final int bth;
        if (ipv4)
        {
            buffer.putShort(IPV4_LENGTH, (short) (IPV4_HEADER_SIZE + udpLength), ByteOrder.BIG_ENDIAN);
            buffer.putShort(IPV4_ID, (short) ipId, ByteOrder.BIG_ENDIAN);
            buffer.putShort(IPV4_UDP + UDP_LENGTH, (short) udpLength, ByteOrder.BIG_ENDIAN);
            bth = IPV4_BTH;
        }
        else
        {
            buffer.putShort(IPV6_LENGTH, (short) udpLength, ByteOrder.BIG_ENDIAN);
            buffer.putShort(IPV6_UDP + UDP_LENGTH, (short) udpLength, ByteOrder.BIG_ENDIAN);
            bth = IPV6_BTH;
        }
        buffer.putLong(bth, packet.getLong(offset));
        buffer.putInt(bth + Long.BYTES, packet.getInt(offset + Long.BYTES));
        buffer.putByte(bth + Bth.CONGESTION, (byte) 0xff);
        return bytes.limit(bth + Bth.SIZE).position(0);
    }

    private void ports(final int udp, final int sourcePort)
    {
        buffer.putShort(udp, (short) sourcePort, ByteOrder.BIG_ENDIAN);
        buffer.putShort(udp + 2, (short) Packets.UDP_PORT, ByteOrder.BIG_ENDIAN);
    }
}

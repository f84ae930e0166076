package io.gannet.samples.marketdata.source;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * Reads a packet capture (pcap, either byte order, micro- or nanoseconds) and finds the UDP payload of each packet:
 * Ethernet with VLAN tags, Linux cooked, or raw IP; IPv4 and IPv6. Other packets are counted and passed over.
 */
final class PcapReader implements Closeable
{
    static final int MICROS = 0xA1B2C3D4;
    static final int NANOS = 0xA1B23C4D;
    static final int PCAPNG = 0x0A0D0D0A;

    private static final int FILE_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final int MAX_PACKET = 256 * 1024;
    private static final int ETHERNET = 1;
    private static final int RAW_IP = 101;
    private static final int LINUX_COOKED = 113;
    private static final int UDP = 17;
    private static final int UDP_HEADER = 8;

    private final ByteSource in;
    private final ByteOrder order;
    private final long fraction;
    private final int linkType;
    private int packetLength;
    private long time;
    private int payloadIndex;
    private int payloadLength;
    private int destinationPort;
    private long otherPackets;

    /** Reads the file header, whose first word was seen to be one of a capture. */
    PcapReader(final ByteSource in) throws IOException
    {
        this.in = in;
        final int index = in.peek(FILE_HEADER, "the header of the capture");
        final DirectBuffer buffer = in.buffer();
        final int little = buffer.getInt(index, ByteOrder.LITTLE_ENDIAN);
        order = little == MICROS || little == NANOS ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        fraction = buffer.getInt(index, order) == NANOS ? 1 : 1_000;
        final int major = buffer.getShort(index + 4, order);
        if (major != 2)
        {
            throw in.error(4, "version " + major + " of the capture format is not supported, only 2");
        }
        linkType = buffer.getInt(index + 20, order) & 0xFFFF;
        if (linkType != ETHERNET && linkType != RAW_IP && linkType != LINUX_COOKED)
        {
            throw in.error(20, "link type " + linkType + " is not supported, only Ethernet (1), raw IP (101) and" +
                " Linux cooked (113)");
        }
        in.skip(FILE_HEADER);
    }

    static boolean isCapture(final int firstWordLittleEndian)
    {
        final int swapped = Integer.reverseBytes(firstWordLittleEndian);
        return firstWordLittleEndian == MICROS || firstWordLittleEndian == NANOS || swapped == MICROS ||
            swapped == NANOS;
    }

    /** Goes to the next UDP packet; false at the end of the file. */
    boolean next() throws IOException
    {
        in.skip(packetLength);
        packetLength = 0;
        while (!in.atEnd())
        {
            final int header = in.peek(RECORD_HEADER, "the header of a packet");
            final DirectBuffer buffer = in.buffer();
            final long captured = buffer.getInt(header + 8, order) & 0xFFFF_FFFFL;
            final long original = buffer.getInt(header + 12, order) & 0xFFFF_FFFFL;
            if (captured > MAX_PACKET)
            {
                throw in.error(8, "a packet of " + captured + " bytes, the largest is " + MAX_PACKET);
            }
            if (captured < original)
            {
                throw in.error(8, "only " + captured + " of " + original +
                    " bytes of a packet were captured; capture with a larger snapshot length (tcpdump -s 0)");
            }
            time = (buffer.getInt(header, order) & 0xFFFF_FFFFL) * 1_000_000_000L +
                (buffer.getInt(header + 4, order) & 0xFFFF_FFFFL) * fraction;
            in.skip(RECORD_HEADER);
            final int index = in.peek((int) captured, "a packet");
            if (findUdp(in.buffer(), index, (int) captured))
            {
                packetLength = (int) captured;
                return true;
            }
            otherPackets++;
            in.skip((int) captured);
        }
        return false;
    }

    private boolean findUdp(final DirectBuffer buffer, final int index, final int length)
    {
        int at = 0;
        int etherType = 0x0800;
        if (linkType == RAW_IP)
        {
            etherType = length > 0 && (buffer.getByte(index) & 0xF0) == 0x60 ? 0x86DD : 0x0800;
        }
        else
        {
            at = linkType == ETHERNET ? 14 : 16;
            if (length < at)
            {
                return false;
            }
            etherType = buffer.getShort(index + at - 2, ByteOrder.BIG_ENDIAN) & 0xFFFF;
            while ((etherType == 0x8100 || etherType == 0x88A8) && length >= at + 4)
            {
                etherType = buffer.getShort(index + at + 2, ByteOrder.BIG_ENDIAN) & 0xFFFF;
                at += 4;
            }
        }
        return switch (etherType)
        {
            case 0x0800 -> ipv4(buffer, index, at, length);
            case 0x86DD -> ipv6(buffer, index, at, length);
            default -> false;
        };
    }

    private boolean ipv4(final DirectBuffer buffer, final int index, final int at, final int length)
    {
        if (length < at + 20 || (buffer.getByte(index + at) & 0xF0) != 0x40)
        {
            return false;
        }
        final int header = (buffer.getByte(index + at) & 0xF) * 4;
        final int total = buffer.getShort(index + at + 2, ByteOrder.BIG_ENDIAN) & 0xFFFF;
        final boolean fragment = (buffer.getShort(index + at + 6, ByteOrder.BIG_ENDIAN) & 0x3FFF) != 0;
        return header >= 20 && total >= header && !fragment && (buffer.getByte(index + at + 9) & 0xFF) == UDP &&
            udp(buffer, index, at + header, Math.min(length, at + total));
    }

    private boolean ipv6(final DirectBuffer buffer, final int index, final int at, final int length)
    {
        return length >= at + 40 && (buffer.getByte(index + at) & 0xF0) == 0x60 &&
            (buffer.getByte(index + at + 6) & 0xFF) == UDP &&
            udp(buffer, index, at + 40, Math.min(length, at + 40 +
                (buffer.getShort(index + at + 4, ByteOrder.BIG_ENDIAN) & 0xFFFF)));
    }

    private boolean udp(final DirectBuffer buffer, final int index, final int at, final int end)
    {
        if (end < at + UDP_HEADER)
        {
            return false;
        }
        final int udpLength = buffer.getShort(index + at + 4, ByteOrder.BIG_ENDIAN) & 0xFFFF;
        if (udpLength < UDP_HEADER || at + udpLength > end)
        {
            return false;
        }
        destinationPort = buffer.getShort(index + at + 2, ByteOrder.BIG_ENDIAN) & 0xFFFF;
        payloadIndex = at + UDP_HEADER;
        payloadLength = udpLength - UDP_HEADER;
        return true;
    }

    DirectBuffer buffer()
    {
        return in.buffer();
    }

    /** Index of the payload in the buffer. */
    int payload()
    {
        return in.index() + payloadIndex;
    }

    int payloadLength()
    {
        return payloadLength;
    }

    int destinationPort()
    {
        return destinationPort;
    }

    /** Time of capture, nanoseconds since the epoch. */
    long time()
    {
        return time;
    }

    long otherPackets()
    {
        return otherPackets;
    }

    /** An error at {@code delta} bytes from the start of the payload. */
    FeedFormatException error(final int delta, final String what)
    {
        return in.error((long) payloadIndex + delta, what);
    }

    @Override
    public void close() throws IOException
    {
        in.close();
    }
}

package io.gannet.rdma.roce.wire;

import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The address header with which rdma_cm starts the private data of REQ, and only of REQ.
 * <pre>
 *  0         1                          2             4                20                    36           92
 *  +---------+--------------------------+-------------+----------------+---------------------+-------------+
 *  | version | IP version(4) reserved(4)| source port | source address | destination address | user's data |
 *  +---------+--------------------------+-------------+----------------+---------------------+-------------+
 * </pre>
 * IPv4 addresses are the last four bytes of their field, with zeros before them (a GID has ::ffff: there). The
 * destination port is in the service id.
 */
public final class RdmaCmHeader
{
    /** Bytes of the header. */
    public static final int SIZE = 36;
    /** Bytes left for the user in REQ. */
    public static final int USER_DATA_SIZE = 56;

    private static final int IP_VERSION = 1;
    private static final int PORT = 2;
    private static final int SOURCE = 4;
    private static final int DESTINATION = 20;

    private RdmaCmHeader()
    {
    }

    /** Writes the header at {@code offset}, version 0. */
    public static void write(
        final UnsafeBuffer buffer, final int offset, final int sourcePort, final Gid source, final Gid destination)
    {
        buffer.putByte(offset, (byte) 0);
        buffer.putByte(offset + IP_VERSION, (byte) (source.isIpv4() ? 0x40 : 0x60));
        buffer.putShort(offset + PORT, (short) sourcePort, ByteOrder.BIG_ENDIAN);
        writeAddress(buffer, offset + SOURCE, source);
        writeAddress(buffer, offset + DESTINATION, destination);
    }

    /** Major and minor version; anything but 0 is refused. */
    public static int version(final UnsafeBuffer buffer, final int offset)
    {
        return buffer.getByte(offset) & 0xff;
    }

    /** IP version, 4 or 6. */
    public static int ipVersion(final UnsafeBuffer buffer, final int offset)
    {
        return buffer.getByte(offset + IP_VERSION) >> 4 & 0xf;
    }

    /** The initiator's rdma_cm port. */
    public static int sourcePort(final UnsafeBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + PORT, ByteOrder.BIG_ENDIAN) & 0xffff;
    }

    /** The initiator's address. */
    public static Gid source(final UnsafeBuffer buffer, final int offset)
    {
        return readAddress(buffer, offset, SOURCE);
    }

    /** The acceptor's address. */
    public static Gid destination(final UnsafeBuffer buffer, final int offset)
    {
        return readAddress(buffer, offset, DESTINATION);
    }

    private static Gid readAddress(final UnsafeBuffer buffer, final int offset, final int field)
    {
        return ipVersion(buffer, offset) == 4 ?
            Gid.ofIpv4(buffer.getInt(offset + field + 12, ByteOrder.BIG_ENDIAN)) : Gid.read(buffer, offset + field);
    }

    private static void writeAddress(final UnsafeBuffer buffer, final int offset, final Gid address)
    {
        if (address.isIpv4())
        {
            new Gid(0, address.ipv4() & 0xffff_ffffL).write(buffer, offset);
        }
        else
        {
            address.write(buffer, offset);
        }
    }
}

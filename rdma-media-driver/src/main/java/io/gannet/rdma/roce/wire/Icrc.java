package io.gannet.rdma.roce.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The invariant CRC at the end of every packet: CRC-32 over {@link PseudoHeader} and the rest of the packet, sent
 * least significant byte first. Set a direction, then {@link #append} or {@link #verify} packets of it. Allocates
 * nothing. Not thread-safe.
 */
public final class Icrc
{
    /** Result of {@link #verify}: no IP id makes the ICRC right. */
    public static final int WRONG = -1;

    private final CRC32 crc = new CRC32();
    private final PseudoHeader header = new PseudoHeader();

    /** Sets the direction of the packets that follow; addresses with the first byte most significant. */
    public void ipv4(final int source, final int destination, final int sourcePort)
    {
        header.ipv4(source, destination, sourcePort);
    }

    /** Sets the direction of the packets that follow. */
    public void ipv6(final Gid source, final Gid destination, final int sourcePort)
    {
        header.ipv6(source, destination, sourcePort);
    }

    /**
     * Computes the ICRC of a packet and puts it into its last four bytes.
     *
     * @param bytes  the memory of {@code packet}; position and limit are changed.
     * @param length bytes from BTH to ICRC, a multiple of four.
     * @param ipId   the IPv4 id that the packet will leave with; ignored over IPv6.
     */
    public void append(
        final UnsafeBuffer packet, final ByteBuffer bytes, final int offset, final int length, final int ipId)
    {
        final int value = compute(packet, bytes, offset, length, ipId);
        packet.putInt(offset + length - Packets.ICRC_SIZE, value, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Checks the ICRC of a received packet. An IPv4 packet's id is covered but invisible to a plain socket; the id is
     * solved from the ICRC, which then detects an error but for one in 2^16.
     *
     * @return the IP id with which the ICRC is right (0 over IPv6), or {@link #WRONG}.
     */
    public int verify(final UnsafeBuffer packet, final ByteBuffer bytes, final int offset, final int length)
    {
        final int value = compute(packet, bytes, offset, length, 0);
        final int difference = value ^ packet.getInt(offset + length - Packets.ICRC_SIZE, ByteOrder.LITTLE_ENDIAN);
        if (difference == 0)
        {
            return 0;
        }
        return header.isIpv4() ? IpIdSolver.solve(difference, length) : WRONG;
    }

    private int compute(
        final UnsafeBuffer packet, final ByteBuffer bytes, final int offset, final int length, final int ipId)
    {
        crc.reset();
        crc.update(header.forPacket(packet, offset, length, ipId));
        crc.update(bytes.limit(offset + length - Packets.ICRC_SIZE).position(offset + Bth.SIZE));
        return (int) crc.getValue();
    }
}

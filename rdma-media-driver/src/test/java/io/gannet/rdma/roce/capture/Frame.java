package io.gannet.rdma.roce.capture;

import io.gannet.rdma.roce.wire.Bth;
import io.gannet.rdma.roce.wire.Gid;
import io.gannet.rdma.roce.wire.Icrc;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One captured packet.
 *
 * @param number     position in its capture, from 1.
 * @param nanos      when it was seen.
 * @param source     IP source.
 * @param target     IP destination.
 * @param sourcePort UDP source port.
 * @param ipId       IPv4 id, 0 over IPv6.
 * @param bytes      UDP payload: BTH to ICRC.
 */
@SuppressWarnings("ArrayRecordComponent")        // a frame is never compared
public record Frame(int number, long nanos, Gid source, Gid target, int sourcePort, int ipId, byte[] bytes)
{
    /** A copy of the payload in direct memory. */
    public ByteBuffer direct()
    {
        return ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
    }

    /** The payload. */
    public UnsafeBuffer buffer()
    {
        return new UnsafeBuffer(bytes);
    }

    /** BTH opcode. */
    public int opcode()
    {
        return Bth.opcode(buffer(), 0);
    }

    /** BTH PSN. */
    public int psn()
    {
        return Bth.psn(buffer(), 0);
    }

    /** BTH destination. */
    public int qpn()
    {
        return Bth.qpn(buffer(), 0);
    }

    /** Sets the direction of {@code icrc} to that of this packet. */
    public void direction(final Icrc icrc)
    {
        if (source.isIpv4())
        {
            icrc.ipv4(source.ipv4(), target.ipv4(), sourcePort);
        }
        else
        {
            icrc.ipv6(source, target, sourcePort);
        }
    }
}

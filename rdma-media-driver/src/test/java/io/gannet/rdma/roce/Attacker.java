package io.gannet.rdma.roce;

import io.gannet.rdma.roce.wire.Aeth;
import io.gannet.rdma.roce.wire.Bth;
import io.gannet.rdma.roce.wire.Gid;
import io.gannet.rdma.roce.wire.Icrc;
import io.gannet.rdma.roce.wire.ImmDt;
import io.gannet.rdma.roce.wire.Opcode;
import io.gannet.rdma.roce.wire.Packets;
import io.gannet.rdma.roce.wire.Reth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sends what it likes to a NIC by a socket of its own. Who may bind an address of the host is a peer of that address to
 * a NIC, which knows peers by address alone: so it can speak in the name of one, if it guesses the numbers.
 */
final class Attacker implements AutoCloseable
{
    static final int SIZE = 65_507;

    final ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 16);
    final UnsafeBuffer packet = new UnsafeBuffer(bytes);
    private final DatagramChannel channel;
    private final InetSocketAddress target;
    private final Icrc icrc = new Icrc();

    Attacker(final InetAddress own, final InetAddress target)
    {
        this.target = new InetSocketAddress(target, Packets.UDP_PORT);
        try
        {
            channel = DatagramChannel.open();
            channel.setOption(StandardSocketOptions.SO_SNDBUF, 1 << 20);
            channel.bind(new InetSocketAddress(own, 0));
            icrc.ipv4(Gid.of(own).ipv4(), Gid.of(target).ipv4(), channel.socket().getLocalPort());
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    int port()
    {
        return channel.socket().getLocalPort();
    }

    /** Makes a write with immediate of so many bytes; the length it has with its ICRC. */
    int write(final int qpn, final int psn, final long address, final int rkey, final int length)
    {
        final int pad = Packets.padFor(length);
        Bth.write(packet, 0, Opcode.WRITE_ONLY_IMM, Bth.flags(false, pad), qpn, true, psn);
        Reth.write(packet, Bth.SIZE, address, rkey, length);
        ImmDt.write(packet, Bth.SIZE + Reth.SIZE, 0xbad);
        final int header = Opcode.headerLength(Opcode.WRITE_ONLY_IMM);
        packet.setMemory(header, length + pad, (byte) 0xee);
        return header + length + pad + Packets.ICRC_SIZE;
    }

    /** Makes an acknowledge of either kind. */
    int acknowledge(final int qpn, final int psn, final int syndrome)
    {
        Bth.write(packet, 0, Opcode.ACKNOWLEDGE, 0, qpn, false, psn);
        Aeth.write(packet, Bth.SIZE, syndrome, 1);
        return Packets.ACK_SIZE;
    }

    /** Makes a congestion notification. */
    int congestion(final int qpn)
    {
        packet.setMemory(0, Packets.CNP_SIZE, (byte) 0);
        Bth.write(packet, 0, Opcode.CNP, 0, qpn, false, 0);
        Bth.congestion(packet, 0, false, true);
        return Packets.CNP_SIZE;
    }

    /** From now on packets are marked as if a router had marked them as sent into congestion. */
    void markAsCongested()
    {
        try
        {
            channel.setOption(StandardSocketOptions.IP_TOS, 3);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends the bytes with a right ICRC at their end. */
    void sendRight(final int length)
    {
        icrc.append(packet, bytes, 0, length, 0);
        send(length);
    }

    /** Sends the bytes as they are. */
    void send(final int length)
    {
        bytes.limit(length).position(0);
        try
        {
            if (channel.send(bytes, target) != length)
            {
                throw new AssertionError("the kernel did not take " + length + " bytes");
            }
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        bytes.clear();
    }

    @Override
    public void close()
    {
        try
        {
            channel.close();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}

package io.gannet.rdma.roce.capture;

import io.gannet.rdma.roce.wire.Gid;
import io.gannet.rdma.roce.wire.Packets;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads the Ethernet captures below {@code /roce}: packets between two kernels with Soft-RoCE, or between one and a
 * plain UDP program.
 */
public final class Capture
{
    private static final int FILE_HEADER = 24;
    private static final int FRAME_HEADER = 16;
    private static final int MAGIC_MICROSECONDS = 0xa1b2c3d4;
    private static final int ETHERNET = 14;
    private static final int UDP = 8;

    private Capture()
    {
    }

    /** Names of all captures. */
    public static Stream<String> names()
    {
        return Stream.of(
            "bad-icrc", "bad-rkey", "burst-300", "cm-connect", "cm-connect-ipv6", "cm-duplicate", "cm-lost-rep",
            "cm-lost-req", "cm-lost-rtu", "cm-no-listener", "cm-reject", "cm-variants", "duplicate",
            "invalid-request", "long-message-mtu1024", "loss-ack", "loss-last", "loss-middle",
            "loss-middle-mtu1024", "psn-wrap", "read", "reorder", "retry-exhausted", "rnr", "rnr-exhausted",
            "rnr-multi-packet", "user-space-client", "user-space-naks", "user-space-receive", "user-space-server",
            "write-imm", "write-imm-ipv6", "write-imm-mtu1024", "write-send", "write-send-mtu1024");
    }

    /** All frames of one capture, numbered from 1. */
    public static List<Frame> read(final String name)
    {
        final byte[] file;
        try (InputStream in = Capture.class.getResourceAsStream("/roce/" + name + ".pcap"))
        {
            file = in.readAllBytes();
        }
        catch (final IOException e)
        {
            throw new AssertionError(name, e);
        }
        final ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.getInt(0) != MAGIC_MICROSECONDS)
        {
            throw new AssertionError(name + " is not a little-endian pcap file");
        }
        final List<Frame> frames = new ArrayList<>();
        int at = FILE_HEADER;
        while (at < file.length)
        {
            final long nanos = (bytes.getInt(at) * 1_000_000L + bytes.getInt(at + 4)) * 1_000;
            final int length = bytes.getInt(at + 8);
            frames.add(parse(frames.size() + 1, nanos, ByteBuffer.wrap(file, at + FRAME_HEADER, length).slice()));
            at += FRAME_HEADER + length;
        }
        return frames;
    }

    private static Frame parse(final int number, final long nanos, final ByteBuffer frame)
    {
        final boolean ipv4 = frame.getShort(12) == 0x0800;
        final int ip = ETHERNET;
        final int udp = ip + (ipv4 ? 20 : 40);
        final int udpLength = frame.getShort(udp + 4) & 0xffff;
        final byte[] payload = new byte[udpLength - UDP];
        frame.get(udp + UDP, payload);
        if ((frame.getShort(udp + 2) & 0xffff) != Packets.UDP_PORT)
        {
            throw new AssertionError("frame " + number + " is not RoCE v2");
        }
        return new Frame(
            number,
            nanos,
            ipv4 ? Gid.ofIpv4(frame.getInt(ip + 12)) : new Gid(frame.getLong(ip + 8), frame.getLong(ip + 16)),
            ipv4 ? Gid.ofIpv4(frame.getInt(ip + 16)) : new Gid(frame.getLong(ip + 24), frame.getLong(ip + 32)),
            frame.getShort(udp) & 0xffff,
            ipv4 ? frame.getShort(ip + 4) & 0xffff : 0,
            payload);
    }
}

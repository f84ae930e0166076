package io.gannet.perf.link;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The classic pcap format.
 */
final class PacketFile
{
    /** Link type: Ethernet frames. */
    static final int ETHERNET = 1;
    /** Link type: IP packets. */
    static final int RAW_IP = 101;

    private static final int MAGIC = 0xa1b2c3d4;
    private static final int HEADER = 24;
    private static final int RECORD = 16;
    private static final int LONGEST = 1 << 18;

    private PacketFile()
    {
    }

    static OutputStream create(final OutputStream out, final int linkType) throws IOException
    {
        final OutputStream buffered = new BufferedOutputStream(out, LONGEST);
        buffered.write(ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN)
            .putInt(MAGIC).putShort((short) 2).putShort((short) 4).putLong(0).putInt(LONGEST).putInt(linkType)
            .array());
        return buffered;
    }

    static void write(final OutputStream out, final byte[] packet, final long epochMillis) throws IOException
    {
        out.write(ByteBuffer.allocate(RECORD).order(ByteOrder.LITTLE_ENDIAN)
            .putInt((int) (epochMillis / 1000)).putInt((int) (epochMillis % 1000) * 1000)
            .putInt(packet.length).putInt(packet.length).array());
        out.write(packet);
    }
}

package io.gannet.samples.marketdata.source;

import java.io.IOException;
import java.nio.ByteOrder;
import java.time.Instant;
import java.time.ZoneId;
import org.agrona.DirectBuffer;

/**
 * ITCH in MoldUDP64 packets of a capture. Packets seen before (line A and line B in one capture) are passed over, lost
 * ones are counted.
 * <pre>
 *  0                 10                    18             20
 *  +-----------------+---------------------+--------------+---- messages, each behind a uint16 length ----
 *  | char[10] session| uint64 first number | uint16 count |
 *  +-----------------+---------------------+--------------+     all big-endian
 * </pre>
 * Count 0 is a heartbeat, 65535 the end of the session.
 */
final class MoldFraming implements ItchFraming
{
    private static final int HEADER = 20;
    private static final int END_OF_SESSION = 0xFFFF;
    private static final ZoneId VENUE = ZoneId.of("America/New_York");
    private static final long DAY = 86_400_000_000_000L;

    private final PcapReader packets;
    private int remaining;
    private int at;
    private int length;
    private long sessionHigh;
    private long sessionLow;
    private boolean inSession;
    private long expected;
    private long midnight = Long.MIN_VALUE;
    private long lost;
    private long repeated;

    MoldFraming(final PcapReader packets)
    {
        this.packets = packets;
    }

    @Override
    public boolean next() throws IOException
    {
        at += length;
        length = 0;
        while (remaining == 0)
        {
            if (at != 0 && at != packets.payloadLength())
            {
                throw packets.error(at, (packets.payloadLength() - at) + " bytes behind the last message of a packet");
            }
            at = 0;
            if (!packets.next())
            {
                return false;
            }
            openPacket();
        }
        final int left = packets.payloadLength() - at;
        if (left < 2)
        {
            throw packets.error(at, "the packet ends before a message that its header counts");
        }
        final int next = packets.buffer().getShort(packets.payload() + at, ByteOrder.BIG_ENDIAN) & 0xFFFF;
        if (next == 0 || next > left - 2)
        {
            throw packets.error(at, "a message of " + next + " bytes, " + (left - 2) + " are left in the packet");
        }
        at += 2;
        length = next;
        remaining--;
        expected++;
        return true;
    }

    private void openPacket() throws FeedFormatException
    {
        final DirectBuffer buffer = packets.buffer();
        final int payload = packets.payload();
        if (packets.payloadLength() < HEADER)
        {
            throw packets.error(0, "a UDP packet to port " + packets.destinationPort() + " of " +
                packets.payloadLength() + " bytes is no MoldUDP64 packet; keep only the feed's port (tcpdump -r" +
                " all.pcap -w feed.pcap udp port N)");
        }
        final long high = buffer.getLong(payload, ByteOrder.BIG_ENDIAN);
        final long low = buffer.getShort(payload + 8, ByteOrder.BIG_ENDIAN);
        final long first = buffer.getLong(payload + 10, ByteOrder.BIG_ENDIAN);
        final int count = buffer.getShort(payload + 18, ByteOrder.BIG_ENDIAN) & 0xFFFF;
        if (first < 0)
        {
            throw packets.error(10, "sequence number " + Long.toUnsignedString(first) + " is out of range");
        }
        if (!inSession || high != sessionHigh || low != sessionLow)
        {
            inSession = true;
            sessionHigh = high;
            sessionLow = low;
            expected = first;
        }
        remaining = count == END_OF_SESSION ? 0 : count;
        at = HEADER;
        if (first > expected)
        {
            lost += first - expected;
            expected = first;
        }
        skipRepeated(Math.min(expected - first, remaining));
        final long time = packets.time();
        if (midnight == Long.MIN_VALUE || time - midnight >= DAY)
        {
            midnight = Instant.ofEpochSecond(time / 1_000_000_000L).atZone(VENUE).toLocalDate()
                .atStartOfDay(VENUE).toEpochSecond() * 1_000_000_000L;
        }
    }

    private void skipRepeated(final long count) throws FeedFormatException
    {
        for (long i = 0; i < count; i++)
        {
            final int left = packets.payloadLength() - at;
            final int next = left < 2 ? left :
                packets.buffer().getShort(packets.payload() + at, ByteOrder.BIG_ENDIAN) & 0xFFFF;
            if (next == 0 || next > left - 2)
            {
                throw packets.error(at, "a message of " + next + " bytes, " + (left - 2) + " are left in the packet");
            }
            at += 2 + next;
            remaining--;
            repeated++;
        }
    }

    @Override
    public DirectBuffer buffer()
    {
        return packets.buffer();
    }

    @Override
    public int index()
    {
        return packets.payload() + at;
    }

    @Override
    public int length()
    {
        return length;
    }

    @Override
    public long midnight()
    {
        return midnight;
    }

    @Override
    public FeedFormatException error(final int delta, final String what)
    {
        return packets.error(at + delta, what);
    }

    @Override
    public String summary()
    {
        return "MoldUDP64 capture (" + lost + " messages lost before the capture, " + repeated + " repeated, " +
            packets.otherPackets() + " other packets)";
    }

    @Override
    public void close() throws IOException
    {
        packets.close();
    }
}

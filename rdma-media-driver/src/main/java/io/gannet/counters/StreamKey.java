package io.gannet.counters;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * Key of a stream's counters in the control file, little-endian.
 * <pre>
 *  0         8          12           16     20          28
 *  +---------+----------+------------+------+-----------+
 *  | ring id | stream   | session    | gate | client id |
 *  +---------+----------+------------+------+-----------+
 * </pre>
 *
 * @param ringId    names the ring in its directory for ever.
 * @param streamId  of the stream.
 * @param sessionId of the stream.
 * @param gate      of a subscriber; -1 for the publishers.
 * @param clientId  of a subscriber; 0 for the publishers.
 */
public record StreamKey(long ringId, int streamId, int sessionId, int gate, long clientId)
{
    /** Type id of counters with the publishers' position, sampled. */
    public static final int PUBLICATION_POSITION = 10;
    /** Type id of counters with a subscriber's position, sampled. */
    public static final int SUBSCRIBER_POSITION = 11;
    /** Type id of counters with the time since which publishers have found the ring full, 0 while there is room. */
    public static final int PUBLICATION_HELD_SINCE = 12;

    /** Type id of counters with the nanoseconds for which publishers have found the ring full, from look to look. */
    public static final int PUBLICATION_HELD_NANOS = 13;

    private static final int LENGTH = 28;

    /** {@return what the counter's key holds} */
    public byte[] bytes()
    {
        return ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN)
            .putLong(ringId).putInt(streamId).putInt(sessionId).putInt(gate).putLong(clientId).array();
    }

    /** Reads the key of a counter of one of the types above. */
    public static StreamKey read(final DirectBuffer key)
    {
        return new StreamKey(key.getLong(0, ByteOrder.LITTLE_ENDIAN), key.getInt(8, ByteOrder.LITTLE_ENDIAN),
            key.getInt(12, ByteOrder.LITTLE_ENDIAN), key.getInt(16, ByteOrder.LITTLE_ENDIAN),
            key.getLong(20, ByteOrder.LITTLE_ENDIAN));
    }
}

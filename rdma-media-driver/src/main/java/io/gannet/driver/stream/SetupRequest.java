package io.gannet.driver.stream;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import io.gannet.ring.RingLayout;

/**
 * Private data of a connector that has a publication, little-endian.
 * <pre>
 *  0       4         6       8           12          16         20           24                 32
 *  +-------+---------+-------+-----------+-----------+----------+------------+------------------+
 *  | magic | version | flags | stream id | session id| capacity | generation | publication id   |
 *  +-------+---------+-------+-----------+-----------+----------+------------+------------------+
 * </pre>
 *
 * @param version       of this protocol at the connector.
 * @param resume        whether the same publication was connected here before.
 * @param streamId      of the stream.
 * @param sessionId     of the stream.
 * @param capacity      of the publication's ring, and so of the image's.
 * @param generation    number of this connection of the publication to this peer, raised at each attempt.
 * @param publicationId names the publication for ever: a resumed stream is the same one only if this is the same.
 */
public record SetupRequest(
    int version, boolean resume, int streamId, int sessionId, int capacity, int generation, long publicationId)
{
    /** Version of the protocol between drivers. */
    public static final int VERSION = 1;
    static final int LENGTH = 32;

    private static final int MAGIC_VALUE = 0x3152_4E47;
    private static final int MAGIC = 0;
    private static final int VERSION_OFFSET = 4;
    private static final int FLAGS = 6;
    private static final int STREAM_ID = 8;
    private static final int SESSION_ID = 12;
    private static final int CAPACITY = 16;
    private static final int GENERATION = 20;
    private static final int PUBLICATION_ID = 24;
    private static final int FLAG_RESUME = 1;

    /** {@return the stream, for people} */
    @Override
    public String toString()
    {
        return "stream " + streamId + ", session " + sessionId;
    }

    DirectBuffer encode()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LENGTH]);
        buffer.putInt(MAGIC, MAGIC_VALUE);
        buffer.putShort(VERSION_OFFSET, (short) version);
        buffer.putShort(FLAGS, (short) (resume ? FLAG_RESUME : 0));
        buffer.putInt(STREAM_ID, streamId);
        buffer.putInt(SESSION_ID, sessionId);
        buffer.putInt(CAPACITY, capacity);
        buffer.putInt(GENERATION, generation);
        buffer.putLong(PUBLICATION_ID, publicationId);
        return buffer;
    }

    static void checkVersion(final int version)
    {
        if (version != VERSION)
        {
            throw new SetupException(SetupRefusal.VERSION, "a driver with protocol " + version +
                " connects, and this one speaks " + VERSION + ": run versions that are at most one apart");
        }
    }

    /**
     * Reads and checks a request.
     *
     * @throws SetupException saying what is wrong.
     */
    static SetupRequest decode(final DirectBuffer data)
    {
        if (data.capacity() < LENGTH || data.getInt(MAGIC) != MAGIC_VALUE)
        {
            throw new SetupException(SetupRefusal.MALFORMED, "a connector that does not speak Gannet's protocol");
        }
        final int version = data.getShort(VERSION_OFFSET) & 0xFFFF;
        checkVersion(version);
        final int capacity = data.getInt(CAPACITY);
        try
        {
            RingLayout.checkCapacity(capacity);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new SetupException(SetupRefusal.MALFORMED, ex.getMessage());
        }
        return new SetupRequest(
            version,
            (data.getShort(FLAGS) & FLAG_RESUME) != 0,
            data.getInt(STREAM_ID),
            data.getInt(SESSION_ID),
            capacity,
            data.getInt(GENERATION),
            data.getLong(PUBLICATION_ID));
    }
}

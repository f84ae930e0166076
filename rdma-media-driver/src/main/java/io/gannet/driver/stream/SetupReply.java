package io.gannet.driver.stream;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Private data with which a driver accepts a publication, little-endian.
 * <pre>
 *  0       4            8       12        16              24                  32
 *  +-------+------------+-------+---------+---------------+-------------------+
 *  | magic | generation | rkey  | credits | image address | received position |
 *  +-------+------------+-------+---------+---------------+-------------------+
 * </pre>
 *
 * @param generation       of the request.
 * @param rkey             of the image's data.
 * @param credits          receives posted.
 * @param imageAddress     of the image's data, mapped twice.
 * @param receivedPosition from which a resumed stream goes on; -1 if this image is new.
 */
record SetupReply(int generation, int rkey, int credits, long imageAddress, long receivedPosition)
{
    /** Received position of a new image, which starts wherever the publication says. */
    static final long NEW_IMAGE = -1;
    static final int LENGTH = 32;

    private static final int MAGIC_VALUE = 0x3141_4E47;
    private static final int MAGIC = 0;
    private static final int GENERATION = 4;
    private static final int RKEY = 8;
    private static final int CREDITS = 12;
    private static final int IMAGE_ADDRESS = 16;
    private static final int RECEIVED_POSITION = 24;

    DirectBuffer encode()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LENGTH]);
        buffer.putInt(MAGIC, MAGIC_VALUE);
        buffer.putInt(GENERATION, generation);
        buffer.putInt(RKEY, rkey);
        buffer.putInt(CREDITS, credits);
        buffer.putLong(IMAGE_ADDRESS, imageAddress);
        buffer.putLong(RECEIVED_POSITION, receivedPosition);
        return buffer;
    }

    /**
     * Reads and checks a reply.
     *
     * @param expected generation of the request.
     * @throws SetupException saying what is wrong.
     */
    static SetupReply decode(final DirectBuffer data, final int expected)
    {
        if (data.capacity() < LENGTH || data.getInt(MAGIC) != MAGIC_VALUE || data.getInt(GENERATION) != expected)
        {
            throw new SetupException(SetupRefusal.MALFORMED, "an acceptor that does not speak Gannet's protocol");
        }
        final SetupReply reply = new SetupReply(
            data.getInt(GENERATION),
            data.getInt(RKEY),
            data.getInt(CREDITS),
            data.getLong(IMAGE_ADDRESS),
            data.getLong(RECEIVED_POSITION));
        if (reply.credits <= ReplicationSettings.RESERVED_CREDITS || reply.imageAddress == 0 ||
            reply.receivedPosition < NEW_IMAGE || reply.receivedPosition % 32 > 0)
        {
            throw new SetupException(SetupRefusal.MALFORMED, "an acceptor with impossible values: " + reply);
        }
        return reply;
    }
}

package io.gannet.driver.stream;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import io.gannet.ring.FrameHeader;

/**
 * Private data of a subscribers' driver that has an image for a publication, little-endian: all of the 56 bytes that a
 * connector has.
 * <pre>
 *  0       4         6     8           12           16               24
 *  +-------+---------+-----+-----------+------------+----------------+-----------+
 *  | magic | version | no. | stream id | generation | publication id | driver id |
 *  +-------+---------+-----+-----------+------------+----------------+-----------+
 *  | image address         | received position      | rkey  | credits |
 *  +-----------------------+------------------------+-------+---------+
 *  32                      40                       48      52        56
 * </pre>
 *
 * @param imageNumber      16 bits that tell the images of a driver's life apart: one that is new twice has not started.
 * @param streamId         of the stream.
 * @param generation       number of this connection, raised at each attempt.
 * @param publicationId    names the publication for ever.
 * @param driverId         names the subscribers' driver over its restarts: it has one image of a publication at a time.
 * @param imageAddress     of the image's data, mapped twice.
 * @param receivedPosition from which a resumed stream goes on; {@link SetupReply#NEW_IMAGE} if the image is new;
 *                         {@link #LEAVE} if nobody reads the image any more, and then the answer is a rejection.
 * @param rkey             of the image's data.
 * @param credits          receives posted.
 */
record JoinRequest(
    int imageNumber,
    int streamId,
    int generation,
    long publicationId,
    long driverId,
    long imageAddress,
    long receivedPosition,
    int rkey,
    int credits)
{
    static final int LENGTH = 56;
    /** No request was made; its image number is none. */
    static final JoinRequest NONE = new JoinRequest(-1, 0, 0, 0, 0, 0, 0, 0, 0);
    /** Received position of an image that is gone for good. */
    static final long LEAVE = -2;

    private static final int MAGIC_VALUE = 0x314A_4E47;
    private static final int MAGIC = 0;
    private static final int VERSION = 4;
    private static final int IMAGE_NUMBER = 6;
    private static final int STREAM_ID = 8;
    private static final int GENERATION = 12;
    private static final int PUBLICATION_ID = 16;
    private static final int DRIVER_ID = 24;
    private static final int IMAGE_ADDRESS = 32;
    private static final int RECEIVED_POSITION = 40;
    private static final int RKEY = 48;
    private static final int CREDITS = 52;
    /** Bit of an image's number. */
    private static final int LATER = 0x8000;

    /** {@return the number of an image whose subscribers have had one of the publication before} */
    static int later(final int imageNumber)
    {
        return imageNumber | LATER;
    }

    /** {@return whether its subscribers have had no image of the publication before} */
    boolean isFirst()
    {
        return (imageNumber & LATER) == 0;
    }

    /** {@return whether the same image of the same life of its driver asks again} */
    boolean isOfSameImage(final JoinRequest other)
    {
        return imageNumber == other.imageNumber && Generation.life(generation) == Generation.life(other.generation);
    }

    DirectBuffer encode()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LENGTH]);
        buffer.putInt(MAGIC, MAGIC_VALUE);
        buffer.putShort(VERSION, (short) SetupRequest.VERSION);
        buffer.putShort(IMAGE_NUMBER, (short) imageNumber);
        buffer.putInt(STREAM_ID, streamId);
        buffer.putInt(GENERATION, generation);
        buffer.putLong(PUBLICATION_ID, publicationId);
        buffer.putLong(DRIVER_ID, driverId);
        buffer.putLong(IMAGE_ADDRESS, imageAddress);
        buffer.putLong(RECEIVED_POSITION, receivedPosition);
        buffer.putInt(RKEY, rkey);
        buffer.putInt(CREDITS, credits);
        return buffer;
    }

    /** {@return whether the data is one of these, of whatever version} */
    static boolean isOne(final DirectBuffer data)
    {
        return data.capacity() >= LENGTH && data.getInt(MAGIC) == MAGIC_VALUE;
    }

    /**
     * Reads and checks a request that {@link #isOne}.
     *
     * @throws SetupException saying what is wrong.
     */
    static JoinRequest decode(final DirectBuffer data)
    {
        SetupRequest.checkVersion(data.getShort(VERSION) & 0xFFFF);
        final JoinRequest request = new JoinRequest(
            data.getShort(IMAGE_NUMBER) & 0xFFFF,
            data.getInt(STREAM_ID),
            data.getInt(GENERATION),
            data.getLong(PUBLICATION_ID),
            data.getLong(DRIVER_ID),
            data.getLong(IMAGE_ADDRESS),
            data.getLong(RECEIVED_POSITION),
            data.getInt(RKEY),
            data.getInt(CREDITS));
        if (request.credits <= ReplicationSettings.RESERVED_CREDITS || request.imageAddress == 0 ||
            request.receivedPosition < LEAVE ||
            request.receivedPosition % FrameHeader.ALIGNMENT > 0)
        {
            throw new SetupException(SetupRefusal.MALFORMED, "a subscriber with impossible values: " + request);
        }
        return request;
    }
}

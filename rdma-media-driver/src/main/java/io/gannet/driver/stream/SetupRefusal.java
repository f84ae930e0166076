package io.gannet.driver.stream;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Private data with which a driver rejects a connection, little-endian.
 * <pre>
 *  0       4      8            12
 *  +-------+------+------------+
 *  | magic | code | generation |
 *  +-------+------+------------+
 * </pre>
 * {@code generation} is that of the request, {@link #ANY} if the request could not be read. One of another request says
 * nothing of this one.
 */
final class SetupRefusal
{
    /** The peer said nothing that is known here. */
    static final int UNKNOWN = 0;
    /** Nobody subscribes yet: try again later. */
    static final int NO_SUBSCRIBER = 1;
    /** The image is being made, or its old connection is being ended: try again soon. */
    static final int NOT_READY = 2;
    /** Something is wrong with the request. */
    static final int MALFORMED = 3;
    /** The protocols do not fit. */
    static final int VERSION = 4;
    /** The image that a resumed stream asks for has ended. */
    static final int NO_SUCH_IMAGE = 5;
    /** Memory or the device is exhausted. */
    static final int NO_RESOURCES = 6;

    /** The publication that a subscriber joins is not there, or has ended. */
    static final int NO_SUCH_PUBLICATION = 7;

    /** The publication's ring has no place for another subscriber. */
    static final int TOO_MANY = 8;
    /** The image that a resumed stream asks for has not heard where it starts: say it again. */
    static final int NOT_STARTED = 9;

    /** Generation of a request that could not be read. */
    static final int ANY = 0;

    /** The image that a resumed stream asks for had no connection for longer than it waits; it was not read on. */
    static final int BROKEN_OFF = 10;

    /** The image that a resumed stream asks for is not known to this driver, in whose life it has not started. */
    static final int UNKNOWN_IMAGE = 11;

    private static final int MAGIC_VALUE = 0x314E_4E47;
    private static final int MAGIC = 0;
    private static final int CODE = 4;
    private static final int GENERATION = 8;
    private static final int LENGTH = 12;

    private SetupRefusal()
    {
    }

    static DirectBuffer encode(final int code, final int generation)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LENGTH]);
        buffer.putInt(MAGIC, MAGIC_VALUE);
        buffer.putInt(CODE, code);
        buffer.putInt(GENERATION, generation);
        return buffer;
    }

    /**
     * {@return the code, or {@link #UNKNOWN}}
     *
     * @param expected generation of the request.
     */
    static int decode(final DirectBuffer data, final int expected)
    {
        final boolean known = data.capacity() >= LENGTH && data.getInt(MAGIC) == MAGIC_VALUE &&
            (data.getInt(GENERATION) == expected || data.getInt(GENERATION) == ANY);
        return known ? data.getInt(CODE) : UNKNOWN;
    }

    static String describe(final int code)
    {
        return switch (code)
        {
            case NO_SUBSCRIBER -> "nobody subscribes there";
            case NOT_READY -> "the image is not ready yet";
            case MALFORMED -> "the request was malformed";
            case VERSION -> "the driver there does not speak protocol " + SetupRequest.VERSION +
                ", which this one does, and its output says what it speaks: run versions that are at most one apart";
            case NO_SUCH_IMAGE, UNKNOWN_IMAGE -> "the image has ended";
            case BROKEN_OFF -> "the image has broken off";
            case NOT_STARTED -> "the image has not started";
            case TOO_MANY -> "the publication has as many subscribers as its ring can have";
            case NO_SUCH_PUBLICATION -> "the publication has ended";
            case NO_RESOURCES -> "memory or device resources are exhausted there";
            default -> "no reason given";
        };
    }
}

package io.gannet.ring;

import org.agrona.DirectBuffer;

/**
 * Header of a frame in a log ring, little-endian.
 * <pre>
 *  0        4     5     6      8                16
 *  +--------+-----+-----+------+----------------+------------- - -
 *  | length |vers.|flags| type | reserved value | payload, padded to 32
 *  +--------+-----+-----+------+----------------+------------- - -
 * </pre>
 * {@code length} counts header and payload, not the padding, and is the commit word: 0 is a frame that isn't committed
 * yet, and no other value but a length ever stands there. It is stored last, with release semantics.
 */
public final class FrameHeader
{
    /** Offset of the commit word. */
    public static final int LENGTH_OFFSET = 0;
    /** Offset of the int that holds version, flags and type. */
    public static final int KIND_OFFSET = 4;
    /** Offset of the 64-bit value that belongs to the application. */
    public static final int RESERVED_VALUE_OFFSET = 8;
    /** Bytes before the payload. */
    public static final int HEADER_LENGTH = 16;
    /** Frames start at multiples of this. */
    public static final int ALIGNMENT = 32;

    /** Version of this header. */
    public static final int VERSION = 1;
    /** Type of a frame that readers skip. */
    public static final int TYPE_PADDING = 0;
    /** Type of a frame with an application's message. */
    public static final int TYPE_DATA = 1;
    /** First and last fragment in one: no message is ever split. */
    public static final int FLAGS_UNFRAGMENTED = 0xC0;

    /** The int at {@link #KIND_OFFSET} of a message. */
    public static final int KIND_DATA = VERSION | FLAGS_UNFRAGMENTED << 8 | TYPE_DATA << 16;
    /** The int at {@link #KIND_OFFSET} of a frame to be skipped. */
    public static final int KIND_PADDING = VERSION | FLAGS_UNFRAGMENTED << 8 | TYPE_PADDING << 16;

    private FrameHeader()
    {
    }

    /** Bytes that a frame with so long a payload takes in the ring. */
    public static int step(final int payloadLength)
    {
        return align(payloadLength + HEADER_LENGTH);
    }

    /** The given frame length rounded up to the next frame start. */
    public static int align(final int frameLength)
    {
        return (frameLength + (ALIGNMENT - 1)) & -ALIGNMENT;
    }

    /** Type of the frame with this {@link #KIND_OFFSET} int. */
    public static int type(final int kind)
    {
        return kind >>> 16;
    }

    /** Flags of the frame that starts at {@code frameOffset}, 0 to 255. */
    public static int flags(final DirectBuffer buffer, final int frameOffset)
    {
        return buffer.getByte(frameOffset + KIND_OFFSET + 1) & 0xFF;
    }

    /** Type of the frame that starts at {@code frameOffset}. */
    public static int type(final DirectBuffer buffer, final int frameOffset)
    {
        return type(buffer.getInt(frameOffset + KIND_OFFSET));
    }

    /** Reserved value of the frame that starts at {@code frameOffset}. */
    public static long reservedValue(final DirectBuffer buffer, final int frameOffset)
    {
        return buffer.getLong(frameOffset + RESERVED_VALUE_OFFSET);
    }
}

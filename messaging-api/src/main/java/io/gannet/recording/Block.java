package io.gannet.recording;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Header of a block in a segment, little-endian; the payload follows. Blocks stand at multiples of 32 behind each
 * other.
 * <pre>
 *  0       4      6       8          16      20        24     32         40     48
 *  +-------+------+-------+----------+-------+---------+------+----------+------+---------+
 *  | magic | type | flags | sequence | bytes | session | from | position | time | stream  |
 *  +-------+------+-------+----------+-------+---------+------+----------+------+---------+
 *   52   56                60                  64
 *  +----+-----------------+-------------------+---- payload: bytes ----
 *  | 0  | crc32c, payload | crc32c, 0 to 59   |
 *  +----+-----------------+-------------------+
 * </pre>
 * {@code sequence} counts the blocks of a recording. {@code stream} numbers what a session published from its first
 * position on: a session that begins anew below what it had reached is another stream. {@code time} is that at which
 * the first frame was taken, in ns since 1970, and never goes back.
 * <table>
 * <caption>Types</caption>
 * <tr><td>FRAMES</td><td>payload is a run of frames as they stood in the ring, the first at {@code position}; there was
 *     padding in [from, position)</td></tr>
 * <tr><td>START</td><td>the recorder joined at {@code position}, which continues {@code from} (equal if nothing is
 *     missing)</td></tr>
 * <tr><td>GAP</td><td>[from, position) was not recorded</td></tr>
 * <tr><td>END</td><td>the image ended at {@code position}; padding in [from, position)</td></tr>
 * <tr><td>STATE</td><td>first block of a segment: what the segments before it led to, 32 bytes for each stream; stream
 *     is the next number to be used</td></tr>
 * </table>
 */
final class Block
{
    static final int MAGIC_VALUE = 0x4B4C_424E;

    static final int MAGIC = 0;
    static final int TYPE = 4;
    static final int FLAGS = 6;
    static final int SEQUENCE = 8;
    static final int LENGTH = 16;
    static final int SESSION = 20;
    static final int FROM = 24;
    static final int POSITION = 32;
    static final int TIME = 40;
    static final int STREAM = 48;
    static final int ZERO = 52;
    static final int PAYLOAD_CHECKSUM = 56;
    static final int HEADER_CHECKSUM = 60;
    static final int HEADER_LENGTH = 64;
    static final int ALIGNMENT = 32;

    static final int FRAMES = 1;
    static final int START = 2;
    static final int GAP = 3;
    static final int END = 4;
    static final int STATE = 5;

    /** Flag of END: the publisher ended there, and nothing is missing. */
    static final int FLAG_END_OF_STREAM = 1;
    /** Flag of GAP: nobody recorded at that time. Without it, the recorder was too slow, or its host was away. */
    static final int FLAG_AWAY = 2;

    /** A stream in a STATE block. */
    static final int STATE_ENTRY = 32;

    /** No block is longer: twice the longest frame. */
    static final int MAX_LENGTH = 128 << 20;

    private Block()
    {
    }

    /** Everything of the header but sequence and checksums; that of the payload is as of an empty one. */
    static void write(
        final MutableDirectBuffer buffer,
        final int at,
        final int type,
        final int flags,
        final int length,
        final int session,
        final int stream,
        final long from,
        final long position,
        final long time)
    {
        buffer.putInt(at + MAGIC, MAGIC_VALUE, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(at + TYPE, (short) type, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(at + FLAGS, (short) flags, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(at + LENGTH, length, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(at + SESSION, session, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(at + FROM, from, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(at + POSITION, position, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(at + TIME, time, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(at + STREAM, stream, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(at + ZERO, 0, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(at + PAYLOAD_CHECKSUM, 0, ByteOrder.LITTLE_ENDIAN);
    }

    static void payloadChecksum(final MutableDirectBuffer buffer, final int at, final int value)
    {
        buffer.putInt(at + PAYLOAD_CHECKSUM, value, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Gives a block that is otherwise complete, the checksum of its payload too, its number and the checksum of its
     * header. {@code bytes} is what buffer wraps.
     */
    static void seal(
        final MutableDirectBuffer buffer,
        final ByteBuffer bytes,
        final int at,
        final long sequence,
        final CRC32C checksum)
    {
        buffer.putLong(at + SEQUENCE, sequence, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(at + HEADER_CHECKSUM, checksum(bytes, at, HEADER_CHECKSUM, checksum), ByteOrder.LITTLE_ENDIAN);
    }

    /** CRC32C of a part of a buffer, whose limit and position are changed. */
    static int checksum(final ByteBuffer bytes, final int offset, final int length, final CRC32C checksum)
    {
        checksum.reset();
        checksum.update(bytes.clear().limit(offset + length).position(offset));
        bytes.clear();
        return (int) checksum.getValue();
    }

    /** Whether an intact header stands there; of the payload nothing is said. */
    static boolean isHeader(final DirectBuffer buffer, final ByteBuffer bytes, final int at, final CRC32C checksum)
    {
        final int length = length(buffer, at);
        return buffer.getInt(at + MAGIC, ByteOrder.LITTLE_ENDIAN) == MAGIC_VALUE &&
            length >= 0 && length <= MAX_LENGTH && (length & (ALIGNMENT - 1)) == 0 &&
            buffer.getInt(at + HEADER_CHECKSUM, ByteOrder.LITTLE_ENDIAN) ==
                checksum(bytes, at, HEADER_CHECKSUM, checksum);
    }

    /** Whether the payload of an intact header is intact. */
    static boolean isPayload(final DirectBuffer buffer, final ByteBuffer bytes, final int at, final CRC32C checksum)
    {
        return buffer.getInt(at + PAYLOAD_CHECKSUM, ByteOrder.LITTLE_ENDIAN) ==
            checksum(bytes, at + HEADER_LENGTH, length(buffer, at), checksum);
    }

    static int type(final DirectBuffer buffer, final int at)
    {
        return buffer.getShort(at + TYPE, ByteOrder.LITTLE_ENDIAN);
    }

    static int flags(final DirectBuffer buffer, final int at)
    {
        return buffer.getShort(at + FLAGS, ByteOrder.LITTLE_ENDIAN);
    }

    /** Bytes of payload. */
    static int length(final DirectBuffer buffer, final int at)
    {
        return buffer.getInt(at + LENGTH, ByteOrder.LITTLE_ENDIAN);
    }

    static long sequence(final DirectBuffer buffer, final int at)
    {
        return buffer.getLong(at + SEQUENCE, ByteOrder.LITTLE_ENDIAN);
    }

    static int session(final DirectBuffer buffer, final int at)
    {
        return buffer.getInt(at + SESSION, ByteOrder.LITTLE_ENDIAN);
    }

    static int stream(final DirectBuffer buffer, final int at)
    {
        return buffer.getInt(at + STREAM, ByteOrder.LITTLE_ENDIAN);
    }

    static long from(final DirectBuffer buffer, final int at)
    {
        return buffer.getLong(at + FROM, ByteOrder.LITTLE_ENDIAN);
    }

    static long position(final DirectBuffer buffer, final int at)
    {
        return buffer.getLong(at + POSITION, ByteOrder.LITTLE_ENDIAN);
    }

    static long time(final DirectBuffer buffer, final int at)
    {
        return buffer.getLong(at + TIME, ByteOrder.LITTLE_ENDIAN);
    }

    /** Position of the stream behind the block. */
    static long end(final DirectBuffer buffer, final int at)
    {
        return position(buffer, at) + (type(buffer, at) == FRAMES ? length(buffer, at) : 0);
    }
}

package io.gannet.driver.stream;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * What the sender says by SEND, little-endian.
 * <pre>
 *  0        4            8          16             24     28     32
 *  +--------+------------+----------+--------------+------+------+
 *  | type   | generation | position | cell address | rkey | 0    |
 *  +--------+------------+----------+--------------+------+------+
 * </pre>
 * {@link #START} is the first message of a connection: the position from which it goes on, and where feedback goes.
 * {@link #END_OF_STREAM} is the last: the position at which the stream ended; the other fields are 0.
 */
final class ControlMessage
{
    static final int START = 0x5453_4E47;
    static final int END_OF_STREAM = 0x534F_4E47;
    /** Bytes of a message. */
    static final int LENGTH = 32;

    private static final int TYPE = 0;
    private static final int GENERATION = 4;
    private static final int POSITION = 8;
    private static final int CELL_ADDRESS = 16;
    private static final int CELL_RKEY = 24;
    private static final int REST = 28;

    private ControlMessage()
    {
    }

    static void putStart(
        final MutableDirectBuffer buffer,
        final int generation,
        final long position,
        final long cellAddress,
        final int cellRkey)
    {
        put(buffer, START, generation, position, cellAddress, cellRkey);
    }

    static void putEndOfStream(final MutableDirectBuffer buffer, final int generation, final long position)
    {
        put(buffer, END_OF_STREAM, generation, position, 0, 0);
    }

    private static void put(
        final MutableDirectBuffer buffer,
        final int type,
        final int generation,
        final long position,
        final long cellAddress,
        final int cellRkey)
    {
        buffer.putInt(TYPE, type);
        buffer.putInt(GENERATION, generation);
        buffer.putLong(POSITION, position);
        buffer.putLong(CELL_ADDRESS, cellAddress);
        buffer.putInt(CELL_RKEY, cellRkey);
        buffer.putInt(REST, 0);
    }

    static int type(final DirectBuffer buffer)
    {
        return buffer.getInt(TYPE);
    }

    static int generation(final DirectBuffer buffer)
    {
        return buffer.getInt(GENERATION);
    }

    static long position(final DirectBuffer buffer)
    {
        return buffer.getLong(POSITION);
    }

    static long cellAddress(final DirectBuffer buffer)
    {
        return buffer.getLong(CELL_ADDRESS);
    }

    static int cellRkey(final DirectBuffer buffer)
    {
        return buffer.getInt(CELL_RKEY);
    }
}

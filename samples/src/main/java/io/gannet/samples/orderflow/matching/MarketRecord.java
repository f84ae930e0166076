package io.gannet.samples.orderflow.matching;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One change of the market, from the engine to the market-data feed of the same process.
 * <pre>
 *  0          8        16         24       32         36     37    38
 *  +----------+--------+----------+--------+----------+------+-----+-----+
 *  | order id | price  | quantity | time   | instr.   | type | buy | end |
 *  +----------+--------+----------+--------+----------+------+-----+-----+
 * </pre>
 * Types have the meaning of those of a feed's events; {@code end} marks the last change of one command.
 */
public final class MarketRecord
{
    /** Length in bytes. */
    public static final int LENGTH = 40;
    /** An order joined the book. */
    public static final byte ADD = 1;
    /** An order that rests has another price or quantity. */
    public static final byte MODIFY = 2;
    /** {@code quantity} left the book. */
    public static final byte CANCEL = 3;
    /** A trade; side of the aggressor. */
    public static final byte TRADE = 4;
    /** A resting order was filled. */
    public static final byte FILL = 5;
    /** The instrument's status, in {@code quantity}. */
    public static final byte STATUS = 6;

    private static final int ORDER_ID = 0;
    private static final int PRICE = 8;
    private static final int QUANTITY = 16;
    private static final int TIME = 24;
    private static final int INSTRUMENT = 32;
    private static final int TYPE = 36;
    private static final int BUY = 37;
    private static final int END = 38;

    private MarketRecord()
    {
    }

    static void write(
        final UnsafeBuffer buffer, final int offset, final byte type, final int instrument, final long orderId,
        final boolean buy, final long price, final long quantity, final long time)
    {
        buffer.putLong(offset + ORDER_ID, orderId);
        buffer.putLong(offset + PRICE, price);
        buffer.putLong(offset + QUANTITY, quantity);
        buffer.putLong(offset + TIME, time);
        buffer.putInt(offset + INSTRUMENT, instrument);
        buffer.putByte(offset + TYPE, type);
        buffer.putByte(offset + BUY, (byte) (buy ? 1 : 0));
        buffer.putByte(offset + END, (byte) 0);
    }

    static void markEnd(final UnsafeBuffer buffer, final int offset)
    {
        buffer.putByte(offset + END, (byte) 1);
    }

    /** The order. */
    public static long orderId(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + ORDER_ID);
    }

    /** Units of 10^-9. */
    public static long price(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + PRICE);
    }

    /** Quantity. */
    public static long quantity(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + QUANTITY);
    }

    /** Nanoseconds since the epoch. */
    public static long time(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + TIME);
    }

    /** Index of the instrument. */
    public static int instrument(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + INSTRUMENT);
    }

    /** One of the types above. */
    public static byte type(final DirectBuffer buffer, final int offset)
    {
        return buffer.getByte(offset + TYPE);
    }

    /** Side of the order, or of the aggressor. */
    public static boolean isBuy(final DirectBuffer buffer, final int offset)
    {
        return buffer.getByte(offset + BUY) != 0;
    }

    /** Whether nothing follows from the same command. */
    public static boolean isEnd(final DirectBuffer buffer, final int offset)
    {
        return buffer.getByte(offset + END) != 0;
    }
}

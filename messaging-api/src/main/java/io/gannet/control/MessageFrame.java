package io.gannet.control;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;

/**
 * Checks of a message in a command or event ring before a decoder touches it: whatever the bytes are, no decoder
 * reads outside the message.
 * <pre>
 *  0             2            4          6         8             8 + blockLength
 *  +-------------+------------+----------+---------+-- block ----+----+---------+--
 *  | blockLength | templateId | schemaId | version |             | n  | n bytes | ...
 *  +-------------+------------+----------+---------+-------------+----+---------+--
 * </pre>
 */
final class MessageFrame
{
    /** Longest string or byte sequence, as the schema says. */
    static final int MAX_DATA_LENGTH = 4096;
    static final int HEADER_LENGTH = 8;

    private static final int TEMPLATE_ID = 2;
    private static final int SCHEMA_ID = 4;
    private static final int VERSION = 6;
    private static final int DATA_LENGTH_SIZE = 2;

    private MessageFrame()
    {
    }

    static int blockLength(final DirectBuffer buffer, final int index)
    {
        return unsigned(buffer, index);
    }

    static int templateId(final DirectBuffer buffer, final int index)
    {
        return unsigned(buffer, index + TEMPLATE_ID);
    }

    static int version(final DirectBuffer buffer, final int index)
    {
        return unsigned(buffer, index + VERSION);
    }

    /** Null when a header of {@code schemaId} is there, else what is wrong. */
    static String checkHeader(final DirectBuffer buffer, final int index, final int length, final int schemaId)
    {
        if (length < HEADER_LENGTH)
        {
            return "message of " + length + " bytes, a header needs " + HEADER_LENGTH;
        }
        final int actual = unsigned(buffer, index + SCHEMA_ID);
        return actual == schemaId ? null : "schema id " + actual + ", " + schemaId + " expected";
    }

    /** Null when a block of {@code minBlockLength} or more and {@code dataFields} data fields fit, else the problem. */
    static String checkBody(
        final DirectBuffer buffer, final int index, final int length, final int minBlockLength, final int dataFields)
    {
        final int blockLength = blockLength(buffer, index);
        if (blockLength < minBlockLength)
        {
            return "template " + templateId(buffer, index) + ": block of " + blockLength + " bytes, " +
                minBlockLength + " needed";
        }
        int offset = HEADER_LENGTH + blockLength;
        if (offset > length)
        {
            return "template " + templateId(buffer, index) + ": block ends at " + offset + " of " + length + " bytes";
        }
        for (int i = 0; i < dataFields; i++)
        {
            if (offset + DATA_LENGTH_SIZE > length)
            {
                return "template " + templateId(buffer, index) + ": data field " + i + " is missing";
            }
            final int dataLength = unsigned(buffer, index + offset);
            offset += DATA_LENGTH_SIZE + dataLength;
            if (dataLength > MAX_DATA_LENGTH || offset > length)
            {
                return "template " + templateId(buffer, index) + ": data field " + i + " of " + dataLength +
                    " bytes ends at " + offset + " of " + length;
            }
        }
        return null;
    }

    private static int unsigned(final DirectBuffer buffer, final int index)
    {
        return buffer.getShort(index, LITTLE_ENDIAN) & 0xFFFF;
    }
}

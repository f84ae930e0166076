package io.gannet.samples.marketdata.source;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * The metadata of a DBN file, behind its 8-byte prelude:
 * <pre>
 *  0 char[16] dataset     version 1          version 2, 3
 *  16 uint16 schema
 *  18 uint64 start
 *  26 uint64 end
 *  34 uint64 limit        42 uint64 records  42 uint8 stype_in
 *                         50 uint8 stype_in  43 uint8 stype_out
 *                         51 uint8 stype_out 44 uint8 ts_out
 *                         52 uint8 ts_out    45 uint16 symbol length
 *  reserved up to 100, uint32 length of a schema definition, that definition, then with a uint32 count each: symbols,
 *  partial, not found; mappings (symbol, uint32 intervals, each uint32 start, uint32 end, symbol). Version 3 pads to 8.
 * </pre>
 *
 * @param version     of the encoding.
 * @param dataset     name of the data set.
 * @param hasSendTime whether each record ends with a send time.
 * @param symbols     names by instrument id, as far as the mappings tell.
 */
record DbnMetadata(int version, String dataset, boolean hasSendTime, Int2ObjectHashMap<String> symbols)
{
    static final int MIN_VERSION = 1;
    static final int MAX_VERSION = 3;
    static final int FIXED_LENGTH = 100;
    static final int MAX_LENGTH = 256 * 1024 * 1024;

    private static final int SCHEMA_MBO = 0;
    private static final int SCHEMA_MIXED = 0xFFFF;
    private static final int V1_SYMBOL_LENGTH = 22;
    private static final int INSTRUMENT_ID = 0;

    /** Decodes {@code length} bytes that were peeked at {@code start}. */
    static DbnMetadata decode(final ByteSource in, final int start, final int length, final int version)
        throws FeedFormatException
    {
        final DirectBuffer buffer = in.buffer();
        final int schema = buffer.getShort(start + 16, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
        if (schema != SCHEMA_MBO && schema != SCHEMA_MIXED)
        {
            throw in.error(16, "schema " + schema + " is not market by order (0); ask for the mbo schema");
        }
        final int types = version == 1 ? 50 : 42;
        final int stypeIn = buffer.getByte(start + types) & 0xFF;
        final int stypeOut = buffer.getByte(start + types + 1) & 0xFF;
        final int tsOut = buffer.getByte(start + types + 2) & 0xFF;
        if (tsOut > 1)
        {
            throw in.error(types + 2, "ts_out is " + tsOut + ", it must be 0 or 1");
        }
        final int symbolLength =
            version == 1 ? V1_SYMBOL_LENGTH : buffer.getShort(start + 45, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
        if (symbolLength == 0)
        {
            throw in.error(45, "the length of a symbol is 0");
        }
        final Cursor cursor = new Cursor(in, start, length, symbolLength);
        final Int2ObjectHashMap<String> symbols = cursor.symbols(stypeIn, stypeOut);
        return new DbnMetadata(version, text(buffer, start, 16), tsOut == 1, symbols);
    }

    private static String text(final DirectBuffer buffer, final int index, final int length)
    {
        int end = 0;
        while (end < length && buffer.getByte(index + end) != 0)
        {
            end++;
        }
        return buffer.getStringWithoutLengthAscii(index, end).replaceAll("[^ -~]", "?");
    }

    /** Walks through the variable part. */
    private static final class Cursor
    {
        private final ByteSource in;
        private final DirectBuffer buffer;
        private final int start;
        private final int length;
        private final int symbolLength;
        private int at = FIXED_LENGTH;

        private Cursor(final ByteSource in, final int start, final int length, final int symbolLength)
        {
            this.in = in;
            this.buffer = in.buffer();
            this.start = start;
            this.length = length;
            this.symbolLength = symbolLength;
        }

        private Int2ObjectHashMap<String> symbols(final int stypeIn, final int stypeOut) throws FeedFormatException
        {
            skip(count(1, "the schema definition"), 1);
            for (int list = 0; list < 3; list++)
            {
                skip(count(symbolLength, "a list of symbols"), symbolLength);
            }
            final Int2ObjectHashMap<String> names = new Int2ObjectHashMap<>();
            final int mappings = count(symbolLength + 4, "the symbol mappings");
            for (int i = 0; i < mappings; i++)
            {
                final String name = symbol();
                final int intervals = count(8 + symbolLength, "the intervals of a mapping");
                for (int j = 0; j < intervals; j++)
                {
                    skip(8, 1);
                    final String mapped = symbol();
                    if (stypeOut == INSTRUMENT_ID)
                    {
                        put(names, mapped, name);
                    }
                    else if (stypeIn == INSTRUMENT_ID)
                    {
                        put(names, name, mapped);
                    }
                }
            }
            return names;
        }

        private static void put(final Int2ObjectHashMap<String> names, final String id, final String name)
        {
            try
            {
                names.putIfAbsent(Integer.parseUnsignedInt(id), name);
            }
            catch (final NumberFormatException notAnId)
            {
                // The mapping says nothing of ids: instruments go by their number.
            }
        }

        private String symbol() throws FeedFormatException
        {
            need(symbolLength, "a symbol");
            final String symbol = text(buffer, start + at, symbolLength);
            at += symbolLength;
            return symbol;
        }

        /** Reads a count of things of at least {@code size} bytes. */
        private int count(final int size, final String what) throws FeedFormatException
        {
            need(4, what);
            final long count = buffer.getInt(start + at, ByteOrder.LITTLE_ENDIAN) & 0xFFFF_FFFFL;
            if (count * size > length - at - 4)
            {
                throw in.error(at, "the metadata ends in " + what + ": " + count + " of at least " + size +
                    " bytes each, " + (length - at - 4) + " bytes left");
            }
            at += 4;
            return (int) count;
        }

        private void skip(final int count, final int size) throws FeedFormatException
        {
            need((long) count * size, "the metadata");
            at += count * size;
        }

        private void need(final long bytes, final String what) throws FeedFormatException
        {
            if (bytes > length - at)
            {
                throw in.error(at, "the metadata ends in " + what + ": " + bytes + " bytes needed, " + (length - at) +
                    " left");
            }
        }
    }
}

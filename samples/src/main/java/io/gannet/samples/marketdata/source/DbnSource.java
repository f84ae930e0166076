package io.gannet.samples.marketdata.source;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2IntCounterMap;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * Reads the market-by-order records of a Databento Binary Encoding file, version 1 to 3, raw or zstd.
 * <pre>
 *  0             4    5          8
 *  +-------------+----+----------+---- metadata ----+---- records ----
 *  | "DBN" + ver | uint32 length |                  |
 *  +-------------+---------------+------------------+
 *
 *  a market-by-order record, 56 bytes (64 with a trailing ts_out):
 *  0 uint8 length/4     16 uint64 order id      37 uint8 channel
 *  1 uint8 rtype 160    24 int64 price 10^-9    38 char action: A C M R T F N
 *  2 uint16 publisher   32 uint32 size          39 char side: A B N
 *  4 uint32 instrument  36 uint8 flags          40 uint64 ts_recv
 *  8 uint64 ts_event                            48 int32 ts_in_delta, 52 uint32 sequence
 * </pre>
 * Records of other types are passed over and counted. Not thread-safe.
 */
public final class DbnSource implements FeedSource
{
    private static final int PRELUDE = 8;
    private static final int RECORD_HEADER = 16;
    private static final int MBO = 160;
    private static final int MBO_LENGTH = 56;
    private static final int TS_OUT_LENGTH = 8;
    private static final int FLAG_LAST = 0x80;
    private static final int FLAG_SNAPSHOT = 0x20;
    private static final long UNDEFINED_PRICE = Long.MAX_VALUE;
    private static final String EXCHANGE = "DBN";

    private final ByteSource in;
    private final DbnMetadata metadata;
    private final List<Instrument> instruments = new ArrayList<>();
    private final List<Instrument> view = Collections.unmodifiableList(instruments);
    private final Int2IntCounterMap indexById = new Int2IntCounterMap(-1);
    private final Int2ObjectHashMap<String> symbols;
    private long events;
    private long passedOver;
    private long paceTime = Long.MIN_VALUE;

    private DbnSource(final ByteSource in, final DbnMetadata metadata)
    {
        this.in = in;
        this.metadata = metadata;
        this.symbols = metadata.symbols();
    }

    /**
     * Opens a file and reads its header.
     *
     * @throws FeedFormatException if it is no DBN file, of another version, or holds other data than market by order.
     */
    public static DbnSource open(final Path file) throws IOException
    {
        final ByteSource in = ByteSource.open(file);
        try
        {
            return new DbnSource(in, readMetadata(in));
        }
        catch (final IOException | RuntimeException failure)
        {
            in.close();
            throw failure;
        }
    }

    private static DbnMetadata readMetadata(final ByteSource in) throws IOException
    {
        final int index = in.peek(PRELUDE, "the DBN header");
        final DirectBuffer buffer = in.buffer();
        if (buffer.getByte(index) != 'D' || buffer.getByte(index + 1) != 'B' || buffer.getByte(index + 2) != 'N')
        {
            throw in.error(0, "not a DBN file: it must begin with \"DBN\"");
        }
        final int version = buffer.getByte(index + 3) & 0xFF;
        if (version < DbnMetadata.MIN_VERSION || version > DbnMetadata.MAX_VERSION)
        {
            throw in.error(3, "DBN version " + version + " is not supported, only " + DbnMetadata.MIN_VERSION + " to " +
                DbnMetadata.MAX_VERSION + "; convert the file, for example with the dbn command-line tool");
        }
        final long length = buffer.getInt(index + 4, ByteOrder.LITTLE_ENDIAN) & 0xFFFF_FFFFL;
        if (length < DbnMetadata.FIXED_LENGTH || length > DbnMetadata.MAX_LENGTH)
        {
            throw in.error(4, "the metadata's length is " + length + ", it must be from " + DbnMetadata.FIXED_LENGTH +
                " to " + DbnMetadata.MAX_LENGTH);
        }
        in.skip(PRELUDE);
        final int start = in.peek((int) length, "the metadata");
        final DbnMetadata metadata = DbnMetadata.decode(in, start, (int) length, version);
        in.skip((int) length);
        return metadata;
    }

    @Override
    public boolean next(final FeedEvent event) throws IOException
    {
        while (!in.atEnd())
        {
            final int available = in.tryPeek(RECORD_HEADER);
            final DirectBuffer buffer = in.buffer();
            final int length = (buffer.getByte(in.index()) & 0xFF) * 4;
            if (length < RECORD_HEADER)
            {
                throw in.error(0, "a record's length is " + length + ", the smallest is " + RECORD_HEADER);
            }
            if (available < RECORD_HEADER)
            {
                in.peek(length, "a record");
            }
            final int type = buffer.getByte(in.index() + 1) & 0xFF;
            final int expected = MBO_LENGTH + (metadata.hasSendTime() ? TS_OUT_LENGTH : 0);
            if (type == MBO && length != expected)
            {
                throw in.error(0, "a market-by-order record's length is " + length + ", it must be " + expected);
            }
            final int index = in.peek(length, "a record");
            final boolean relevant = type == MBO && decode(in.buffer(), index, event);
            in.skip(length);
            if (relevant)
            {
                events++;
                return true;
            }
            passedOver++;
        }
        return false;
    }

    private boolean decode(final DirectBuffer buffer, final int index, final FeedEvent event) throws IOException
    {
        final FeedEvent.Type type = switch (buffer.getByte(index + 38))
        {
            case 'A' -> FeedEvent.Type.ADD;
            case 'C' -> FeedEvent.Type.CANCEL;
            case 'M' -> FeedEvent.Type.MODIFY;
            case 'R' -> FeedEvent.Type.CLEAR;
            case 'T' -> FeedEvent.Type.TRADE;
            case 'F' -> FeedEvent.Type.FILL;
            case 'N' -> null;
            default -> throw in.error(38, "action " + quoted(buffer.getByte(index + 38)) +
                " is none of A, C, M, R, T, F, N");
        };
        final FeedEvent.Side side = switch (buffer.getByte(index + 39))
        {
            case 'B' -> FeedEvent.Side.BID;
            case 'A' -> FeedEvent.Side.OFFER;
            case 'N' -> FeedEvent.Side.NONE;
            default -> throw in.error(39, "side " + quoted(buffer.getByte(index + 39)) + " is none of A, B, N");
        };
        if (type == null)
        {
            return false;
        }
        final long price = buffer.getLong(index + 24, ByteOrder.LITTLE_ENDIAN);
        final boolean resting = type == FeedEvent.Type.ADD || type == FeedEvent.Type.MODIFY;
        if (resting && (price == UNDEFINED_PRICE || price == FeedEvent.NO_PRICE))
        {
            throw in.error(24, "an order without a price");
        }
        if (resting && side == FeedEvent.Side.NONE)
        {
            throw in.error(39, "an order without a side");
        }
        final long quantity = buffer.getInt(index + 32, ByteOrder.LITTLE_ENDIAN) & 0xFFFF_FFFFL;
        final int flags = buffer.getByte(index + 36) & 0xFF;
        event.set(type, instrument(buffer.getInt(index + 4, ByteOrder.LITTLE_ENDIAN)),
            buffer.getLong(index + 16, ByteOrder.LITTLE_ENDIAN), side,
            price == UNDEFINED_PRICE ? FeedEvent.NO_PRICE : price, quantity);
        event.transactTime = buffer.getLong(index + 8, ByteOrder.LITTLE_ENDIAN);
        // Records are sorted by the time of receipt; a clock may still have stepped.
        paceTime = Math.max(paceTime, buffer.getLong(index + 40, ByteOrder.LITTLE_ENDIAN));
        event.paceTime = paceTime;
        event.opening = (flags & FLAG_SNAPSHOT) != 0;
        event.endOfEvent = event.opening || (flags & FLAG_LAST) != 0;
        return true;
    }

    private int instrument(final int id)
    {
        int index = indexById.get(id);
        if (index == -1)
        {
            index = instruments.size();
            final String symbol = symbols.get(id);
            instruments.add(new Instrument(id, symbol == null ? "#" + Integer.toUnsignedString(id) : symbol,
                EXCHANGE, 0));
            indexById.put(id, index);
        }
        return index;
    }

    private static String quoted(final byte character)
    {
        return character > ' ' && character < 127 ? "'" + (char) character + "'" : "0x" + Integer.toHexString(
            character & 0xFF);
    }

    @Override
    public List<Instrument> instruments()
    {
        return view;
    }

    @Override
    public int expectedOrders()
    {
        return 16_384;
    }

    @Override
    public String summary()
    {
        return "DBN version " + metadata.version() + ", dataset " + metadata.dataset() + ": " + events + " events, " +
            passedOver + " records of other kinds passed over";
    }

    @Override
    public void close() throws IOException
    {
        in.close();
    }
}

package io.gannet.samples.marketdata.source;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Reads Nasdaq TotalView-ITCH 5.0: a file of length-prefixed messages or a capture of MoldUDP64 packets, raw, gzip or
 * zstd. Messages are big-endian; each has at 0 the type, at 1 the uint16 stock locate, at 5 the time as 48-bit
 * nanoseconds since midnight. Orders that began before the file are not known: what happens to them is counted and
 * passed over. Not thread-safe.
 */
public final class ItchSource implements FeedSource
{
    private static final long PRICE_UNIT = 100_000;
    private static final String EXCHANGE = "XNAS";
    /** Length of each message by its type; 0: no such type. */
    private static final int[] LENGTHS = new int[128];

    static
    {
        final String types = "SRHYLVWKJhAFECXDUPQBINO";
        final int[] lengths =
            {12, 39, 25, 20, 26, 35, 12, 28, 35, 21, 36, 40, 31, 36, 23, 19, 35, 44, 40, 19, 50, 20, 48};
        for (int i = 0; i < lengths.length; i++)
        {
            LENGTHS[types.charAt(i)] = lengths[i];
        }
    }

    private final ItchFraming framing;
    private final List<Instrument> instruments = new ArrayList<>();
    private final List<Instrument> view = Collections.unmodifiableList(instruments);
    private final int[] indexByLocate = new int[65_536];
    private final Long2ObjectHashMap<Order> orders = new Long2ObjectHashMap<>();
    private final ArrayDeque<Order> spareOrders = new ArrayDeque<>();
    private final FeedEvent[] pending = {new FeedEvent(), new FeedEvent(), new FeedEvent()};
    private int pendingCount;
    private int pendingNext;
    private long messages;
    private long unknownOrders;
    private long unknownTypes;
    private long time;
    private long paceTime = Long.MIN_VALUE;

    private static final class Order
    {
        private int instrument;
        private boolean bid;
        private long price;
        private long quantity;
    }

    private ItchSource(final ItchFraming framing)
    {
        this.framing = framing;
        Arrays.fill(indexByLocate, -1);
    }

    /**
     * Opens a file of either form.
     *
     * @throws FeedFormatException if it is neither.
     */
    public static ItchSource open(final Path file) throws IOException
    {
        final ByteSource in = ByteSource.open(file);
        try
        {
            if (in.atEnd())
            {
                throw in.error(0, "the file is empty");
            }
            final int word = in.tryPeek(4) == 4 ? in.buffer().getInt(in.index(), ByteOrder.LITTLE_ENDIAN) : 0;
            if (word == PcapReader.PCAPNG)
            {
                throw in.error(0, "a pcapng capture; convert it: editcap -F pcap in.pcapng out.pcap");
            }
            return new ItchSource(
                PcapReader.isCapture(word) ? new MoldFraming(new PcapReader(in)) : new LengthPrefixedFraming(in));
        }
        catch (final IOException | RuntimeException failure)
        {
            in.close();
            throw failure;
        }
    }

    @Override
    public boolean next(final FeedEvent event) throws IOException
    {
        while (pendingNext == pendingCount)
        {
            pendingNext = 0;
            pendingCount = 0;
            if (!framing.next())
            {
                return false;
            }
            decode(framing.buffer(), framing.index(), framing.length());
        }
        event.copyFrom(pending[pendingNext++]);
        event.transactTime = time;
        event.paceTime = paceTime;
        event.opening = false;
        event.endOfEvent = pendingNext == pendingCount;
        return true;
    }

    private void decode(final DirectBuffer buffer, final int index, final int length) throws IOException
    {
        final byte type = buffer.getByte(index);
        final int expected = type > 0 ? LENGTHS[type] : 0;
        if (expected == 0)
        {
            if (messages == 0)
            {
                throw framing.error(0, "not an ITCH 5.0 file: the first message is of unknown type 0x" +
                    Integer.toHexString(type & 0xFF));
            }
            unknownTypes++;
            return;
        }
        if (length != expected)
        {
            throw framing.error(0, "a message of type '" + (char) type + "' has " + length + " bytes, it must have " +
                expected);
        }
        messages++;
        final long sinceMidnight = (long) uint16(buffer, index + 5) << 32 | uint32(buffer, index + 7);
        time = framing.midnight() + sinceMidnight;
        paceTime = Math.max(paceTime, time);
        switch (type)
        {
            case 'R' -> instrument(buffer, index, index + 11);
            case 'H' -> status(buffer, index);
            case 'A', 'F' -> add(buffer, index);
            case 'E' -> execute(buffer, index, FeedEvent.NO_PRICE, true);
            case 'C' -> execute(buffer, index, uint32(buffer, index + 32) * PRICE_UNIT,
                buffer.getByte(index + 31) == 'Y');
            case 'X' -> cancel(buffer.getLong(index + 11, ByteOrder.BIG_ENDIAN), uint32(buffer, index + 19));
            case 'D' -> cancel(buffer.getLong(index + 11, ByteOrder.BIG_ENDIAN), Long.MAX_VALUE);
            case 'U' -> replace(buffer, index);
            case 'P' -> emit(FeedEvent.Type.TRADE, instrument(buffer, index, index + 24), 0, FeedEvent.Side.NONE,
                uint32(buffer, index + 32) * PRICE_UNIT, uint32(buffer, index + 20));
            case 'Q' -> cross(buffer, index);
            default ->
            {
                // System events, auction and reference messages don't change a book.
            }
        }
    }

    private void status(final DirectBuffer buffer, final int index) throws FeedFormatException
    {
        final TradingStatus status = switch (buffer.getByte(index + 19))
        {
            case 'T' -> TradingStatus.TRADING;
            case 'Q' -> TradingStatus.PRE_OPEN;
            case 'H', 'P' -> TradingStatus.HALTED;
            default -> throw framing.error(19, "trading state 0x" +
                Integer.toHexString(buffer.getByte(index + 19) & 0xFF) + " is none of H, P, Q, T");
        };
        emit(FeedEvent.Type.STATUS, instrument(buffer, index, index + 11), 0, FeedEvent.Side.NONE,
            FeedEvent.NO_PRICE, 0).status = status;
    }

    private void add(final DirectBuffer buffer, final int index) throws FeedFormatException
    {
        final byte side = buffer.getByte(index + 19);
        if (side != 'B' && side != 'S')
        {
            throw framing.error(19, "side 0x" + Integer.toHexString(side & 0xFF) + " is neither B nor S");
        }
        final long quantity = uint32(buffer, index + 20);
        if (quantity == 0)
        {
            throw framing.error(20, "an order of 0 shares");
        }
        open(buffer.getLong(index + 11, ByteOrder.BIG_ENDIAN), instrument(buffer, index, index + 24), side == 'B',
            uint32(buffer, index + 32) * PRICE_UNIT, quantity);
    }

    private void open(
        final long id, final int instrument, final boolean bid, final long price, final long quantity)
        throws FeedFormatException
    {
        if (orders.containsKey(id))
        {
            throw framing.error(11, "order " + Long.toUnsignedString(id) + " is added twice");
        }
        final Order order = spareOrders.isEmpty() ? new Order() : spareOrders.pop();
        order.instrument = instrument;
        order.bid = bid;
        order.price = price;
        order.quantity = quantity;
        orders.put(id, order);
        emit(FeedEvent.Type.ADD, instrument, id, side(bid), price, quantity);
    }

    private void execute(final DirectBuffer buffer, final int index, final long tradePrice, final boolean printable)
    {
        final long id = buffer.getLong(index + 11, ByteOrder.BIG_ENDIAN);
        final Order order = orders.get(id);
        if (order == null)
        {
            unknownOrders++;
            return;
        }
        final long quantity = uint32(buffer, index + 19);
        final long price = tradePrice == FeedEvent.NO_PRICE ? order.price : tradePrice;
        if (printable)
        {
            emit(FeedEvent.Type.TRADE, order.instrument, 0, side(!order.bid), price, quantity);
        }
        emit(FeedEvent.Type.FILL, order.instrument, id, side(order.bid), price, quantity);
        cancel(id, quantity);
    }

    private void cancel(final long id, final long quantity)
    {
        final Order order = orders.get(id);
        if (order == null)
        {
            unknownOrders++;
            return;
        }
        final long canceled = Math.min(quantity, order.quantity);
        emit(FeedEvent.Type.CANCEL, order.instrument, id, side(order.bid), order.price, canceled);
        order.quantity -= canceled;
        if (order.quantity == 0)
        {
            spareOrders.push(orders.remove(id));
        }
    }

    private void replace(final DirectBuffer buffer, final int index) throws FeedFormatException
    {
        final long oldId = buffer.getLong(index + 11, ByteOrder.BIG_ENDIAN);
        final Order old = orders.get(oldId);
        if (old == null)
        {
            unknownOrders++;
            return;
        }
        final int instrument = old.instrument;
        final boolean bid = old.bid;
        final long quantity = uint32(buffer, index + 27);
        if (quantity == 0)
        {
            throw framing.error(27, "an order of 0 shares");
        }
        cancel(oldId, Long.MAX_VALUE);
        open(buffer.getLong(index + 19, ByteOrder.BIG_ENDIAN), instrument, bid,
            uint32(buffer, index + 31) * PRICE_UNIT, quantity);
    }

    private void cross(final DirectBuffer buffer, final int index)
    {
        final long quantity = buffer.getLong(index + 11, ByteOrder.BIG_ENDIAN);
        // A cross of 0 shares says that the auction found no trade.
        if (quantity > 0)
        {
            emit(FeedEvent.Type.TRADE, instrument(buffer, index, index + 19), 0, FeedEvent.Side.NONE,
                uint32(buffer, index + 27) * PRICE_UNIT, quantity);
        }
    }

    private FeedEvent emit(
        final FeedEvent.Type type,
        final int instrument,
        final long id,
        final FeedEvent.Side side,
        final long price,
        final long quantity)
    {
        return pending[pendingCount++].set(type, instrument, id, side, price, quantity);
    }

    private int instrument(final DirectBuffer buffer, final int index, final int symbolIndex)
    {
        final int locate = uint16(buffer, index + 1);
        int instrument = indexByLocate[locate];
        if (instrument == -1)
        {
            instrument = instruments.size();
            final String symbol =
                buffer.getStringWithoutLengthAscii(symbolIndex, 8).replaceAll("[^ -~]", "?").strip();
            instruments.add(new Instrument(locate, symbol.isEmpty() ? "#" + locate : symbol, EXCHANGE, 0));
            indexByLocate[locate] = instrument;
        }
        return instrument;
    }

    private static FeedEvent.Side side(final boolean bid)
    {
        return bid ? FeedEvent.Side.BID : FeedEvent.Side.OFFER;
    }

    private static int uint16(final DirectBuffer buffer, final int index)
    {
        return buffer.getShort(index, ByteOrder.BIG_ENDIAN) & 0xFFFF;
    }

    private static long uint32(final DirectBuffer buffer, final int index)
    {
        return buffer.getInt(index, ByteOrder.BIG_ENDIAN) & 0xFFFF_FFFFL;
    }

    @Override
    public List<Instrument> instruments()
    {
        return view;
    }

    @Override
    public int expectedOrders()
    {
        return 256;
    }

    @Override
    public String summary()
    {
        return "ITCH 5.0, " + framing.summary() + ": " + messages + " messages, " + unknownOrders +
            " on orders from before the file, " + unknownTypes + " of unknown types";
    }

    @Override
    public void close() throws IOException
    {
        framing.close();
    }
}

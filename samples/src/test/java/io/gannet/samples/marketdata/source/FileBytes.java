package io.gannet.samples.marketdata.source;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes the files that the readers are tested with, byte by byte from the formats' descriptions.
 */
public final class FileBytes
{
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteOrder order;

    public FileBytes(final ByteOrder order)
    {
        this.order = order;
    }

    public FileBytes u8(final int value)
    {
        out.write(value);
        return this;
    }

    public FileBytes u16(final int value)
    {
        return raw(ByteBuffer.allocate(2).order(order).putShort((short) value).array());
    }

    public FileBytes u32(final long value)
    {
        return raw(ByteBuffer.allocate(4).order(order).putInt((int) value).array());
    }

    public FileBytes u64(final long value)
    {
        return raw(ByteBuffer.allocate(8).order(order).putLong(value).array());
    }

    public FileBytes text(final String text, final int length, final int padding)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        raw(bytes);
        for (int i = bytes.length; i < length; i++)
        {
            u8(padding);
        }
        return this;
    }

    public FileBytes zeros(final int length)
    {
        return raw(new byte[length]);
    }

    public FileBytes raw(final byte[] bytes)
    {
        out.writeBytes(bytes);
        return this;
    }

    public byte[] toBytes()
    {
        return out.toByteArray();
    }

    public int size()
    {
        return out.size();
    }

    public static Path write(final Path directory, final String name, final byte[] bytes)
    {
        try
        {
            return Files.write(directory.resolve(name), bytes);
        }
        catch (final IOException failure)
        {
            throw new UncheckedIOException(failure);
        }
    }

    /** Header of a DBN file with one symbol mapping: instrument 17 is {@code symbol}. */
    public static byte[] dbnHeader(final int version, final String symbol, final boolean sendTime)
    {
        final int symbolLength = version == 1 ? 22 : 71;
        final FileBytes metadata = new FileBytes(ByteOrder.LITTLE_ENDIAN)
            .text("TEST.SET", 16, 0).u16(0).u64(1).u64(2).u64(0);
        if (version == 1)
        {
            metadata.u64(-1).u8(1).u8(0).u8(sendTime ? 1 : 0).zeros(47);
        }
        else
        {
            metadata.u8(1).u8(0).u8(sendTime ? 1 : 0).u16(symbolLength).zeros(53);
        }
        metadata.u32(0);
        metadata.u32(1).text(symbol, symbolLength, 0).u32(0).u32(0);
        metadata.u32(1).text(symbol, symbolLength, 0).u32(1).u32(20_260_101).u32(20_260_102).text("17", symbolLength,
            0);
        if (version == 3)
        {
            metadata.zeros((8 - metadata.size() % 8) % 8);
        }
        return new FileBytes(ByteOrder.LITTLE_ENDIAN).text("DBN", 3, 0).u8(version).u32(metadata.size())
            .raw(metadata.toBytes()).toBytes();
    }

    /** A market-by-order record of instrument 17, 56 bytes. */
    public static byte[] mbo(
        final char action, final char side, final long id, final long price, final int size, final int flags,
        final long time)
    {
        return new FileBytes(ByteOrder.LITTLE_ENDIAN).u8(14).u8(160).u16(1).u32(17).u64(time).u64(id).u64(price)
            .u32(size).u8(flags).u8(0).u8(action).u8(side).u64(time + 5).u32(0).u32(1).toBytes();
    }
}

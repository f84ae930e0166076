package io.gannet.samples.marketdata.source;

import com.github.luben.zstd.ZstdInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A file, decompressed if it is zstd or gzip by its first bytes, read record by record through one buffer. Offsets
 * count decompressed bytes.
 */
final class ByteSource implements Closeable
{
    private static final int INITIAL = 64 * 1024;
    private static final int ZSTD_MAGIC = 0xFD2FB528;
    private static final int GZIP_MAGIC = 0x8B1F;

    private final String name;
    private final InputStream in;
    private byte[] bytes = new byte[INITIAL];
    private final MutableDirectBuffer buffer = new UnsafeBuffer(bytes);
    private long bufferOffset;
    private int position;
    private int limit;

    private ByteSource(final String name, final InputStream in)
    {
        this.name = name;
        this.in = in;
    }

    static ByteSource open(final Path file) throws IOException
    {
        final ByteSource raw = new ByteSource(file.getFileName().toString(), Files.newInputStream(file));
        try
        {
            return raw.decompressed();
        }
        catch (final IOException | RuntimeException failure)
        {
            raw.close();
            throw failure;
        }
    }

    /** The source itself, or one that decompresses it. Nothing may have been consumed. */
    private ByteSource decompressed() throws IOException
    {
        final int available = fill(4);
        final int first = available < 4 ? 0 : buffer.getInt(0, ByteOrder.LITTLE_ENDIAN);
        if (first == ZSTD_MAGIC)
        {
            final ZstdInputStream zstd = new ZstdInputStream(rest());
            zstd.setContinuous(false);
            return new ByteSource(name, zstd);
        }
        if ((first & 0xFFFF) == GZIP_MAGIC)
        {
            return new ByteSource(name, new GZIPInputStream(rest(), INITIAL));
        }
        return this;
    }

    /** The bytes from here on as a stream: what is in the buffer, then the file. */
    private InputStream rest()
    {
        final InputStream head = new java.io.ByteArrayInputStream(bytes, position, limit - position);
        return new java.io.SequenceInputStream(head, in);
    }

    String name()
    {
        return name;
    }

    /** Offset of the next byte. */
    long offset()
    {
        return bufferOffset + position;
    }

    /** The buffer that holds what was asked for; changes with the next call. */
    MutableDirectBuffer buffer()
    {
        return buffer;
    }

    /** Whether the file ends here. */
    boolean atEnd() throws IOException
    {
        return fill(1) == 0;
    }

    /**
     * Makes {@code length} bytes readable without consuming them.
     *
     * @param what the bytes are, for the message.
     * @return their index in the buffer.
     */
    int peek(final int length, final String what) throws IOException
    {
        final int available = fill(length);
        if (available < length)
        {
            throw error(available, "the file ends in " + what + ": " + length + " bytes needed, " + available +
                " left");
        }
        return position;
    }

    /** Like {@link #peek} for what may be missing: how many of the bytes there are. */
    int tryPeek(final int length) throws IOException
    {
        return Math.min(fill(length), length);
    }

    /** Index in the buffer of the next byte. */
    int index()
    {
        return position;
    }

    /** Consumes bytes that were peeked. */
    void skip(final int length)
    {
        position += length;
    }

    /** An error at {@code delta} bytes from here. */
    FeedFormatException error(final long delta, final String what)
    {
        return new FeedFormatException(name, offset() + delta, what);
    }

    private int fill(final int length) throws IOException
    {
        if (limit - position >= length)
        {
            return limit - position;
        }
        if (length > bytes.length)
        {
            resize(Math.max(bytes.length * 2, length));
        }
        else if (position > 0)
        {
            System.arraycopy(bytes, position, bytes, 0, limit - position);
        }
        bufferOffset += position;
        limit -= position;
        position = 0;
        while (limit < length)
        {
            final int read = read();
            if (read < 0)
            {
                break;
            }
            limit += read;
        }
        return limit;
    }

    private int read() throws IOException
    {
        try
        {
            return in.read(bytes, limit, bytes.length - limit);
        }
        catch (final EOFException | ZipException | com.github.luben.zstd.ZstdIOException damaged)
        {
            throw damaged(damaged);
        }
        catch (final IOException failure)
        {
            // zstd-jni reports a cut frame as a plain IOException
            if (in instanceof ZstdInputStream)
            {
                throw damaged(failure);
            }
            throw failure;
        }
    }

    private FeedFormatException damaged(final IOException cause)
    {
        final FeedFormatException failure = error(limit - position,
            "the compressed file is damaged or cut short behind this byte (" + cause.getMessage() + ")");
        failure.initCause(cause);
        return failure;
    }

    private void resize(final int length)
    {
        final byte[] larger = new byte[length];
        System.arraycopy(bytes, position, larger, 0, limit - position);
        bytes = larger;
        buffer.wrap(bytes);
    }

    @Override
    public void close() throws IOException
    {
        in.close();
    }
}

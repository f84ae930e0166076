package io.gannet.recording;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Blocks on their way from the polling thread to the writing one. Belongs to one of them at a time.
 */
final class Chunk
{
    private static final int NO_BLOCK = -1;

    private final ByteBuffer bytes;
    private final UnsafeBuffer buffer;
    private final CRC32C checksum = new CRC32C();
    private int length;
    private int open = NO_BLOCK;

    Chunk(final int capacity)
    {
        bytes = ByteBuffer.allocateDirect(capacity);
        buffer = new UnsafeBuffer(bytes);
    }

    ByteBuffer bytes()
    {
        return bytes;
    }

    UnsafeBuffer buffer()
    {
        return buffer;
    }

    int length()
    {
        return length;
    }

    int capacity()
    {
        return bytes.capacity();
    }

    /** Payload for which a block still has room. */
    int room()
    {
        return bytes.capacity() - length - Block.HEADER_LENGTH;
    }

    void clear()
    {
        length = 0;
        open = NO_BLOCK;
    }

    /** Begins a block, whose payload is to be added. */
    void begin(
        final int type,
        final int flags,
        final int session,
        final int stream,
        final long from,
        final long position,
        final long time)
    {
        Block.write(buffer, length, type, flags, 0, session, stream, from, position, time);
        checksum.reset();
        open = length;
        length += Block.HEADER_LENGTH;
    }

    /** Whether more frames of a stream, from a position on, can be added to the last block. */
    boolean isOpenFor(final int stream, final long position, final int more, final int limit, final long time)
    {
        return open != NO_BLOCK && Block.type(buffer, open) == Block.FRAMES && Block.stream(buffer, open) == stream &&
            Block.end(buffer, open) == position && Block.length(buffer, open) + more <= limit &&
            more <= bytes.capacity() - length && time - Block.time(buffer, open) < RecordingReader.TIME_SLACK_NANOS;
    }

    /**
     * Adds to the last block. Its checksum is made here, while the bytes are still in the cache of the polling thread's
     * processor: writing takes longer than polling, and so is left alone with it.
     */
    void add(final org.agrona.DirectBuffer source, final int offset, final int count)
    {
        buffer.putBytes(length, source, offset, count);
        checksum.update(bytes.clear().limit(length + count).position(length));
        bytes.clear();
        length += count;
        Block.payloadChecksum(buffer, open, (int) checksum.getValue());
        buffer.putInt(open + Block.LENGTH, Block.length(buffer, open) + count, java.nio.ByteOrder.LITTLE_ENDIAN);
    }
}

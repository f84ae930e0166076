package io.gannet.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gannet.protocol.MessageHeaderEncoder;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * Scratch space in which one message is encoded before it goes into a ring. What the ring's writer alone writes there
 * is remembered, so that somebody else's writing is found. Not thread-safe.
 */
final class MessageWriter
{
    private final RingBuffer ring;
    private final UnsafeBuffer buffer;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final int headCacheIndex;
    private long ownTail;
    private long ownHeadCache;

    MessageWriter(final RingBuffer ring)
    {
        this.ring = ring;
        headCacheIndex = ring.capacity() + RingBufferDescriptor.HEAD_CACHE_POSITION_OFFSET;
        rememberOwnWords();
        buffer = new UnsafeBuffer(new byte[ring.maxMsgLength()]);
    }

    UnsafeBuffer buffer()
    {
        return buffer;
    }

    MessageHeaderEncoder header()
    {
        return header;
    }

    boolean write(final int templateId, final int length)
    {
        if (!areOwnWordsIntact())
        {
            return false;
        }
        final boolean written = ring.write(templateId, buffer, 0, length);
        rememberOwnWords();
        return written;
    }

    /** Whether the ring's positions can be what writer and reader left there; nothing is written if they can't. */
    boolean isIntact()
    {
        final long head = ring.consumerPosition();
        return areOwnWordsIntact() && GuardedRing.isAhead(ring.producerPosition(), head, ring.capacity());
    }

    private void rememberOwnWords()
    {
        ownTail = ring.producerPosition();
        ownHeadCache = ring.buffer().getLong(headCacheIndex);
    }

    /** A client that clears its rings leaves zeroes. */
    boolean areOwnWordsIntact()
    {
        final long tail = ring.producerPosition();
        final long headCache = ring.buffer().getLong(headCacheIndex);
        return (tail == ownTail || tail == 0) && (headCache == ownHeadCache || headCache == 0);
    }

    static byte[] encode(final String name, final String value)
    {
        final byte[] bytes = value.getBytes(UTF_8);
        if (bytes.length > MessageFrame.MAX_DATA_LENGTH)
        {
            throw new IllegalArgumentException(name + " of " + bytes.length + " bytes, at most " +
                MessageFrame.MAX_DATA_LENGTH + " are possible");
        }
        return bytes;
    }

    /** As {@link #encode}, but shortens what is only for people. */
    static byte[] encodeText(final String value, final int maxLength)
    {
        final byte[] bytes = value.getBytes(UTF_8);
        if (bytes.length <= maxLength)
        {
            return bytes;
        }
        int end = maxLength;
        while (end > 0 && (bytes[end] & 0xC0) == 0x80)
        {
            end--;
        }
        return java.util.Arrays.copyOf(bytes, end);
    }
}

package io.gannet.samples.marketdata.subscriber;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * Messages kept in their order while a subscriber waits for a snapshot.
 */
final class KeptMessages
{
    private static final int LENGTH = 8;

    /** Takes one message. */
    interface Consumer
    {
        void accept(DirectBuffer buffer, int offset, int length);
    }

    private final int limit;
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(64 * 1024);
    private int end;
    private long first;

    KeptMessages(final int limit)
    {
        this.limit = limit;
    }

    /** Keeps a message; false if there is no room. */
    boolean add(final long sequence, final DirectBuffer source, final int offset, final int length)
    {
        if (end + LENGTH + length > limit)
        {
            return false;
        }
        if (end == 0)
        {
            first = sequence;
        }
        buffer.putInt(end, length);
        buffer.putBytes(end + LENGTH, source, offset, length);
        end += LENGTH + (length + 7 & ~7);
        return true;
    }

    /** Number of the first message; meaningful only if there is one. */
    long first()
    {
        return first;
    }

    boolean isEmpty()
    {
        return end == 0;
    }

    void clear()
    {
        end = 0;
    }

    void forEach(final Consumer consumer)
    {
        for (int at = 0; at < end;)
        {
            final int length = buffer.getInt(at);
            consumer.accept(buffer, at + LENGTH, length);
            at += LENGTH + (length + 7 & ~7);
        }
    }
}

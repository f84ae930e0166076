package io.gannet.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gannet.protocol.MessageHeaderEncoder;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;

/** Scratch space in which one message is encoded before it goes into a ring. Not thread-safe. */
final class MessageWriter
{
    private final RingBuffer ring;
    private final UnsafeBuffer buffer;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();

    MessageWriter(final RingBuffer ring)
    {
        this.ring = ring;
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
        return ring.write(templateId, buffer, 0, length);
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

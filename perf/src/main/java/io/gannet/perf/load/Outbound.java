package io.gannet.perf.load;

import io.gannet.perf.peer.Sender;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One producer: its sender, its payload and its sequence. Payload words, 8 bytes each:
 * <pre>
 *  0: producer &lt;&lt; 48 | sequence   1: intended time of sending (paced) or FILL   2 ..: FILL   last: word 0 + FILL
 * </pre>
 */
final class Outbound extends OutboundState
{
    static final int PRODUCER_SHIFT = 48;
    static final int INTENDED = Long.BYTES;
    static final long FILL = 0x0102_0304_0506_0708L;

    /** Payloads begin and end on this boundary, so that no two producers' share a line or its neighbour. */
    private static final int PAYLOAD_ALIGNMENT = 256;

    private final Sender sender;
    private final UnsafeBuffer payload;
    private final int size;
    private final long first;

    Outbound(final Sender sender, final int producer, final int size)
    {
        this.sender = sender;
        this.size = size;
        first = (long) producer << PRODUCER_SHIFT;
        payload = new UnsafeBuffer(BufferUtil.allocateDirectAligned(
            BitUtil.align(size, PAYLOAD_ALIGNMENT), PAYLOAD_ALIGNMENT), 0, size);
        for (int i = 0; i < size; i += Long.BYTES)
        {
            payload.putLong(i, FILL);
        }
    }

    Sender sender()
    {
        return sender;
    }

    UnsafeBuffer payload()
    {
        return payload;
    }

    /** Messages accepted since the start. */
    long sent()
    {
        return sequence;
    }

    /** Forgets what earlier phases met. */
    void beginPhase()
    {
        refused = 0;
        gaps = 0;
        gapNanos = 0;
    }

    boolean offer()
    {
        final long word = first + sequence;
        payload.putLong(0, word);
        payload.putLong(size - Long.BYTES, word + FILL);
        if (sender.offer(payload, 0, size))
        {
            sequence++;
            return true;
        }
        return false;
    }

    boolean offer(final long intendedNanos)
    {
        payload.putLong(INTENDED, intendedNanos);
        return offer();
    }

    /** Offers until one is refused, {@code most} times at most; returns how many were accepted. */
    int burst(final int most)
    {
        int accepted = 0;
        while (accepted < most && offer())
        {
            accepted++;
        }
        return accepted;
    }
}

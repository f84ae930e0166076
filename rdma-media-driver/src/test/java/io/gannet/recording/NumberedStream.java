package io.gannet.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.Header;
import io.gannet.Publication;
import io.gannet.harness.Await;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages of which each says its number, and has a length and bytes that follow from number and session.
 */
public final class NumberedStream
{
    private static final int MAX_LENGTH = 3_000;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MAX_LENGTH]);
    private final Map<Integer, Long> next = new HashMap<>();

    private static int length(final int session, final long number)
    {
        return Long.BYTES + (new SplittableRandom(session * 31L + number).nextInt() & 0x7FF);
    }

    /** Publishes message {@code number}, and waits while there is no room. */
    public void publish(final Publication publication, final long number)
    {
        final int length = length(publication.sessionId(), number);
        message.putLong(0, number);
        for (int i = Long.BYTES; i < length; i++)
        {
            message.putByte(i, (byte) (number * 7 + i));
        }
        Await.until("room for message " + number, () ->
            publication.offer(message, 0, length, (b, o, l) -> ~number) > 0);
    }

    /** Checks a message; it must be the next of its session, whose first may be any. */
    public void check(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        final long number = buffer.getLong(offset);
        final Long expected = next.put(header.sessionId(), number + 1);
        if (expected != null && expected != number)
        {
            assertThat(number).as("next of session %d before position %d", header.sessionId(), header.position())
                .isEqualTo(expected);
        }
        if (length != length(header.sessionId(), number) || header.reservedValue() != ~number)
        {
            assertThat(length).isEqualTo(length(header.sessionId(), number));
            assertThat(header.reservedValue()).isEqualTo(~number);
        }
        for (int i = Long.BYTES; i < length; i++)
        {
            if (buffer.getByte(offset + i) != (byte) (number * 7 + i))
            {
                assertThat(buffer.getByte(offset + i)).as("byte %d of message %d", i, number)
                    .isEqualTo((byte) (number * 7 + i));
            }
        }
    }

    /** Number that comes next of a session; 0 if nothing came. */
    public long next(final int session)
    {
        return next.getOrDefault(session, 0L);
    }

    /** Says that the messages below a number are missing. */
    public void skipTo(final int session, final long number)
    {
        next.put(session, number);
    }

    /** Sessions of which something came. */
    public int sessions()
    {
        return next.size();
    }
}

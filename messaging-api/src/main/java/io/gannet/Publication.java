package io.gannet;

import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;

/**
 * Sends messages into one stream of a channel. Made by {@link Gannet#addPublication} (any number of threads may offer;
 * all publications of that channel and stream in the driver's directory share one session and one ring) or by
 * {@link Gannet#addExclusivePublication} (one thread, own session and ring).
 * <p>
 * A message is one frame: it is never fragmented, and it is published completely or not at all. Calls on a closed
 * publication return {@link #CLOSED}, also while another thread closes it.
 * <p>
 * <b>Window.</b> How many bytes a publication may be ahead of its slowest subscriber follows from the bytes of its
 * ring, {@link #ringCapacity()}: 7/8 of them less 16,448 for an exclusive publication, 7/16 of them less 16,448 for a
 * shared one. A ring of 64 KiB has 40,896 and 12,224, one of 1 MiB 901,056 and 442,304, one of 16 MiB 14,663,616 and
 * 7,323,584. A message takes its payload and a header of 16 bytes, rounded up to a multiple of 32; the longest,
 * {@link #maxMessageLength()}, takes 1/8 or 1/16 of the ring. Between hosts it is the publisher's ring that counts; the
 * one of the image on the other host is as large.
 * <p>
 * A publication whose ring's file is truncated or overwritten by something else ends: offers return {@link #CLOSED},
 * and the error handler gets one exception that names the position up to which subscribers have all. In the moment in
 * which the file is cut the virtual machine may throw one {@link InternalError} at compiled code into which offers were
 * inlined; the next call returns {@link #CLOSED}. An application that is to survive that catches it around its loop: a
 * guard on the way of each message would cost all of them.
 */
public interface Publication extends AutoCloseable
{
    /** No subscriber; nothing was sent. */
    long NOT_CONNECTED = -1;
    /** The slowest subscriber is a window behind (see above), and {@link #slowestSubscriber()} names it; try again. */
    long BACK_PRESSURED = -2;
    /** The publication, or its client, is closed. */
    long CLOSED = -4;
    /** The stream's position can't grow any more; a new publication starts anew. */
    long MAX_POSITION_EXCEEDED = -5;

    /**
     * Name of a result of an offer.
     *
     * @param result of {@link #offer} or {@link #tryClaim}.
     */
    static String resultName(final long result)
    {
        if (result > 0)
        {
            return "position " + result;
        }
        return switch ((int) result)
        {
            case (int) NOT_CONNECTED -> "NOT_CONNECTED";
            case (int) BACK_PRESSURED -> "BACK_PRESSURED";
            case (int) CLOSED -> "CLOSED";
            case (int) MAX_POSITION_EXCEEDED -> "MAX_POSITION_EXCEEDED";
            default -> "unknown result " + result;
        };
    }

    /** The channel as it was given, normalised. */
    String channel();

    /** The stream within the channel. */
    int streamId();

    /** Tells this publication's messages from others of the stream. */
    int sessionId();

    /** Names this publication within its client. */
    long registrationId();

    /** Longest payload, in bytes. */
    int maxMessageLength();

    /** Data bytes of the ring, a power of two, 64 KiB to 512 MiB; the window is 7/8 or 7/16 of them, see above. */
    int ringCapacity();

    /** Whether an offer would find a subscriber. */
    boolean isConnected();

    /** Whether {@link #close()} was called, the client was closed, or the driver ended the publication. */
    boolean isClosed();

    /** Position of the stream in bytes: everything below was claimed by publishers. {@link #CLOSED} when closed. */
    long position();

    /** Position up to which offers succeed now; {@link #CLOSED} when closed. */
    long positionLimit();

    /** Bytes from {@link #position()} to {@link #positionLimit()}, 0 to the window; {@link #CLOSED} when closed. */
    long availableWindow();

    /**
     * Who is furthest behind. Not for the hot path: reads files and allocates.
     *
     * @return null when there is no subscriber, or the publication is closed.
     */
    SubscriberLag slowestSubscriber();

    /**
     * Offers one message without blocking.
     *
     * @param buffer payload source; bytes are copied before return.
     * @param offset first payload byte, in [0, buffer.capacity()].
     * @param length payload bytes, in [0, {@link #maxMessageLength()}].
     * @return the stream position after the message (> 0), or {@link #NOT_CONNECTED}, {@link #BACK_PRESSURED},
     *         {@link #CLOSED}, {@link #MAX_POSITION_EXCEEDED}. Nothing is written on a negative result.
     * @throws IllegalArgumentException if {@code length} is out of range; the message names it and the limit.
     */
    default long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        return offer(buffer, offset, length, null);
    }

    /**
     * Offers a whole buffer, see {@link #offer(DirectBuffer, int, int)}.
     */
    default long offer(final DirectBuffer buffer)
    {
        return offer(buffer, 0, buffer.capacity(), null);
    }

    /**
     * As {@link #offer(DirectBuffer, int, int)}.
     *
     * @param reservedValue computes the application's 64 bits in the header, or null for 0.
     */
    long offer(DirectBuffer buffer, int offset, int length, ReservedValueSupplier reservedValue);

    /**
     * Offers one message that is gathered from parts, see {@link #offer(DirectBuffer, int, int)}.
     *
     * @param vectors       the parts, in order.
     * @param reservedValue computes the application's 64 bits in the header, or null for 0.
     * @throws IllegalArgumentException if the parts are longer than {@link #maxMessageLength()} together.
     */
    long offer(DirectBufferVector[] vectors, ReservedValueSupplier reservedValue);

    /**
     * As {@link #offer(DirectBufferVector[], ReservedValueSupplier)}, with a reserved value of 0.
     */
    default long offer(final DirectBufferVector... vectors)
    {
        return offer(vectors, null);
    }

    /**
     * As {@link #offer(DirectBuffer, int, int)}, of one message in two parts, such as a header and a body.
     *
     * @param reservedValue computes the application's 64 bits in the header, or null for 0.
     */
    long offer(
        DirectBuffer first,
        int firstOffset,
        int firstLength,
        DirectBuffer second,
        int secondOffset,
        int secondLength,
        ReservedValueSupplier reservedValue);

    /**
     * Offers one message and waits while it is back-pressured or nobody subscribes, with the client's
     * {@link Gannet.Context#offerIdleStrategy()}.
     *
     * @param timeout longest wait; 0 or less: a single try.
     * @return as {@link #offer(DirectBuffer, int, int)}: the last negative result if the deadline passed, or if the
     *         thread was interrupted. The interrupt stays pending and nothing else is affected by it.
     * @throws IllegalArgumentException if {@code length} is out of range.
     */
    long offer(DirectBuffer buffer, int offset, int length, long timeout, TimeUnit unit);

    /**
     * Claims room for one message to be written in place.
     *
     * @param length payload bytes, in [0, {@link #maxMessageLength()}].
     * @param claim  holds the room until it is committed or aborted, from {@link BufferClaim#allocate()}.
     * @return as {@link #offer(DirectBuffer, int, int)}; the claim is open on a positive result only.
     * @throws IllegalArgumentException if {@code length} is out of range, or the claim is not from
     *         {@link BufferClaim#allocate()}.
     * @throws IllegalStateException    if {@code claim} is open.
     */
    long tryClaim(int length, BufferClaim claim);

    /**
     * Ends this publication. The stream ends when its last publication closes; subscribers still get all that was
     * offered. Doesn't wait. Idempotent; any thread.
     */
    @Override
    void close();
}

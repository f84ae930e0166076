package io.gannet;

import org.agrona.MutableDirectBuffer;

/**
 * A range of the ring in which the application writes one message in place, from {@link Publication#tryClaim} until
 * {@link #commit()} or {@link #abort()}. Subscribers don't get past an open claim, so it must end soon. Can be used
 * again for the next claim. Not thread-safe.
 */
public interface BufferClaim
{
    /** A claim for {@link Publication#tryClaim}. */
    static BufferClaim allocate()
    {
        return new RingClaim();
    }

    /** Where to write: the payload is [{@link #offset()}, offset + {@link #length()}) of this buffer. */
    MutableDirectBuffer buffer();

    /** First payload byte in {@link #buffer()}. */
    int offset();

    /** Payload bytes. */
    int length();

    /** Sets the 64-bit value in the header; 0 if never called. */
    BufferClaim reservedValue(long value);

    /**
     * Publishes the message.
     *
     * @throws IllegalStateException if no claim is open.
     */
    void commit();

    /**
     * Withdraws the message; subscribers skip the space. Does nothing if no claim is open.
     */
    void abort();
}

package io.gannet;

import org.agrona.DirectBuffer;

/**
 * Computes the 64-bit value in a frame's header that belongs to the application, for example a checksum or a time.
 */
@FunctionalInterface
public interface ReservedValueSupplier
{
    /**
     * The value for one message, called after its payload was copied and before it can be read.
     *
     * @param buffer the ring.
     * @param offset first payload byte.
     * @param length payload bytes.
     */
    long get(DirectBuffer buffer, int offset, int length);
}

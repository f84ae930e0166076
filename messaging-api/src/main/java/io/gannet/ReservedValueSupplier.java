package io.gannet;

/**
 * Computes the 64-bit value in a frame's header that belongs to the application, for example a checksum or a time:
 * called with the message's place in the ring, after its payload was copied and before it can be read. If it throws,
 * the message is not sent.
 */
@FunctionalInterface
public interface ReservedValueSupplier extends io.gannet.ring.ReservedValueSupplier
{
}

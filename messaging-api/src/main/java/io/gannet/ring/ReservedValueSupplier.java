package io.gannet.ring;

import org.agrona.DirectBuffer;

/** Computes a message's reserved value, such as a checksum or a time stamp, when its payload is in place. */
@FunctionalInterface
public interface ReservedValueSupplier
{
    /** The reserved value of the payload at {@code offset}. If it throws, the message isn't sent. */
    long get(DirectBuffer buffer, int offset, int length);
}

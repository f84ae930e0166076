package io.gannet.perf.peer;

import org.agrona.DirectBuffer;

/**
 * What a load does with a message.
 */
@FunctionalInterface
public interface MessageHandler
{
    /** One whole message; the bytes are valid until return. */
    void onMessage(DirectBuffer buffer, int offset, int length);
}

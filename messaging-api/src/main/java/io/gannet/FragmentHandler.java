package io.gannet;

import org.agrona.DirectBuffer;

/**
 * Receives one message at a time from {@link Subscription#poll}, on the polling thread.
 */
@FunctionalInterface
public interface FragmentHandler
{
    /**
     * One message. An exception ends the poll and reaches its caller; the position is then after this message.
     *
     * @param buffer the ring, valid only during this call. Its pages are mapped read-only: a write through a cast or
     *               another buffer that wraps it ends the virtual machine.
     * @param offset first payload byte.
     * @param length payload bytes, 0 or more.
     * @param header about the message; valid only during this call.
     */
    void onFragment(DirectBuffer buffer, int offset, int length, Header header);
}

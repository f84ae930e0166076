package io.gannet.samples.marketdata.publisher;

import org.agrona.MutableDirectBuffer;

/**
 * Where messages go: claim, write into the buffer, commit. One implementation is loaded at a time, so that calls are
 * direct.
 */
public interface Outlet
{
    /** Nobody listens: the message is to be dropped. */
    int NOT_CONNECTED = -1;
    /** No room now. */
    int BACK_PRESSURED = -2;
    /** Nothing can be published any more. */
    int CLOSED = -3;

    /**
     * Claims room for a message.
     *
     * @return 1, or one of the negative results above.
     */
    int claim(int length);

    /** The buffer to write the claimed message to. */
    MutableDirectBuffer buffer();

    /** Index of the claimed message in the buffer. */
    int offset();

    /** Publishes the claimed message. */
    void commit();

    /** Whether somebody listens. */
    boolean isConnected();
}

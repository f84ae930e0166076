package io.gannet.samples.orderflow.link;

import io.gannet.Subscription;
import org.agrona.DirectBuffer;

/**
 * A stream that comes in, from one source or many. For one thread. One implementation is loaded at a time, so that
 * calls are direct.
 */
public abstract class Inlet implements AutoCloseable
{
    /** Takes one message. */
    @FunctionalInterface
    public interface Handler
    {
        /**
         * The bytes are valid until return.
         *
         * @param source tells the senders of a stream apart.
         */
        void onMessage(DirectBuffer buffer, int offset, int length, long source);
    }

    /** Hands on at most {@code limit} messages; returns how many. */
    public abstract int poll(Handler handler, int limit);

    /** Whether any source is there. */
    public abstract boolean isConnected();

    /** Whether this source is there. */
    public abstract boolean isConnected(long source);

    /** What a thread without work may sleep on until a message comes; null where there is nothing of that kind. */
    Subscription subscription()
    {
        return null;
    }

    @Override
    public abstract void close();
}

package io.gannet.samples.marketdata.publisher;

import java.util.function.LongPredicate;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An outlet that hands each message over at once, in a buffer of exactly its length, so that a read outside of the
 * message fails.
 */
public final class PipeOutlet implements Outlet
{
    /** Takes one message. */
    @FunctionalInterface
    public interface Receiver
    {
        void onMessage(UnsafeBuffer buffer, int offset, int length);
    }

    private final UnsafeBuffer memory = new UnsafeBuffer(new byte[64 * 1024]);
    private final UnsafeBuffer view = new UnsafeBuffer(memory, 0, 0);
    private Receiver receiver;
    private LongPredicate loses = number -> false;
    private LongPredicate refuses = attempt -> false;
    private long number;
    private long attempts;
    private int length;

    /** Connects, or disconnects if null. */
    public void connect(final Receiver newReceiver)
    {
        receiver = newReceiver;
    }

    /** Messages (by their number from 0) that are lost on the way. */
    public void loses(final LongPredicate which)
    {
        loses = which;
    }

    /** Attempts to claim (from 0) that find no room. */
    public void refuses(final LongPredicate which)
    {
        refuses = which;
    }

    @Override
    public int claim(final int claimed)
    {
        if (receiver == null)
        {
            return NOT_CONNECTED;
        }
        if (refuses.test(attempts++))
        {
            return BACK_PRESSURED;
        }
        length = claimed;
        view.wrap(memory, 0, claimed);
        return 1;
    }

    @Override
    public MutableDirectBuffer buffer()
    {
        return view;
    }

    @Override
    public int offset()
    {
        return 0;
    }

    @Override
    public void commit()
    {
        if (!loses.test(number++))
        {
            receiver.onMessage(view, 0, length);
        }
    }

    @Override
    public boolean isConnected()
    {
        return receiver != null;
    }
}

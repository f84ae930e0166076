package io.gannet.samples.marketdata.source;

import java.io.IOException;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * A file of messages, each behind its big-endian 16-bit length, as Nasdaq gives them away. The date isn't in the file:
 * times are since midnight, and the day is the first of the epoch.
 */
final class LengthPrefixedFraming implements ItchFraming
{
    private static final int PREFIX = 2;

    private final ByteSource in;
    private int length;
    private boolean ended;

    LengthPrefixedFraming(final ByteSource in)
    {
        this.in = in;
    }

    @Override
    public boolean next() throws IOException
    {
        in.skip(length);
        length = 0;
        if (ended || in.atEnd())
        {
            return false;
        }
        final int index = in.peek(PREFIX, "the length of a message");
        final int next = in.buffer().getShort(index, ByteOrder.BIG_ENDIAN) & 0xFFFF;
        if (next == 0)
        {
            // Length 0 marks the end of the file.
            ended = true;
            in.skip(PREFIX);
            if (!in.atEnd())
            {
                throw in.error(0, "bytes behind the end mark (a message of length 0)");
            }
            return false;
        }
        in.skip(PREFIX);
        in.peek(next, "a message");
        length = next;
        return true;
    }

    @Override
    public DirectBuffer buffer()
    {
        return in.buffer();
    }

    @Override
    public int index()
    {
        return in.index();
    }

    @Override
    public int length()
    {
        return length;
    }

    @Override
    public long midnight()
    {
        return 0;
    }

    @Override
    public FeedFormatException error(final int delta, final String what)
    {
        return in.error(delta, what);
    }

    @Override
    public String summary()
    {
        return "length-prefixed file";
    }

    @Override
    public void close() throws IOException
    {
        in.close();
    }
}

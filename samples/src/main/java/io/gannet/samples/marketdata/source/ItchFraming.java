package io.gannet.samples.marketdata.source;

import java.io.Closeable;
import java.io.IOException;
import org.agrona.DirectBuffer;

/**
 * What carries the ITCH messages of a file.
 */
interface ItchFraming extends Closeable
{
    /** Goes to the next message; false at the end. */
    boolean next() throws IOException;

    /** Holds the message; may change with each call of {@link #next()}. */
    DirectBuffer buffer();

    /** Index of the message in the buffer. */
    int index();

    /** Length of the message, at least 1. */
    int length();

    /** Midnight at the venue of the day of the message, nanoseconds since the epoch. */
    long midnight();

    /** An error at {@code delta} bytes from the start of the message. */
    FeedFormatException error(int delta, String what);

    /** What was read and passed over, for the operator. */
    String summary();
}

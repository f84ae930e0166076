package io.gannet.rdma.roce.wire;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A direct byte buffer and the view of it that the descriptors take.
 */
record UnsafeView(ByteBuffer bytes, UnsafeBuffer buffer)
{
    UnsafeView(final ByteBuffer bytes)
    {
        this(bytes, new UnsafeBuffer(bytes));
    }

    byte[] copy()
    {
        final byte[] copy = new byte[bytes.capacity()];
        buffer.getBytes(0, copy);
        return copy;
    }
}

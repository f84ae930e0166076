package io.gannet.rdma.roce.wire;

import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The two communication ids that start every body but REQ's, which has only the first. "Local" is always the
 * sender's id, "remote" the receiver's.
 * <pre>
 *  0               4                8
 *  +---------------+----------------+
 *  | local comm id | remote comm id |
 *  +---------------+----------------+
 * </pre>
 */
public final class CmIds
{
    private CmIds()
    {
    }

    /** Writes both ids. */
    public static void write(final UnsafeBuffer buffer, final int body, final int local, final int remote)
    {
        buffer.putInt(body, local, ByteOrder.BIG_ENDIAN);
        buffer.putInt(body + 4, remote, ByteOrder.BIG_ENDIAN);
    }

    /** The sender's id. */
    public static int local(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getInt(body, ByteOrder.BIG_ENDIAN);
    }

    /** The receiver's id. */
    public static int remote(final UnsafeBuffer buffer, final int body)
    {
        return buffer.getInt(body + 4, ByteOrder.BIG_ENDIAN);
    }
}

package io.gannet.rdma.roce.wire;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Body of DREQ, the request to disconnect.
 * <pre>
 *   0  {@link CmIds}
 *   8  remote QPN (24): the receiver's, or the message is dropped; reserved (8)
 *  12  private data (220 bytes)
 * </pre>
 */
public final class CmDreq
{
    /** Where private data starts. */
    public static final int PRIVATE_DATA = 12;
    /** Bytes of private data. */
    public static final int PRIVATE_DATA_SIZE = 220;

    private static final int QPN = 8;

    private CmDreq()
    {
    }

    /** Writes the receiver's queue pair number. */
    public static void write(final UnsafeBuffer buffer, final int body, final int qpn)
    {
        Uint24.put(buffer, body + QPN, qpn);
    }

    /** The receiver's queue pair number. */
    public static int qpn(final UnsafeBuffer buffer, final int body)
    {
        return Uint24.get(buffer, body + QPN);
    }
}

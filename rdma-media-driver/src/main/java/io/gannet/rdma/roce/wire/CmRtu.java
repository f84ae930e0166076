package io.gannet.rdma.roce.wire;

/**
 * Body of RTU, "ready to use", the initiator's last word: {@link CmIds}, then private data.
 */
public final class CmRtu
{
    /** Where private data starts. */
    public static final int PRIVATE_DATA = 8;
    /** Bytes of private data. */
    public static final int PRIVATE_DATA_SIZE = 224;

    private CmRtu()
    {
    }
}

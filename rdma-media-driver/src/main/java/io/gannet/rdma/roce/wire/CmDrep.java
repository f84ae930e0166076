package io.gannet.rdma.roce.wire;

/**
 * Body of DREP, the answer to DREQ: {@link CmIds}, then private data.
 */
public final class CmDrep
{
    /** Where private data starts. */
    public static final int PRIVATE_DATA = 8;
    /** Bytes of private data. */
    public static final int PRIVATE_DATA_SIZE = 224;

    private CmDrep()
    {
    }
}

package io.gannet.rdma;

/**
 * What completed, with the values of {@code ibv_wc_opcode}. Meaningful only with {@link WcStatus#SUCCESS}: a failed
 * completion carries 0, which reads as {@link #SEND}.
 */
public final class WcOpcode
{
    public static final int SEND = 0;
    /** A write, with or without immediate, at its sender. */
    public static final int RDMA_WRITE = 1;
    public static final int RECV = 128;
    /** A write with immediate, at its receiver. */
    public static final int RECV_RDMA_WITH_IMM = 129;

    private WcOpcode()
    {
    }

    /** {@return whether a receive completed} */
    public static boolean isReceive(final int opcode)
    {
        return opcode >= RECV;
    }
}

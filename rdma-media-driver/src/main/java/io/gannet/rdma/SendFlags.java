package io.gannet.rdma;

/**
 * Flags of a send work request, with the values of {@code ibv_send_flags}.
 */
public final class SendFlags
{
    public static final int NONE = 0;
    /** Ask for a completion of the request; errors complete with or without it. */
    public static final int SIGNALED = 2;
    /** Copy the bytes into the work queue: the buffer is free again once the doorbell call returns; no lkey needed. */
    public static final int INLINE = 8;

    private SendFlags()
    {
    }
}

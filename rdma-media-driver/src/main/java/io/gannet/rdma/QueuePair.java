package io.gannet.rdma;

/**
 * A reliable connected queue pair, made by {@link CmId#createQueuePair}.
 *
 * <p><b>Sends</b> are added to a batch and handed to the NIC by one doorbell. One buffer each: what is written is
 * contiguous. Requests are carried out, and complete, in order. Success completes only if asked for by
 * {@link SendFlags#SIGNALED}, and such a completion tells that all earlier requests are done; an error completes
 * always, and everything after it, in both queues, completes with {@link WcStatus#WR_FLUSH_ERR}. A slot of the send
 * queue is free again when a completion of its request or a later one has been polled: counting is the caller's, and a
 * full queue refuses with {@link Errno#ENOMEM}.
 *
 * <p><b>Completion of a write at its sender does not mean that the peer's CPU can see the bytes.</b> A write's bytes
 * land in any order; an aligned 8-byte word of it lands as one release store.
 *
 * <p>After the error state posts are still accepted, and flush. Whoever needs every flush waits with a deadline: some
 * devices flush late, some only on close.
 */
public abstract class QueuePair extends RdmaResource
{
    protected QueuePair(final ResourceCounts counts)
    {
        super(counts, ResourceKind.QUEUE_PAIR);
    }

    /** {@return 24 bit number, unique on the device while the queue pair is open} */
    public abstract int number();

    /** {@return state as far as this host knows; a dead peer does not change it} */
    public abstract QpState state();

    /** {@return bytes that one request may carry inline, 0 or more} */
    public abstract int maxInline();

    /** {@return work requests that the send queue holds, at least as many as asked for} */
    public abstract int sendDepth();

    /** {@return work requests that the receive queue holds, at least as many as asked for} */
    public abstract int receiveDepth();

    /**
     * Adds a write. The receiving application learns nothing of it by itself.
     *
     * @param wrId          comes back in the completion.
     * @param flags         of {@link SendFlags}.
     * @param localAddress  first byte; unused if the length is 0.
     * @param length        bytes, in [0, {@link DeviceLimits#maxMessageBytes}], with {@link SendFlags#INLINE} at most
     *                      {@link #maxInline()}.
     * @param lkey          of the region with the bytes; unused with {@link SendFlags#INLINE} or length 0.
     * @param remoteAddress where the first byte goes; unused if the length is 0.
     * @param rkey          of the peer's region; unused if the length is 0.
     */
    public abstract void addWrite(
        long wrId, int flags, long localAddress, int length, int lkey, long remoteAddress, int rkey);

    /**
     * Adds a write that completes a receive of the peer with an immediate. As {@link #addWrite}, and
     *
     * @param imm what the peer reads by {@link WorkCompletions#imm}.
     */
    public abstract void addWriteWithImm(
        long wrId, int flags, long localAddress, int length, int lkey, long remoteAddress, int rkey, int imm);

    /**
     * Adds a SEND into the peer's next receive buffer; if that is too small, both sides go to the error state.
     * Parameters as with {@link #addWrite}.
     */
    public abstract void addSend(long wrId, int flags, long localAddress, int length, int lkey);

    /**
     * Hands the batch to the NIC. Afterwards the batch is empty. A request that the NIC refuses, and those behind it,
     * are dropped as if never added; see {@link #accepted()}.
     *
     * @return 0, or the positive error number of the refusal: {@link Errno#ENOMEM} if the send queue is full,
     *         {@link Errno#EINVAL} for a request that breaks a limit or a state before ready-to-send.
     */
    public abstract int ringDoorbell();

    /** {@return how many requests of the last batch, from its start, the NIC took} */
    public abstract int accepted();

    /**
     * Adds a receive to the batch of receives. Allowed as soon as the queue pair exists.
     *
     * @param wrId    comes back in the completion.
     * @param address buffer for a SEND; a write with immediate does not touch it.
     * @param length  bytes of the buffer, may be 0.
     * @param lkey    of a region with {@link Access#LOCAL_WRITE}; unused if the length is 0.
     */
    public abstract void addReceive(long wrId, long address, int length, int lkey);

    /**
     * Hands the batch of receives to the NIC. Afterwards it is empty.
     *
     * @return 0, or a positive error number: {@link Errno#ENOMEM} if the receive queue is full.
     */
    public abstract int postReceives();

    /** {@return how many receives of the last batch, from its start, the NIC took} */
    public abstract int acceptedReceives();

    /**
     * Moves the queue pair to the error state: from then on no byte of the peer is placed, and everything posted
     * flushes, but for receives posted later, which some devices forget. Control path; does nothing if it is there
     * already. The peer is told nothing.
     */
    public abstract void toError();
}

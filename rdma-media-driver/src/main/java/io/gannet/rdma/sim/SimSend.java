package io.gannet.rdma.sim;

import org.agrona.UnsafeApi;

import io.gannet.rdma.SendFlags;

/**
 * A send work request from its post to its completion. Bytes that are not inline are read as late as a NIC may read
 * them: when they are placed, and again at each retransmission.
 */
final class SimSend
{
    enum Kind
    {
        WRITE, WRITE_WITH_IMM, SEND
    }

    final Kind kind;
    final long wrId;
    final int flags;
    final long localAddress;
    final int length;
    final int lkey;
    final long remoteAddress;
    final int rkey;
    final int imm;

    /** Position in the send queue, from 0. */
    long sequence;
    long startsAt;
    boolean arrived;
    boolean executed;
    int retries;
    int rnrRetries;
    private byte[] payload;

    SimSend(
        final Kind kind,
        final long wrId,
        final int flags,
        final long localAddress,
        final int length,
        final int lkey,
        final long remoteAddress,
        final int rkey,
        final int imm)
    {
        this.kind = kind;
        this.wrId = wrId;
        this.flags = flags;
        this.localAddress = localAddress;
        this.length = length;
        this.lkey = lkey;
        this.remoteAddress = remoteAddress;
        this.rkey = rkey;
        this.imm = imm;
    }

    boolean isInline()
    {
        return (flags & SendFlags.INLINE) != 0;
    }

    boolean isSignaled()
    {
        return (flags & SendFlags.SIGNALED) != 0;
    }

    boolean needsReceive()
    {
        return kind != Kind.WRITE;
    }

    /**
     * Takes the bytes out of the sender's memory for good: an inline request, or one that is still on the wire when its
     * queue pair ends.
     */
    void materialize()
    {
        if (payload == null && length > 0)
        {
            payload = read();
        }
    }

    boolean hasOwnBytes()
    {
        return payload != null || length == 0;
    }

    byte[] bytes()
    {
        return payload != null ? payload : length == 0 ? new byte[0] : read();
    }

    private byte[] read()
    {
        final byte[] bytes = new byte[length];
        UnsafeApi.copyMemory(null, localAddress, bytes, UnsafeApi.arrayBaseOffset(byte[].class), length);
        return bytes;
    }
}

package io.gannet.ring;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A range of a ring that its owner fills in place and then commits or aborts, once. Reusable after that; not
 * thread-safe, but it may be handed to another thread to be finished there.
 */
public final class FrameClaim
{
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private Owner owner;
    private RingMemory memory;
    private long frame;
    private long position;
    private int step;
    private int slot;

    /** Who gave the claim. */
    interface Owner
    {
        void commit(FrameClaim claim);

        void abort(FrameClaim claim);
    }

    /** No claim yet. */
    public FrameClaim()
    {
    }

    /** Takes a claim: frame address, length with header, start position, and the producer's slot. */
    void wrap(
        final Owner newOwner,
        final RingMemory newMemory,
        final long newFrame,
        final int frameLength,
        final long newPosition,
        final int newSlot)
    {
        owner = newOwner;
        memory = newMemory;
        frame = newFrame;
        position = newPosition;
        step = FrameHeader.align(frameLength);
        slot = newSlot;
        newMemory.putLong(newFrame + FrameHeader.RESERVED_VALUE_OFFSET, 0);
        buffer.wrap(newFrame + FrameHeader.HEADER_LENGTH, frameLength - FrameHeader.HEADER_LENGTH);
    }

    /** Exactly the payload, to be written from offset 0 on. Its content is undefined at first. */
    public MutableDirectBuffer buffer()
    {
        return buffer;
    }

    /** Offset of the payload in {@link #buffer()}: 0. */
    public int offset()
    {
        return 0;
    }

    /** Bytes of payload. */
    public int length()
    {
        return buffer.capacity();
    }

    /** Whether it waits to be committed or aborted. */
    public boolean isOpen()
    {
        return owner != null;
    }

    /**
     * Sets the reserved value, 0 otherwise.
     *
     * @throws IllegalStateException if the claim isn't open.
     */
    public FrameClaim reservedValue(final long value)
    {
        checkOpen();
        memory.putLong(frame + FrameHeader.RESERVED_VALUE_OFFSET, value);
        return this;
    }

    /**
     * Makes the message visible.
     *
     * @throws IllegalStateException if the claim isn't open.
     */
    public void commit()
    {
        checkOpen();
        final Owner current = owner;
        owner = null;
        try
        {
            current.commit(this);
        }
        finally
        {
            buffer.wrap(0, 0);
        }
    }

    /**
     * Gives the range back; readers never see it.
     *
     * @throws IllegalStateException if the claim isn't open.
     */
    public void abort()
    {
        checkOpen();
        final Owner current = owner;
        owner = null;
        try
        {
            current.abort(this);
        }
        finally
        {
            buffer.wrap(0, 0);
        }
    }

    private void checkOpen()
    {
        if (owner == null)
        {
            throw new IllegalStateException("the claim is not open: it was committed or aborted, or never made");
        }
    }

    long frame()
    {
        return frame;
    }

    long position()
    {
        return position;
    }

    int step()
    {
        return step;
    }

    int slot()
    {
        return slot;
    }

    int frameLength()
    {
        return buffer.capacity() + FrameHeader.HEADER_LENGTH;
    }
}

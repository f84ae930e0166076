package io.gannet.driver.stream;

import io.gannet.rdma.QueuePair;

/**
 * The control messages of one connection at its sender: first the start, last the end. Not thread-safe: owned by the
 * sender.
 */
final class OutboundMessages
{
    /** Slots of {@link ControlMessage#LENGTH} bytes needed, beside one for each request that can be outstanding. */
    static final int SLOTS = 2;
    /** Bytes of a position that goes by SEND, as the device has no write with immediate. */
    static final int POSITION_LENGTH = 4;

    private static final int START_SLOT = 0;
    private static final int END_SLOT = 1;

    private final ConnectionMemory memory;
    private final int generation;
    private boolean started;
    private boolean ended;
    private boolean lastWasEnd;
    private long endPosition = Long.MAX_VALUE;
    private int endSequence;

    OutboundMessages(
        final ConnectionMemory memory,
        final int generation,
        final long start,
        final long cellAddress,
        final int cellRkey)
    {
        this.memory = memory;
        this.generation = generation;
        ControlMessage.putStart(memory.slot(START_SLOT), generation, start, cellAddress, cellRkey);
    }

    /** {@return whether the start has been posted: nothing goes before it} */
    boolean isStarted()
    {
        return started;
    }

    void endAt(final long position)
    {
        if (endPosition == Long.MAX_VALUE)
        {
            endPosition = position;
            ControlMessage.putEndOfStream(memory.slot(END_SLOT), generation, position);
        }
    }

    /** {@return whether a message is to be posted when everything below the position has been} */
    boolean isDue(final long sent)
    {
        return !started || (!ended && sent >= endPosition);
    }

    void addTo(final QueuePair queuePair, final long wrId, final int flags)
    {
        lastWasEnd = started;
        if (lastWasEnd)
        {
            ended = true;
            endSequence = WorkId.sequence(wrId);
        }
        started = true;
        queuePair.addSend(
            wrId,
            flags,
            memory.address(lastWasEnd ? END_SLOT : START_SLOT),
            ControlMessage.LENGTH,
            memory.lkey());
    }

    /**
     * Adds a position by SEND.
     *
     * @param slot of the request among those outstanding, from 0; not used again before that request is done.
     */
    void addPosition(final QueuePair queuePair, final long wrId, final int flags, final int imm, final int slot)
    {
        final int offset = (SLOTS + slot) * memory.slotLength();
        memory.buffer().putInt(offset, imm);
        queuePair.addSend(wrId, flags, memory.address(SLOTS + slot), POSITION_LENGTH, memory.lkey());
    }

    /** The message added last was refused. */
    void refused()
    {
        if (lastWasEnd)
        {
            ended = false;
        }
        else
        {
            started = false;
        }
    }

    /** {@return whether the peer's NIC has taken the end of the stream} */
    boolean isEndConfirmed(final int completedSequence)
    {
        return ended && completedSequence == endSequence;
    }
}

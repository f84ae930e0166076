package io.gannet.cli.trace;

import io.gannet.os.Mapping;
import io.gannet.os.SharedFile;
import io.gannet.ring.FrameHeader;
import io.gannet.ring.NativeMemory;
import io.gannet.ring.RingKind;
import io.gannet.ring.RingLayout;
import io.gannet.ring.RingMemory;
import java.nio.file.Path;

/**
 * A ring, mapped to be read only. An access to one whose file was truncated is an {@link InternalError}.
 */
final class WatchedRing implements AutoCloseable
{
    private static final RingMemory MEMORY = NativeMemory.INSTANCE;

    private final long address;
    private final long length;
    private final RingKind kind;
    private final int capacity;
    private final long data;

    private WatchedRing(final long address, final long length)
    {
        this.address = address;
        this.length = length;
        kind = RingKind.of(MEMORY.getInt(address + RingLayout.KIND_OFFSET));
        capacity = (int) MEMORY.getLong(address + RingLayout.CAPACITY_OFFSET);
        data = address + MEMORY.getLong(address + RingLayout.DATA_OFFSET_OFFSET);
    }

    /**
     * Maps a ring.
     *
     * @return null if the file is none.
     */
    static WatchedRing open(final Path file)
    {
        try (SharedFile opened = SharedFile.openToRead(file))
        {
            final long length = opened.length();
            if (length < RingLayout.HEADER_LENGTH + (long) RingLayout.MIN_CAPACITY)
            {
                return null;
            }
            final long address = Mapping.map(opened, 0, length, false, false);
            final long capacity = MEMORY.getLong(address + RingLayout.CAPACITY_OFFSET);
            final long start = MEMORY.getLong(address + RingLayout.DATA_OFFSET_OFFSET);
            // Pairs with the release in the ring's making.
            if (MEMORY.getLongAcquire(address + RingLayout.MAGIC_OFFSET) != RingLayout.MAGIC ||
                MEMORY.getInt(address + RingLayout.LAYOUT_VERSION_OFFSET) != RingLayout.VERSION ||
                capacity < RingLayout.MIN_CAPACITY || capacity > RingLayout.MAX_CAPACITY ||
                (capacity & (capacity - 1)) != 0 || start < RingLayout.HEADER_LENGTH || start > length - capacity ||
                (start & (FrameHeader.ALIGNMENT - 1)) != 0 ||
                RingKind.of(MEMORY.getInt(address + RingLayout.KIND_OFFSET)) == RingKind.NONE)
            {
                Mapping.unmap(address, length);
                return null;
            }
            return new WatchedRing(address, length);
        }
    }

    RingKind kind()
    {
        return kind;
    }

    int streamId()
    {
        return MEMORY.getInt(address + RingLayout.STREAM_ID_OFFSET);
    }

    int sessionId()
    {
        return MEMORY.getInt(address + RingLayout.SESSION_ID_OFFSET);
    }

    /** Of the word that says how far an image was received. */
    long receivedAddress()
    {
        return address + RingLayout.RECEIVED_OFFSET;
    }

    /** Of the position of a gating entry. */
    long gateAddress(final int index)
    {
        return address + RingLayout.entryOffset(index) + RingLayout.ENTRY_POSITION;
    }

    int gateKind(final int index)
    {
        return MEMORY.getIntOpaque(address + RingLayout.entryOffset(index) + RingLayout.ENTRY_KIND);
    }

    long gateClient(final int index)
    {
        return MEMORY.getLongOpaque(address + RingLayout.entryOffset(index) + RingLayout.ENTRY_CLIENT_ID);
    }

    /** Which subscription has it. */
    long gateRegistration(final int index)
    {
        return MEMORY.getLongOpaque(address + RingLayout.entryOffset(index) + RingLayout.ENTRY_REGISTRATION_ID);
    }

    boolean isFree(final int index)
    {
        // Pairs with the release by which a gate is given up: what is read behind it may be another's.
        return MEMORY.getLongAcquire(gateAddress(index)) == RingLayout.FREE;
    }

    long received()
    {
        return MEMORY.getLongAcquire(receivedAddress());
    }

    /** Length of the frame that starts at a position; 0 if it isn't committed, or none can start there. */
    int frameLength(final long position)
    {
        // Pairs with the producer's release of the length.
        return (position & (FrameHeader.ALIGNMENT - 1)) != 0 ? 0 :
            MEMORY.getIntAcquire(data + (position & (capacity - 1)));
    }

    /** Where the next frame is published, as far as that can be seen; -1 if producers are too fast to be followed. */
    long end()
    {
        if (kind == RingKind.CONCURRENT)
        {
            return Math.max(-1, MEMORY.getLongAcquire(address + RingLayout.TAIL_OFFSET));
        }
        long position = MEMORY.getLongAcquire(address + RingLayout.COARSE_OFFSET);
        final long limit = position + capacity / 2;
        while (position >= 0 && position < limit)
        {
            final int frame = frameLength(position);
            if (frame == 0)
            {
                return position;
            }
            if (frame < FrameHeader.HEADER_LENGTH || frame > capacity)
            {
                return -1;
            }
            position += FrameHeader.align(frame);
        }
        return -1;
    }

    @Override
    public void close()
    {
        Mapping.unmap(address, length);
    }
}

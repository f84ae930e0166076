package io.gannet.driver.stream.simulation;

import io.gannet.ring.NativeMemory;
import io.gannet.ring.Ring;
import io.gannet.ring.RingLayout;

/**
 * An image as one of its readers may access it: it reads data from its position up to the received position, and
 * writes the first line of its own gating entry.
 */
final class ReaderMemory extends CheckedMemory
{
    private final Ring ring;
    private final long entry;
    private final Interleaving interleaving;

    /** @param interleaving of its thread with others. */
    ReaderMemory(final Ring ring, final int entry, final Interleaving interleaving)
    {
        this.interleaving = interleaving;
        this.ring = ring;
        this.entry = ring.headerAddress() + RingLayout.entryOffset(entry);
    }

    /** Takes note that the reader, or its handler by a buffer, reads these bytes. */
    @Override
    void onLoad(final long address, final long length)
    {
        interleaving.point();
        final long offset = address - ring.dataAddress();
        if (offset >= 0 && offset < 2L * ring.capacity())
        {
            checkData(offset, length);
        }
        else if (address < ring.headerAddress() || address + length > ring.headerAddress() + RingLayout.HEADER_LENGTH)
        {
            throw new SimulationFailure("a reader reads " + length + " bytes outside of its image");
        }
    }

    private void checkData(final long offset, final long length)
    {
        final long received =
            NativeMemory.INSTANCE.getLongAcquire(ring.headerAddress() + RingLayout.RECEIVED_OFFSET);
        final long position = NativeMemory.INSTANCE.getLongAcquire(entry + RingLayout.ENTRY_POSITION);
        final long belowReceived = (received - offset) & (ring.capacity() - 1L);
        if (length > 0 && (belowReceived < length || belowReceived > received - position))
        {
            throw new SimulationFailure("a reader at " + position + " reads " + length + " bytes at offset " + offset +
                " of its image, received is " + received);
        }
    }

    @Override
    void onStore(final long address, final long length)
    {
        interleaving.point();
        if (address < entry || address + length > entry + RingLayout.LINE)
        {
            throw new SimulationFailure("a reader writes " + length + " bytes outside of its gating entry");
        }
    }
}

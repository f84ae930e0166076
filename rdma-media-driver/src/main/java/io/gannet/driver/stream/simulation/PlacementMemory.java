package io.gannet.driver.stream.simulation;

import java.util.ArrayList;
import java.util.List;

import io.gannet.ring.GatingList;
import io.gannet.ring.Ring;
import io.gannet.ring.RingLayout;

/**
 * Memory as NICs may access it: of an image they write no byte that was received and is not consumed; of a publication
 * only the words of the remote gating entries that are in use; nothing else of a ring.
 */
final class PlacementMemory extends CheckedMemory
{
    /** Bytes of a gating entry that the NIC may write. */
    private static final int CELL_LENGTH = 32;

    private final List<Ring> publications = new ArrayList<>();
    private final List<Image> images = new ArrayList<>();

    /** From now on a publication is watched. */
    void watchPublication(final Ring ring)
    {
        publications.add(ring);
    }

    /** From now on an image is watched that this entry gates. */
    void watchImage(final Ring ring, final int entry)
    {
        images.add(new Image(ring, ring.headerAddress() + RingLayout.entryOffset(entry) + RingLayout.ENTRY_POSITION));
    }

    /** An image that nobody reads any more is not watched. */
    void forgetImage(final Ring ring)
    {
        images.removeIf(image -> image.ring == ring);
    }

    @Override
    void onLoad(final long address, final long length)
    {
        // What a NIC reads it has keys for; what was read is checked where it arrives.
    }

    @Override
    void onStore(final long address, final long length)
    {
        for (final Image image : images)
        {
            checkHeader(image.ring, address, length);
            final long offset = address - image.ring.dataAddress();
            if (offset >= 0 && offset < 2L * image.ring.capacity())
            {
                image.check(offset, length);
                return;
            }
        }
        for (final Ring ring : publications)
        {
            checkCell(ring, address, length);
        }
    }

    private static void checkHeader(final Ring ring, final long address, final long length)
    {
        if (address + length > ring.headerAddress() && address < ring.headerAddress() + RingLayout.HEADER_LENGTH)
        {
            throw new SimulationFailure("a NIC writes into the header of an image, at " +
                (address - ring.headerAddress()));
        }
    }

    private static void checkCell(final Ring ring, final long address, final long length)
    {
        if (address + length > ring.dataAddress() && address < ring.dataAddress() + 2L * ring.capacity())
        {
            throw new SimulationFailure("a NIC writes into the data of a publication");
        }
        final long offset = address - ring.headerAddress();
        if (offset + length <= 0 || offset >= RingLayout.HEADER_LENGTH)
        {
            return;
        }
        final long index = Math.floorDiv(offset - RingLayout.ENTRIES_OFFSET, RingLayout.ENTRY_LENGTH);
        final long within = Math.floorMod(offset - RingLayout.ENTRIES_OFFSET, RingLayout.ENTRY_LENGTH);
        final GatingList list = new GatingList(ring);
        if (index < 0 || index >= list.size() || within + length > CELL_LENGTH ||
            list.kind((int) index) != GatingList.Kind.REMOTE || list.position((int) index) == RingLayout.FREE)
        {
            throw new SimulationFailure("a NIC writes where no remote subscriber gates, at header offset " + offset);
        }
    }

    private record Image(Ring ring, long position)
    {
        void check(final long offset, final long length)
        {
            final long received =
                ring.memory().getLongAcquire(ring.headerAddress() + RingLayout.RECEIVED_OFFSET);
            final long consumed = ring.memory().getLongAcquire(position);
            final long room = ring.capacity() - (received - consumed);
            final long aboveReceived = (offset - received) & (ring.capacity() - 1L);
            if (aboveReceived + length > room)
            {
                throw new SimulationFailure("a NIC overwrites what was received up to " + received +
                    " and is consumed up to " + consumed + ", at offset " + offset);
            }
        }
    }
}

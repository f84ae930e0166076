package io.gannet.ring;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** A ring in memory with what tests want around it. */
final class TestRing implements AutoCloseable
{
    static final long CLIENT = 7;
    static final long OTHER_CLIENT = 8;

    final Ring ring;
    final Membership membership;
    final UnsafeBuffer source = new UnsafeBuffer(new byte[1 << 20]);
    private int registrations;

    TestRing(final RingKind kind, final int capacity)
    {
        this(kind, capacity, 0);
    }

    TestRing(final RingKind kind, final int capacity, final long initialPosition)
    {
        this(RingFile.createAnonymous(new RingDescription(kind, capacity, 1, 2, 3, initialPosition, false)));
    }

    TestRing(final Ring ring)
    {
        this.ring = ring;
        membership = new Membership(ring);
    }

    ExclusiveProducer exclusiveProducer()
    {
        return new ExclusiveProducer(ring, Bell.FUTEX_WAKER);
    }

    ConcurrentProducer concurrentProducer(final long client)
    {
        return new ConcurrentProducer(ring, client, Bell.FUTEX_WAKER);
    }

    int join()
    {
        return membership.join(GatingList.Kind.LOCAL, CLIENT, ++registrations);
    }

    /** A reader that never holds anything back. */
    RingReader reader()
    {
        return new RingReader(ring, join(), false);
    }

    /** Fills the source with a message that {@link #verify} knows again. */
    void fill(final long number, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            source.putByte(i, byteOf(number, i));
        }
    }

    static byte byteOf(final long number, final int index)
    {
        return (byte) (number * 31 + index * 7L + (number >>> 8));
    }

    static void verify(final UnsafeBuffer buffer, final int offset, final int length, final long number)
    {
        for (int i = 0; i < length; i++)
        {
            if (buffer.getByte(offset + i) != byteOf(number, i))
            {
                throw new AssertionError("message " + number + " of " + length + " bytes differs at byte " + i);
            }
        }
    }

    /** Polls all there is and returns the lengths. */
    static List<Integer> lengths(final RingReader reader)
    {
        final List<Integer> lengths = new ArrayList<>();
        while (reader.poll((buffer, offset, length, position) -> lengths.add(length), 10) > 0)
        {
            // until there is nothing
        }
        return lengths;
    }

    /** A slot of a client that dies in the middle of a claim. */
    long slotAddress(final int index)
    {
        return ring.headerAddress() + RingLayout.slotOffset(index);
    }

    /** Doesn't free the addresses, as threads of a test that failed may still run. */
    @Override
    public void close()
    {
        ring.close();
    }
}

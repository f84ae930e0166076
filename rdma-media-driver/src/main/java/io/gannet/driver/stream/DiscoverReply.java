package io.gannet.driver.stream;

import java.util.ArrayList;
import java.util.List;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import io.gannet.ring.RingLayout;

/**
 * Private data of the rejection that answers a {@link DiscoverRequest}: publications by ascending unsigned id,
 * little-endian.
 * <pre>
 *  0       4      8       12     16               24           28
 *  +-------+------+-------+------+----------------+------------+----------+-- next --
 *  | magic | 0    | count | more | publication id | session id | capacity |
 *  +-------+------+-------+------+----------------+------------+----------+----------
 * </pre>
 *
 * @param publications that are there, at most {@link #MOST}.
 * @param more         whether there are more behind the last one.
 */
record DiscoverReply(List<Publication> publications, boolean more)
{
    /** Publications that one reply holds: a rejection carries 148 bytes. */
    static final int MOST = 8;

    private static final int MAGIC_VALUE = 0x3241_4E47;
    private static final int MAGIC = 0;
    private static final int COUNT = 8;
    private static final int MORE = 12;
    private static final int FIRST = 16;
    private static final int PUBLICATION_LENGTH = 16;
    private static final int SESSION_ID = 8;
    private static final int CAPACITY = 12;

    /**
     * One publication.
     */
    record Publication(long publicationId, int sessionId, int capacity)
    {
    }

    DirectBuffer encode()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[FIRST + publications.size() * PUBLICATION_LENGTH]);
        buffer.putInt(MAGIC, MAGIC_VALUE);
        buffer.putInt(COUNT, publications.size());
        buffer.putInt(MORE, more ? 1 : 0);
        int at = FIRST;
        for (final Publication publication : publications)
        {
            buffer.putLong(at, publication.publicationId);
            buffer.putInt(at + SESSION_ID, publication.sessionId);
            buffer.putInt(at + CAPACITY, publication.capacity);
            at += PUBLICATION_LENGTH;
        }
        return buffer;
    }

    /** {@return whether the data is one of these} */
    static boolean isOne(final DirectBuffer data)
    {
        return data.capacity() >= FIRST && data.getInt(MAGIC) == MAGIC_VALUE;
    }

    /**
     * Reads and checks a reply that {@link #isOne}.
     *
     * @throws SetupException saying what is wrong.
     */
    static DiscoverReply decode(final DirectBuffer data)
    {
        final int count = data.getInt(COUNT);
        if (count < 0 || count > MOST || FIRST + count * PUBLICATION_LENGTH > data.capacity())
        {
            throw new SetupException(SetupRefusal.MALFORMED, "a publisher with a list of " + count +
                " publications in " + data.capacity() + " bytes");
        }
        final List<Publication> publications = new ArrayList<>(count);
        for (int i = 0; i < count; i++)
        {
            final int at = FIRST + i * PUBLICATION_LENGTH;
            final int capacity = data.getInt(at + CAPACITY);
            try
            {
                RingLayout.checkCapacity(capacity);
            }
            catch (final IllegalArgumentException ex)
            {
                throw new SetupException(SetupRefusal.MALFORMED, ex.getMessage());
            }
            publications.add(new Publication(data.getLong(at), data.getInt(at + SESSION_ID), capacity));
        }
        return new DiscoverReply(publications, data.getInt(MORE) != 0);
    }
}

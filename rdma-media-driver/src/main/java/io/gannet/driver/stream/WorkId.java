package io.gannet.driver.stream;

/**
 * The {@code wr_id} of a work request.
 * <pre>
 *  63         48 47          32 31                     0
 *  +------------+--------------+------------------------+
 *  | index      | generation   | sequence               |
 *  +------------+--------------+------------------------+
 * </pre>
 * {@code index} is the connection's place in its agent's table, {@code generation} tells whether that place has been
 * used anew since the request was posted, {@code sequence} is the request's number in its send queue, or its slot in
 * the receive queue.
 */
final class WorkId
{
    /** Connections that an agent can have. */
    static final int MAX_INDEX = 0xFFFF;

    private WorkId()
    {
    }

    /** {@return the part that all requests of a connection share, with sequence 0} */
    static long base(final int index, final int generation)
    {
        return (long) (index & 0xFFFF) << 48 | (long) (generation & 0xFFFF) << 32;
    }

    static long of(final long base, final int sequence)
    {
        return base | (sequence & 0xFFFF_FFFFL);
    }

    static int index(final long wrId)
    {
        return (int) (wrId >>> 48);
    }

    static int sequence(final long wrId)
    {
        return (int) wrId;
    }

    /** {@return whether the request was posted by the connection with this base} */
    static boolean isOf(final long wrId, final long base)
    {
        return (wrId & 0xFFFF_FFFF_0000_0000L) == base;
    }
}

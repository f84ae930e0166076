package io.gannet.driver.stream;

/**
 * Numbers of connections. A driver's life is a number that it draws when it starts, so that nothing that was meant for
 * a connection of the driver before is taken for one of a connection of this one.
 * <pre>
 *  31           16 15            0
 *  +--------------+--------------+
 *  | life         | attempt      |
 *  +--------------+--------------+
 * </pre>
 */
final class Generation
{
    private static final int LIFE_SHIFT = 16;
    private static final int ATTEMPT_MASK = 0xFFFF;
    /** Attempts for which a message may be late; far fewer than there are numbers, as those come again. */
    private static final int LATE = 256;

    private Generation()
    {
    }

    /**
     * {@return the number before that of the first connection that somebody makes}
     *
     * @param life   of the driver.
     * @param number of the one who connects: up to 256 of them number apart, as queue pairs of a host that was
     *               restarted may have the numbers of those before.
     */
    static int before(final int life, final int number)
    {
        return life << LIFE_SHIFT | (number * LATE & ATTEMPT_MASK);
    }

    /** {@return the number of the next connection} */
    static int next(final int generation)
    {
        return (generation & ~ATTEMPT_MASK) | ((generation + 1) & ATTEMPT_MASK);
    }

    /**
     * {@return whether a number is that of a connection, or of one shortly before it in the same life: what has it
     * comes late, or twice}
     */
    static boolean isOutdated(final int number, final int connection)
    {
        final int behind = connection - number & ATTEMPT_MASK;
        return life(number) == life(connection) && behind < LATE;
    }

    /** {@return the life of the driver that has made the connection} */
    static int life(final int generation)
    {
        return generation >>> LIFE_SHIFT;
    }
}

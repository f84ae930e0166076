package io.gannet.driver.stream;

import java.util.BitSet;

/**
 * Places in an agent's table, with a generation that never repeats soon. For the control thread alone.
 */
final class IndexPool
{
    private final BitSet used = new BitSet();
    private int generation;

    /**
     * @param life of the driver: its generations do not begin where those of the driver before did.
     */
    IndexPool(final int life)
    {
        generation = life;
    }

    /**
     * Takes a place.
     *
     * @return the base of its {@link WorkId}s, different from that of all recent users of the place.
     * @throws IllegalStateException if all are taken.
     */
    long take()
    {
        final int index = used.nextClearBit(0);
        if (index > WorkId.MAX_INDEX)
        {
            throw new IllegalStateException(
                "this driver replicates " + (WorkId.MAX_INDEX + 1) + " streams already, the most that it can");
        }
        used.set(index);
        generation++;
        return WorkId.base(index, generation);
    }

    void free(final long base)
    {
        used.clear(WorkId.index(base));
    }
}

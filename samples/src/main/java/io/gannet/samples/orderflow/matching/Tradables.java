package io.gannet.samples.orderflow.matching;

import java.util.List;
import org.agrona.collections.Int2IntHashMap;

/**
 * The instruments of a venue, by SecurityID. Immutable, for any thread.
 */
public final class Tradables
{
    /** No such instrument. */
    public static final int UNKNOWN = -1;

    private static final long UNIT = 1_000_000_000L;

    private final List<Tradable> all;
    private final Int2IntHashMap indexById;

    /**
     * @param all in the order of their indices.
     */
    public Tradables(final List<Tradable> all)
    {
        this.all = List.copyOf(all);
        indexById = new Int2IntHashMap(Math.max(16, all.size() * 2), 0.5f, UNKNOWN);
        for (int i = 0; i < all.size(); i++)
        {
            if (indexById.put(all.get(i).id(), i) != UNKNOWN)
            {
                throw new IllegalArgumentException("two instruments have the id " + all.get(i).id());
            }
        }
    }

    /** A venue for demonstrations: so many instruments with a tick of 0.01. */
    public static Tradables example(final int count)
    {
        final String[] names = {"GANNET", "HERON", "PUFFIN", "TERN", "PETREL", "SKUA", "FULMAR", "AUK"};
        final Tradable[] made = new Tradable[count];
        for (int i = 0; i < count; i++)
        {
            made[i] = new Tradable(1001 + i, names[i % names.length] + (i < names.length ? "" : "" + i),
                UNIT / 100, UNIT, 1_000 * UNIT, 1_000_000);
        }
        return new Tradables(List.of(made));
    }

    /** Index of an instrument, or {@link #UNKNOWN}. */
    public int index(final int securityId)
    {
        return indexById.get(securityId);
    }

    /** An instrument by its index. */
    public Tradable get(final int index)
    {
        return all.get(index);
    }

    /** Number of instruments. */
    public int size()
    {
        return all.size();
    }

    /** The instruments. */
    public List<Tradable> all()
    {
        return all;
    }
}

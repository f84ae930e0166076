package io.gannet.doctor;

import java.util.BitSet;

/** Processors as /sys and /proc write them: {@code 0-3,8}. */
final class CpuList
{
    private static final int MOST = 1 << 16;

    private CpuList()
    {
    }

    /** The set that a list stands for; empty for an empty list or one that makes no sense. */
    static BitSet parse(final String list)
    {
        final BitSet set = new BitSet();
        for (final String part : list.split(",", -1))
        {
            final String[] ends = part.strip().split("-", 2);
            try
            {
                final int first = Integer.parseInt(ends[0].strip());
                final int last = Integer.parseInt(ends[ends.length - 1].strip());
                if (first >= 0 && last >= first && last < MOST)
                {
                    set.set(first, last + 1);
                }
            }
            catch (final NumberFormatException empty)
            {
                // "" of no processors, or "(null)"
            }
        }
        return set;
    }
}

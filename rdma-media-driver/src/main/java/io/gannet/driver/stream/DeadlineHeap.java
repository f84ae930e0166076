package io.gannet.driver.stream;

import java.util.Arrays;

/**
 * Times by which members of an agent's table are to be looked at, the earliest first. A change costs the logarithm of
 * their number and no memory, the look at the earliest nothing. Not thread-safe.
 */
final class DeadlineHeap
{
    static final int NONE = -1;

    /** Members as a binary heap; of which place, by member. */
    private int[] members = new int[16];
    private int[] places = new int[16];
    private long[] deadlines = new long[16];
    private int size;

    DeadlineHeap()
    {
        Arrays.fill(places, NONE);
    }

    /**
     * Adds a member, or changes its time.
     *
     * @param member   small number of it.
     * @param deadline nanoseconds of a monotonic clock.
     */
    void set(final int member, final long deadline)
    {
        if (member >= places.length)
        {
            final int before = places.length;
            final int length = Math.max(member + 1, 2 * before);
            places = Arrays.copyOf(places, length);
            Arrays.fill(places, before, length, NONE);
            deadlines = Arrays.copyOf(deadlines, length);
        }
        if (places[member] == NONE)
        {
            if (size == members.length)
            {
                members = Arrays.copyOf(members, 2 * size);
            }
            places[member] = size++;
        }
        deadlines[member] = deadline;
        settle(places[member], member);
    }

    /** Takes a member out, if it is there. */
    void remove(final int member)
    {
        final int place = place(member);
        if (place == NONE)
        {
            return;
        }
        places[member] = NONE;
        final int last = members[--size];
        if (last != member)
        {
            settle(place, last);
        }
    }

    boolean contains(final int member)
    {
        return place(member) != NONE;
    }

    int size()
    {
        return size;
    }

    /** {@return a member whose time has come, the one that waits longest, or {@link #NONE}} */
    int due(final long now)
    {
        return size != 0 && deadlines[members[0]] - now <= 0 ? members[0] : NONE;
    }

    /** {@return nanoseconds until the first member is due, at most 0 if it is; {@link Long#MAX_VALUE} without one} */
    long dueIn(final long now)
    {
        return size == 0 ? Long.MAX_VALUE : deadlines[members[0]] - now;
    }

    private int place(final int member)
    {
        return member < places.length ? places[member] : NONE;
    }

    private void settle(final int from, final int member)
    {
        int place = from;
        while (place > 0 && isBefore(member, members[(place - 1) / 2]))
        {
            put(place, members[(place - 1) / 2]);
            place = (place - 1) / 2;
        }
        int child = earlierChild(place);
        while (child != NONE && isBefore(members[child], member))
        {
            put(place, members[child]);
            place = child;
            child = earlierChild(place);
        }
        put(place, member);
    }

    private int earlierChild(final int place)
    {
        final int left = 2 * place + 1;
        if (left >= size)
        {
            return NONE;
        }
        return left + 1 < size && isBefore(members[left + 1], members[left]) ? left + 1 : left;
    }

    private boolean isBefore(final int one, final int other)
    {
        return deadlines[one] - deadlines[other] < 0;
    }

    private void put(final int place, final int member)
    {
        members[place] = member;
        places[member] = place;
    }
}

package io.gannet.driver.stream;

import java.util.Arrays;

import io.gannet.ring.RingMemory;

/**
 * Replicas with nothing to send, which the sender visits in turn instead of all in each cycle: at each it looks at the
 * one word in which the next frame would show. Their addresses lie side by side, so that a look costs no more than that
 * word. Not thread-safe: owned by the sender.
 *
 * <p>While the sender polls, as many are looked at as it takes to come round in {@link #ROUND}, within bounds; so that
 * is how late a frame can be found that ends the rest of a stream, or the cycles that {@link #MOST_LOOKS} make of all
 * of them. While it waits, the bells of their rings wake it, which stay armed; which one has rung is found in one
 * {@linkplain #sweep() round} at full pace, before which it does not wait again.
 */
final class RestingWatch
{
    /** Nanoseconds for a look at every one, while there are few enough. */
    static final long ROUND = 100_000;
    /** Of one cycle. */
    static final int MOST_LOOKS = 64;
    private static final int LEAST_LOOKS = 4;

    private OutboundReplica[] replicas = new OutboundReplica[16];
    private RingMemory[] memories = new RingMemory[16];
    private long[] words = new long[16];
    private int size;
    /** Goes down: who takes the place of one that left comes from above, where it has been looked at. */
    private int cursor;
    private boolean sweeping;
    private long lookedAt;
    private long looks;

    /** Adds a replica whose bell is armed, and which was looked at after that. */
    void add(final OutboundReplica replica)
    {
        if (size == replicas.length)
        {
            replicas = Arrays.copyOf(replicas, 2 * size);
            memories = Arrays.copyOf(memories, 2 * size);
            words = Arrays.copyOf(words, 2 * size);
        }
        replicas[size] = replica;
        memories[size] = replica.ring().memory();
        words[size] = replica.nextFrame();
        replica.restsAt(size);
        size++;
    }

    /** Takes a replica out, if it is there. */
    void remove(final OutboundReplica replica)
    {
        final int place = replica.restsAt();
        if (place == OutboundReplica.NOWHERE)
        {
            return;
        }
        replica.restsAt(OutboundReplica.NOWHERE);
        size--;
        if (place != size)
        {
            replicas[place] = replicas[size];
            memories[place] = memories[size];
            words[place] = words[size];
            replicas[place].restsAt(place);
        }
        replicas[size] = null;
        memories[size] = null;
    }

    /** A bell has rung: every replica is looked at once from here on. */
    void sweep()
    {
        cursor = size;
        sweeping = true;
    }

    /** {@return whether a bell has rung, and not all have been looked at since} */
    boolean isSweeping()
    {
        return sweeping;
    }

    /** {@return looks that are due in this cycle} */
    int due(final long now)
    {
        final long passed = Math.clamp(now - lookedAt, 0, ROUND);
        lookedAt = now;
        cursor = Math.min(cursor, size);
        if (sweeping)
        {
            sweeping = cursor > 0;
            return Math.min(MOST_LOOKS, cursor);
        }
        return Math.min(size, Math.clamp(size * passed / ROUND, LEAST_LOOKS, MOST_LOOKS));
    }

    /**
     * Looks at the next one; not more often than {@link #due} says.
     *
     * @return it, if it is to be visited, else null.
     * @throws InternalError perhaps late: its ring's memory is gone.
     */
    OutboundReplica look()
    {
        looks++;
        if (cursor == 0 || cursor > size)
        {
            cursor = size;
        }
        final int place = --cursor;
        // Whoever sends it reads the length anew, by acquire.
        boolean found = memories[place].getIntOpaque(words[place]) != 0;
        if (sweeping)
        {
            // A publisher that lost its processor between its frame and the bell takes the waiter when that has been
            // sent long ago: the bell is to be armed anew, or nobody rings for the frame after.
            found |= !replicas[place].isAnnounced();
        }
        return found ? replicas[place] : null;
    }

    /** {@return the one that {@link #look} has looked at last, also if its ring's memory is gone; null if it left} */
    OutboundReplica looked()
    {
        return cursor < size ? replicas[cursor] : null;
    }

    int size()
    {
        return size;
    }

    /** {@return looks so far} */
    long looks()
    {
        return looks;
    }
}

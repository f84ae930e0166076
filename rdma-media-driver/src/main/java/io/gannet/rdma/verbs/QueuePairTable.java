package io.gannet.rdma.verbs;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Queue pairs by number. Immutable: a change makes a new table, so that the polling thread reads without locks.
 */
final class QueuePairTable
{
    static final QueuePairTable EMPTY = new QueuePairTable(new VerbsQueuePair[0]);

    private static final int SPREAD = 0x9E37_79B9;

    private final VerbsQueuePair[] all;
    private final VerbsQueuePair[] slots;

    private QueuePairTable(final VerbsQueuePair[] all)
    {
        this.all = all;
        final int size = Math.max(2, Integer.highestOneBit(Math.max(1, all.length)) * 4);
        slots = new VerbsQueuePair[size];
        for (final VerbsQueuePair queuePair : all)
        {
            int slot = slot(queuePair.number());
            while (slots[slot] != null)
            {
                slot = (slot + 1) & (size - 1);
            }
            slots[slot] = queuePair;
        }
    }

    /** {@return the queue pair, or null} */
    VerbsQueuePair get(final int number)
    {
        int slot = slot(number);
        VerbsQueuePair found = slots[slot];
        while (found != null && found.number() != number)
        {
            slot = (slot + 1) & (slots.length - 1);
            found = slots[slot];
        }
        return found;
    }

    private int slot(final int number)
    {
        return ((number * SPREAD) >>> 8) & (slots.length - 1);
    }

    QueuePairTable with(final VerbsQueuePair added)
    {
        if (get(added.number()) == added)
        {
            return this;
        }
        final VerbsQueuePair[] more = new VerbsQueuePair[all.length + 1];
        System.arraycopy(all, 0, more, 0, all.length);
        more[all.length] = added;
        return new QueuePairTable(more);
    }

    QueuePairTable without(final VerbsQueuePair removed)
    {
        int count = 0;
        final VerbsQueuePair[] rest = new VerbsQueuePair[all.length];
        for (final VerbsQueuePair queuePair : all)
        {
            if (queuePair != removed)
            {
                rest[count++] = queuePair;
            }
        }
        return new QueuePairTable(Arrays.copyOf(rest, count));
    }

    boolean isEmpty()
    {
        return all.length == 0;
    }

    void forEach(final Consumer<VerbsQueuePair> action)
    {
        for (final VerbsQueuePair queuePair : all)
        {
            action.accept(queuePair);
        }
    }
}

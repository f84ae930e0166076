package io.gannet.rdma.sim;

import java.util.PriorityQueue;

/**
 * Virtual time: actions in order of their time, and of their insertion where times are equal.
 */
public final class SimScheduler
{
    private final PriorityQueue<Entry> entries = new PriorityQueue<>();
    private long now;
    private long sequence;

    /** {@return virtual nanoseconds since the start} */
    public long now()
    {
        return now;
    }

    /**
     * Adds an action.
     *
     * @param delay nanoseconds from now, at least 0.
     */
    public void after(final long delay, final Runnable action)
    {
        if (delay < 0)
        {
            throw new IllegalArgumentException("delay must not be negative, is " + delay);
        }
        entries.add(new Entry(now + delay, sequence++, action));
    }

    /**
     * Runs the next action, and moves the time to it.
     *
     * @return false if there is none.
     */
    public boolean runNext()
    {
        final Entry entry = entries.poll();
        if (entry == null)
        {
            return false;
        }
        now = entry.time;
        entry.action.run();
        return true;
    }

    /**
     * Runs everything up to a time, inclusive, and moves the time there.
     */
    public void runUntil(final long time)
    {
        while (!entries.isEmpty() && entries.peek().time <= time)
        {
            runNext();
        }
        now = Math.max(now, time);
    }

    private record Entry(long time, long sequence, Runnable action) implements Comparable<Entry>
    {
        @Override
        public int compareTo(final Entry other)
        {
            final int byTime = Long.compare(time, other.time);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }
}

package io.gannet.perf.model;

import java.util.PriorityQueue;

/**
 * A clock that jumps from one event to the next. Events of the same time run in the order in which they were added.
 */
final class Events
{
    private final PriorityQueue<Event> queue = new PriorityQueue<>();
    private long added;
    private double now;

    private record Event(double time, long order, Runnable action) implements Comparable<Event>
    {
        @Override
        public int compareTo(final Event other)
        {
            final int byTime = Double.compare(time, other.time);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    double now()
    {
        return now;
    }

    void at(final double time, final Runnable action)
    {
        queue.add(new Event(Math.max(time, now), added++, action));
    }

    /** Runs the next event; false if there is none. */
    boolean step()
    {
        final Event next = queue.poll();
        if (next == null)
        {
            return false;
        }
        now = next.time();
        next.action().run();
        return true;
    }
}

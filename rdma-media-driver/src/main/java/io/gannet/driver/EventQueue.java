package io.gannet.driver;

import io.gannet.control.ClientFile;
import io.gannet.control.EventWriter;
import java.util.ArrayDeque;
import java.util.function.Predicate;

/**
 * Events for one client, in order. What does not fit into the client's ring waits here; the conductor never waits for a
 * client, and reads no further command of one that has events waiting, so that a paused client holds a bounded number.
 */
final class EventQueue
{
    private final ClientFile file;
    private final EventWriter writer;
    private final long driverEpoch;
    private final ArrayDeque<Predicate<EventWriter>> waiting = new ArrayDeque<>();
    private boolean broken;
    /** The last event of a conversation was sent. */
    private boolean over;

    EventQueue(final ClientFile file, final long driverEpoch)
    {
        this.driverEpoch = driverEpoch;
        this.file = file;
        writer = file.eventWriter();
    }

    /**
     * Sends or keeps one event.
     *
     * @param event writes the event; false when the ring is full.
     */
    void send(final Predicate<EventWriter> event)
    {
        if (broken || over)
        {
            return;
        }
        try
        {
            if (!file.isWhole())
            {
                // Untouched: the fault might interrupt what is going on for others.
                broken = true;
                waiting.clear();
                return;
            }
            if (!waiting.isEmpty() || file.connectedEpoch() != driverEpoch || !event.test(writer))
            {
                waiting.add(event);
            }
            file.bell().ring();
        }
        catch (final InternalError truncated)
        {
            // Not the fault of whoever has something to tell, and nothing can be told any more.
            broken = true;
            waiting.clear();
        }
    }

    /** As {@link #send}; what would follow is dropped until the client has begun anew and is told all of it again. */
    void sendLast(final Predicate<EventWriter> event)
    {
        send(event);
        over = true;
    }

    /** A conversation begins, in empty rings. */
    void begin()
    {
        over = false;
        waiting.clear();
    }

    /** Nothing is told any more, as the client's file can't be used. */
    void breakOff()
    {
        broken = true;
        waiting.clear();
    }

    /** Whether nobody else has written over the ring's positions. */
    boolean isIntact()
    {
        return writer.isIntact();
    }

    /** Sends what waits, as far as there is room; true when nothing waits any more. */
    boolean flush()
    {
        boolean written = false;
        while (!waiting.isEmpty() && waiting.peek().test(writer))
        {
            waiting.remove();
            written = true;
        }
        if (written)
        {
            file.bell().ring();
        }
        return waiting.isEmpty();
    }

    boolean isEmpty()
    {
        return waiting.isEmpty();
    }

    void clear()
    {
        waiting.clear();
    }
}

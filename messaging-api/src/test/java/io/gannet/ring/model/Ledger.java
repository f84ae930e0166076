package io.gannet.ring.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What a ring must do, in plain Java: a stream is a sequence of messages at positions; each reader sees, from where it
 * joined, all of them in order. A message is known from its producer's result or from whoever reads it first; from then
 * on all must agree.
 */
final class Ledger
{
    private final NavigableMap<Long, Entry> messages = new TreeMap<>();
    private final Map<Integer, Long> positionOfId = new HashMap<>();
    private final Map<String, View> views = new HashMap<>();
    private final List<Integer> aborted = new ArrayList<>();

    /** A message: what it is and where the next one starts. */
    private record Entry(int id, long end)
    {
    }

    /** How far a reader is. */
    private static final class View
    {
        final long from;
        long next;
        boolean sawTheEnd;
        final List<Long> skippedFrom = new ArrayList<>();
        final List<Long> skippedTo = new ArrayList<>();

        View(final long from)
        {
            this.from = from;
            this.next = from;
        }
    }

    /** A producer was told that its message ends at {@code end}. */
    void sent(final int id, final long start, final long end)
    {
        learn(id, start, end);
    }

    /** A producer gave a claim back. */
    void aborted(final int id)
    {
        aborted.add(id);
    }

    void joined(final String reader, final long position)
    {
        views.put(reader, new View(position));
    }

    /** A reader was given a message, checked byte for byte. */
    void read(final String reader, final int id, final long start, final long end)
    {
        final View view = views.get(reader);
        if (start < view.next)
        {
            throw new AssertionError(reader + " is given a message at " + start + " again, it is at " + view.next);
        }
        if (start > view.next)
        {
            view.skippedFrom.add(view.next);
            view.skippedTo.add(start);
        }
        view.next = end;
        learn(id, start, end);
    }

    /** A reader has consumed all up to {@code position}, and it was told that the stream ends there. */
    void sawTheEnd(final String reader, final long position)
    {
        final View view = views.get(reader);
        if (position > view.next)
        {
            view.skippedFrom.add(view.next);
            view.skippedTo.add(position);
            view.next = position;
        }
        view.sawTheEnd = true;
    }

    private void learn(final int id, final long start, final long end)
    {
        final Entry known = messages.putIfAbsent(start, new Entry(id, end));
        if (known != null && (known.id != id || known.end != end))
        {
            throw new AssertionError("message " + name(id) + " at " + start + ".." + end + " but " + name(known.id) +
                " .." + known.end + " was seen there");
        }
        final Long other = positionOfId.putIfAbsent(id, start);
        if (other != null && other != start)
        {
            throw new AssertionError("message " + name(id) + " stands at " + other + " and at " + start);
        }
        if (aborted.contains(id))
        {
            throw new AssertionError("message " + name(id) + " was aborted and appeared at " + start);
        }
    }

    /** After everybody has ended: nobody missed a message, and all saw each producer's messages in order. */
    void check(final long finalPosition)
    {
        long next = -1;
        final Map<Integer, Integer> sequences = new HashMap<>();
        for (final Map.Entry<Long, Entry> message : messages.entrySet())
        {
            if (message.getKey() < next)
            {
                throw new AssertionError("message at " + message.getKey() + " overlaps the one before it, to " + next);
            }
            next = message.getValue().end;
            final int id = message.getValue().id;
            final Integer before = sequences.put(Payloads.producer(id), Payloads.sequence(id));
            if (before != null && before >= Payloads.sequence(id))
            {
                throw new AssertionError("message " + name(id) + " comes after " + before);
            }
        }
        if (finalPosition >= 0 && next > finalPosition)
        {
            throw new AssertionError("the stream ended at " + finalPosition + " before its last message, to " + next);
        }
        views.forEach((reader, view) ->
        {
            for (int i = 0; i < view.skippedFrom.size(); i++)
            {
                final NavigableMap<Long, Entry> missed =
                    messages.subMap(view.skippedFrom.get(i), true, view.skippedTo.get(i), false);
                if (!missed.isEmpty())
                {
                    throw new AssertionError(reader + ", joined at " + view.from + ", missed message " +
                        name(missed.firstEntry().getValue().id) + " at " + missed.firstKey());
                }
            }
            if (view.sawTheEnd && finalPosition >= 0 && view.next != finalPosition)
            {
                throw new AssertionError(reader + " saw the end at " + view.next + " of " + finalPosition);
            }
        });
    }

    int count()
    {
        return messages.size();
    }

    private static String name(final int id)
    {
        return "p" + Payloads.producer(id) + "#" + Payloads.sequence(id);
    }
}

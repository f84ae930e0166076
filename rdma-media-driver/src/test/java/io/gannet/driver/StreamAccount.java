package io.gannet.driver;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one subscription got of each session, by positions: messages, and gaps that it was told. Thread-safe.
 */
final class StreamAccount
{
    private final Map<Integer, Session> sessions = new HashMap<>();

    /** Bytes [from, to) of a stream. */
    private record Span(String what, long from, long to)
    {
    }

    private static final class Session
    {
        private final List<Span> spans = new ArrayList<>();
        private long joined = -1;
    }

    private Session session(final int id)
    {
        return sessions.computeIfAbsent(id, key -> new Session());
    }

    /** An image begins; what is before the first one is not owed. */
    synchronized void joined(final int sessionId, final long position)
    {
        final Session session = session(sessionId);
        if (session.joined == -1)
        {
            session.joined = position;
        }
    }

    synchronized void message(final int sessionId, final long from, final long to)
    {
        session(sessionId).spans.add(new Span("message", from, to));
    }

    synchronized void gap(final int sessionId, final long from, final long to)
    {
        session(sessionId).spans.add(new Span("gap", from, to));
    }

    /** Whether all from the first image on to this position has come or is known to be lost. */
    synchronized boolean isCompleteTo(final int sessionId, final long position)
    {
        final Session session = sessions.get(sessionId);
        return session != null && session.joined != -1 && fault(session) == null && end(session) == position;
    }

    private static long end(final Session session)
    {
        return session.spans.stream().mapToLong(Span::to).max().orElse(session.joined);
    }

    /** The first position that came twice, or neither came nor was told, in words; null if there is none. */
    synchronized String fault()
    {
        for (final Map.Entry<Integer, Session> entry : sessions.entrySet())
        {
            final String fault = fault(entry.getValue());
            if (fault != null)
            {
                return "session " + entry.getKey() + ": " + fault;
            }
        }
        return null;
    }

    private static String fault(final Session session)
    {
        long at = session.joined;
        session.spans.sort(Comparator.comparingLong(Span::from));
        for (final Span span : session.spans)
        {
            if (span.from != at)
            {
                return "a " + span.what + " of [" + span.from + ", " + span.to + ") where " + at +
                    " was next, joined at " + session.joined;
            }
            at = span.to;
        }
        return null;
    }

    @Override
    public synchronized String toString()
    {
        final StringBuilder text = new StringBuilder();
        sessions.forEach((id, session) -> text.append("session ").append(id).append(" from ").append(session.joined)
            .append(" to ").append(end(session)).append(", ").append(session.spans.size()).append(" spans, fault: ")
            .append(fault(session)).append("; "));
        return text.toString();
    }
}

package io.gannet.samples.orderflow.link;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Streams inside one process, for tests: bounded, with messages lost on demand. */
public final class PipeTransport extends Transport
{
    private static final int CAPACITY = 4096;

    private record Message(long source, UnsafeBuffer bytes)
    {
    }

    private final Map<Integer, List<PipeInlet>> inlets = new HashMap<>();
    private final Map<Integer, Set<Long>> sources = new HashMap<>();
    private final Map<Integer, IntPredicate> losses = new HashMap<>();
    private final Map<Integer, UnaryOperator<UnsafeBuffer>> changes = new HashMap<>();
    private final Set<Integer> held = new HashSet<>();
    private boolean twice;
    private long lastSource;

    /** Loses each message of a stream whose template fits. */
    public synchronized void lose(final int stream, final IntPredicate template)
    {
        losses.put(stream, template);
    }

    /** Each message of a stream arrives as this makes it; null: as it was sent. */
    public synchronized void rewrite(final int stream, final UnaryOperator<UnsafeBuffer> change)
    {
        changes.put(stream, change);
    }

    /** Whoever reads the stream stands still, or goes on. */
    public synchronized void hold(final int stream, final boolean value)
    {
        if (value)
        {
            held.add(stream);
        }
        else
        {
            held.remove(stream);
        }
    }

    /** From now on every message comes twice. */
    public synchronized void repeat()
    {
        twice = true;
    }

    /** Loses nothing any more. */
    public synchronized void loseNothing()
    {
        losses.clear();
    }

    @Override
    public synchronized Inlet inlet(final int stream)
    {
        final PipeInlet inlet = new PipeInlet(stream);
        inlets.computeIfAbsent(stream, key -> new ArrayList<>()).add(inlet);
        return inlet;
    }

    @Override
    public synchronized Sender sender(final int stream)
    {
        final long source = ++lastSource;
        sources.computeIfAbsent(stream, key -> new HashSet<>()).add(source);
        return new PipeSender(stream, source);
    }

    private synchronized boolean isOpen(final int stream, final long source)
    {
        return sources.getOrDefault(stream, Set.of()).contains(source);
    }

    private final class PipeInlet extends Inlet
    {
        private final int stream;
        private final Queue<Message> queue = new ArrayDeque<>();

        PipeInlet(final int stream)
        {
            this.stream = stream;
        }

        @Override
        public int poll(final Handler handler, final int limit)
        {
            int count = 0;
            while (count < limit)
            {
                final Message message;
                synchronized (PipeTransport.this)
                {
                    message = held.contains(stream) ? null : queue.poll();
                }
                if (message == null)
                {
                    break;
                }
                handler.onMessage(message.bytes(), 0, message.bytes().capacity(), message.source());
                count++;
            }
            return count;
        }

        @Override
        public boolean isConnected()
        {
            synchronized (PipeTransport.this)
            {
                return !sources.getOrDefault(stream, Set.of()).isEmpty();
            }
        }

        @Override
        public boolean isConnected(final long source)
        {
            return isOpen(stream, source);
        }

        @Override
        public void close()
        {
            synchronized (PipeTransport.this)
            {
                inlets.get(stream).remove(this);
            }
        }
    }

    private final class PipeSender extends Sender
    {
        private final int stream;
        private final long source;
        private UnsafeBuffer claimed;

        PipeSender(final int stream, final long source)
        {
            this.stream = stream;
            this.source = source;
        }

        @Override
        public int claim(final int length)
        {
            synchronized (PipeTransport.this)
            {
                final List<PipeInlet> to = inlets.getOrDefault(stream, List.of());
                if (!isOpen(stream, source))
                {
                    return CLOSED;
                }
                if (to.isEmpty())
                {
                    return NOT_CONNECTED;
                }
                if (to.stream().anyMatch(inlet -> inlet.queue.size() >= CAPACITY))
                {
                    return BACK_PRESSURED;
                }
            }
            claimed = new UnsafeBuffer(new byte[length]);
            return 1;
        }

        @Override
        public MutableDirectBuffer buffer()
        {
            return claimed;
        }

        @Override
        public int offset()
        {
            return 0;
        }

        @Override
        public void commit()
        {
            synchronized (PipeTransport.this)
            {
                if (losses.containsKey(stream) && losses.get(stream).test(claimed.getShort(2)))
                {
                    return;
                }
                final UnaryOperator<UnsafeBuffer> change = changes.get(stream);
                final UnsafeBuffer message = change == null ? claimed : change.apply(claimed);
                for (int i = 0; i < (twice ? 2 : 1); i++)
                {
                    inlets.getOrDefault(stream, List.of()).forEach(
                        inlet -> inlet.queue.add(new Message(source, message)));
                }
            }
        }

        @Override
        public boolean isConnected()
        {
            synchronized (PipeTransport.this)
            {
                return !inlets.getOrDefault(stream, List.of()).isEmpty();
            }
        }

        @Override
        public void close()
        {
            synchronized (PipeTransport.this)
            {
                sources.get(stream).remove(source);
            }
        }
    }
}

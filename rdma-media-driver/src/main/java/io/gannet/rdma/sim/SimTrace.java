package io.gannet.rdma.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The last events of a run, and a digest of all of them. Text is kept only where asked for: a run that fails is run
 * again by its seed with it.
 */
public final class SimTrace
{
    private final int keep;
    private final Deque<String> lines = new ArrayDeque<>();
    private long digest = 0xcbf29ce484222325L;

    /**
     * @param keep how many events to keep as text, 0 or more.
     */
    public SimTrace(final int keep)
    {
        this.keep = keep;
    }

    /**
     * Notes an event.
     *
     * @param what names the event.
     */
    public void add(final long time, final String who, final String what, final long a, final long b)
    {
        mix(time);
        mix(who.hashCode());
        mix(what.hashCode());
        mix(a);
        mix(b);
        if (keep > 0)
        {
            if (lines.size() == keep)
            {
                lines.removeFirst();
            }
            lines.addLast(String.format("%,15d %-12s %-24s %d %d", time, who, what, a, b));
        }
    }

    /** {@return a number that two runs share only if their events were the same} */
    public long digest()
    {
        return digest;
    }

    /** {@return the last events, oldest first} */
    public List<String> lines()
    {
        return List.copyOf(lines);
    }

    private void mix(final long value)
    {
        digest = (digest ^ value) * 0x100000001b3L;
        digest ^= digest >>> 32;
    }
}

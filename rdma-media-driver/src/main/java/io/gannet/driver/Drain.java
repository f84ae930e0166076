package io.gannet.driver;

import io.gannet.driver.stream.RemoteSubscriber;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Before a driver ends: whether what had been published until now has been consumed by the subscribers of other hosts
 * that are connected. Owned by the conductor's thread.
 */
final class Drain
{
    private final Map<StreamRing, Long> targets = new LinkedHashMap<>();

    /** Remembers how far the publications of some rings are. */
    Drain(final List<StreamRing> rings)
    {
        for (final StreamRing ring : rings)
        {
            if (ring.outbound() != null)
            {
                ring.sample();
                targets.put(ring, ring.position());
            }
        }
    }

    /** Bytes that the slowest subscribers have still to consume, summed over the rings. */
    long left()
    {
        long left = 0;
        for (final Map.Entry<StreamRing, Long> target : targets.entrySet())
        {
            left += left(target.getKey(), target.getValue());
        }
        return left;
    }

    private static long left(final StreamRing ring, final long position)
    {
        long most = 0;
        if (ring.outbound() != null)
        {
            for (final RemoteSubscriber subscriber : ring.outbound().stream().subscribers())
            {
                if (subscriber.isJoined())
                {
                    most = Math.max(most, position - subscriber.counters().consumed());
                }
            }
        }
        return most;
    }
}

package io.gannet.monitor;

import static io.gannet.counters.CounterTypes.CYCLE_BUCKETS;

import io.gannet.counters.CounterTypes;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The duty cycles of one agent of a driver, which is one of its threads.
 */
public final class AgentView
{
    private final String name;
    private final long[] buckets = new long[CYCLE_BUCKETS];
    private long longestNanos;
    private long stalls;
    private long nanos;
    private boolean hasHistogram;

    private AgentView(final String name)
    {
        this.name = name;
    }

    /** {@return the agents that counters are of, in the driver's order} */
    public static List<AgentView> of(final List<CounterValue> counters)
    {
        final Map<String, AgentView> agents = new LinkedHashMap<>();
        for (final CounterValue counter : counters)
        {
            if (isOfAgent(counter.typeId()))
            {
                agents.computeIfAbsent(counter.owner(), AgentView::new).add(counter);
            }
        }
        return new ArrayList<>(agents.values());
    }

    /** Whether a counter is one of those that are read here. */
    public static boolean isOfAgent(final int typeId)
    {
        return typeId == CounterTypes.LONGEST_CYCLE || typeId == CounterTypes.STALLS ||
            typeId == CounterTypes.CYCLE_BUCKET || typeId == CounterTypes.CYCLE_TIME;
    }

    private void add(final CounterValue counter)
    {
        switch (counter.typeId())
        {
            case CounterTypes.LONGEST_CYCLE -> longestNanos = counter.value();
            case CounterTypes.STALLS -> stalls = counter.value();
            case CounterTypes.CYCLE_TIME -> nanos = counter.value();
            default ->
            {
                final int bucket = counter.key().getInt(0, ByteOrder.LITTLE_ENDIAN);
                if (bucket >= 0 && bucket < CYCLE_BUCKETS)
                {
                    hasHistogram = true;
                    buckets[bucket] = counter.value();
                }
            }
        }
    }

    /** Of the role, or roles, that share the thread. */
    public String name()
    {
        return name;
    }

    /** Longest cycle since the driver started. */
    public long longestNanos()
    {
        return longestNanos;
    }

    /** Cycles over the stall threshold. */
    public long stalls()
    {
        return stalls;
    }

    /** Sum of all cycles. */
    public long nanos()
    {
        return nanos;
    }

    /** Whether cycles are counted by their length; not by a driver with few counters. */
    public boolean hasHistogram()
    {
        return hasHistogram;
    }

    /** {@return how many cycles were of each length, see {@link #limits()}} */
    public long[] buckets()
    {
        return buckets.clone();
    }

    /** {@return how many cycles of each length there were since an earlier look} */
    public long[] bucketsSince(final List<AgentView> earlier)
    {
        final long[] since = buckets();
        for (final AgentView agent : earlier)
        {
            for (int i = 0; i < since.length && agent.name.equals(name); i++)
            {
                since[i] = Math.max(0, since[i] - agent.buckets[i]);
            }
        }
        return since;
    }

    /** All cycles. */
    public long cycles()
    {
        long all = 0;
        for (final long count : buckets)
        {
            all += count;
        }
        return all;
    }

    /** {@return the longest cycle of each bucket, in nanoseconds; of the last {@link Long#MAX_VALUE}} */
    public static long[] limits()
    {
        final long[] limits = new long[CYCLE_BUCKETS];
        for (int i = 0; i < limits.length; i++)
        {
            limits[i] = CounterTypes.cycleBucketLimit(i);
        }
        return limits;
    }
}

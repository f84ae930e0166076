package io.gannet.rdma;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many resources of each kind are open on a device. Thread-safe.
 */
public final class ResourceCounts
{
    private final Map<ResourceKind, AtomicInteger> open = new EnumMap<>(ResourceKind.class);

    ResourceCounts()
    {
        for (final ResourceKind kind : ResourceKind.values())
        {
            open.put(kind, new AtomicInteger());
        }
    }

    void opened(final ResourceKind kind)
    {
        open.get(kind).incrementAndGet();
    }

    void closed(final ResourceKind kind)
    {
        open.get(kind).decrementAndGet();
    }

    /** {@return resources of that kind that were created and not yet closed} */
    public int open(final ResourceKind kind)
    {
        return open.get(kind).get();
    }

    /** {@return all resources that were created and not yet closed} */
    public int open()
    {
        int sum = 0;
        for (final ResourceKind kind : open.keySet())
        {
            sum += open(kind);
        }
        return sum;
    }

    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder();
        for (final ResourceKind kind : open.keySet())
        {
            if (open(kind) != 0)
            {
                text.append(text.isEmpty() ? "" : ", ").append(open(kind)).append(' ').append(kind);
            }
        }
        return text.isEmpty() ? "none" : text.toString();
    }
}

package io.gannet.driver;

import io.gannet.control.ErrorCode;
import io.gannet.counters.CounterTypes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;

/**
 * Allocates the counters of the control file. Owned by the conductor; a counter's value may be set by its one owner.
 */
public final class DriverCounters
{
    /** A driver that has room for fewer keeps them for streams and applications. */
    private static final int FEWEST_FOR_HISTOGRAMS = 1024;

    private final CountersManager manager;
    private final Map<SystemCounter, AtomicCounter> system = new EnumMap<>(SystemCounter.class);

    DriverCounters(final CountersManager manager)
    {
        this.manager = manager;
        for (final SystemCounter counter : SystemCounter.values())
        {
            system.put(counter, manager.newCounter(counter.label(), CounterTypes.SYSTEM));
        }
    }

    AtomicCounter system(final SystemCounter counter)
    {
        return system.get(counter);
    }

    DutyCycle dutyCycle(final String role, final long thresholdNanos)
    {
        final AtomicCounter longest =
            manager.newCounter(role + ": longest duty cycle, ns", CounterTypes.LONGEST_CYCLE);
        final AtomicCounter stalls =
            manager.newCounter(role + ": duty cycles over the stall threshold", CounterTypes.STALLS);
        if (manager.maxCounterId() + 1 < FEWEST_FOR_HISTOGRAMS)
        {
            return new DutyCycle(role, longest, stalls, null, new AtomicCounter[0], thresholdNanos);
        }
        final AtomicCounter[] buckets = new AtomicCounter[CounterTypes.CYCLE_BUCKETS];
        for (int i = 0; i < buckets.length; i++)
        {
            final long limit = CounterTypes.cycleBucketLimit(i);
            final byte[] key = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(i).array();
            buckets[i] = allocate(role + ": duty cycles " + (limit == Long.MAX_VALUE ?
                "longer than " + CounterTypes.cycleBucketLimit(i - 1) : "up to " + limit) + " ns",
                CounterTypes.CYCLE_BUCKET, key);
        }
        return new DutyCycle(role, longest, stalls,
            manager.newCounter(role + ": duty cycles, sum, ns", CounterTypes.CYCLE_TIME), buckets, thresholdNanos);
    }

    /**
     * A counter that the driver itself writes.
     *
     * @param label  for people.
     * @param typeId what is counted.
     * @param key    at most {@link CountersManager#MAX_KEY_LENGTH} bytes.
     * @return null when all counters are taken: a stream goes on without one.
     */
    public AtomicCounter allocate(final String label, final int typeId, final byte[] key)
    {
        final int id = allocateId(label, typeId, key);
        return id < 0 ? null : new AtomicCounter(manager.valuesBuffer(), id, manager);
    }

    /** An application's counter; its id, or a {@link RefusedException}. */
    int allocateForClient(final String label, final int typeId, final byte[] key, final long value)
    {
        final int id = allocateId(label, typeId, key);
        if (id < 0)
        {
            throw new RefusedException(ErrorCode.LIMIT_REACHED, "all " + (manager.maxCounterId() + 1) +
                " counters are taken: close some or raise " + DriverOptions.MAX_COUNTERS);
        }
        manager.setCounterValue(id, value);
        return id;
    }

    void free(final int counterId)
    {
        manager.free(counterId);
    }

    private int allocateId(final String label, final int typeId, final byte[] key)
    {
        final DirectBuffer keyBuffer = new UnsafeBuffer(key);
        final DirectBuffer labelBuffer = new UnsafeBuffer(label.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        try
        {
            return manager.allocate(typeId, keyBuffer, 0, key.length, labelBuffer, 0,
                Math.min(labelBuffer.capacity(), CountersManager.MAX_LABEL_LENGTH));
        }
        catch (final IllegalStateException full)
        {
            return -1;
        }
    }
}

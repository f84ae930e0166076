package io.gannet.driver;

import io.gannet.control.ErrorCode;
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
    /** Type id: longest duty cycle of an agent, in nanoseconds. */
    static final int CYCLE_TYPE_ID = 2;
    /** Type id: duty cycles of an agent over the stall threshold. */
    static final int STALLS_TYPE_ID = 3;
    /** Type id: what the device counts, and gauges of it. */
    static final int DEVICE_TYPE_ID = 4;
    /** Smallest type id that engines and applications may use. */
    static final int FIRST_FREE_TYPE_ID = 1000;

    private final CountersManager manager;
    private final Map<SystemCounter, AtomicCounter> system = new EnumMap<>(SystemCounter.class);

    DriverCounters(final CountersManager manager)
    {
        this.manager = manager;
        for (final SystemCounter counter : SystemCounter.values())
        {
            system.put(counter, manager.newCounter(counter.label(), SystemCounter.TYPE_ID));
        }
    }

    AtomicCounter system(final SystemCounter counter)
    {
        return system.get(counter);
    }

    DutyCycle dutyCycle(final String role, final long thresholdNanos)
    {
        return new DutyCycle(
            manager.newCounter(role + ": longest duty cycle, ns", CYCLE_TYPE_ID),
            manager.newCounter(role + ": duty cycles over the stall threshold", STALLS_TYPE_ID),
            thresholdNanos);
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

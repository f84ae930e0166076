package io.gannet;

import io.gannet.control.ControlFile;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * An application's counter. The value is kept here and copied to its place in the control file of the driver now
 * connected. When the place changes, the conductor stores the new place, fences, and copies the value until it finds
 * that the value it copied is still the last one: so either the writer saw the new place, or the conductor the value.
 */
final class MappedCounter implements Counter
{
    private static final VarHandle VALUE;
    private static final VarHandle PLACE;

    static
    {
        try
        {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            VALUE = lookup.findVarHandle(MappedCounter.class, "value", long.class);
            PLACE = lookup.findVarHandle(MappedCounter.class, "place", Place.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final CounterRegistration registration;
    private final int typeId;
    private final String label;

    private long value;
    private Place place = new Place(null, null, -1);
    private volatile boolean closed;

    /** Where the value is shown; keeps the control file mapped as long as it is written to. */
    private record Place(ControlFile file, UnsafeBuffer values, int id)
    {
        void put(final long value)
        {
            if (values != null)
            {
                // Pairs with the volatile load of Agrona's CountersReader.
                values.putLongRelease(CountersReader.counterOffset(id), value);
            }
        }
    }

    MappedCounter(final CounterRegistration registration, final int typeId, final String label)
    {
        this.registration = registration;
        this.typeId = typeId;
        this.label = label;
    }

    /** By the conductor. */
    void moveTo(final ControlFile file, final int id)
    {
        final Place next = new Place(file, file.valuesBuffer(), id);
        PLACE.setOpaque(this, next);
        HotFence.rare();
        long copied;
        do
        {
            copied = (long) VALUE.getAcquire(this);     // pairs with the release in set()
            next.put(copied);
            // Again on both sides: a value that the writer stores to the place before this copy is seen by the loop.
            HotFence.rare();
        }
        while (copied != (long) VALUE.getAcquire(this));
    }

    /** Writes are dropped from now on; the last value stays. */
    void markClosed()
    {
        closed = true;
    }

    /** By the conductor, before the counter is removed. */
    void detach()
    {
        PLACE.setOpaque(this, new Place(null, null, id()));
    }

    /** Opaque, as all in a place is final: who sees one sees it whole. */
    private Place place()
    {
        return (Place) PLACE.getOpaque(this);
    }

    @Override
    public int id()
    {
        return place().id;
    }

    @Override
    public int typeId()
    {
        return typeId;
    }

    @Override
    public String label()
    {
        return label;
    }

    @Override
    public long get()
    {
        return (long) VALUE.getAcquire(this);           // pairs with the release in set()
    }

    @Override
    public void set(final long newValue)
    {
        if (!closed)
        {
            // Pairs with the acquires in get() and moveTo(); fenced against the latter's store of a new place.
            VALUE.setRelease(this, newValue);
            HotFence.hot();
            place().put(newValue);
        }
    }

    @Override
    public long add(final long delta)
    {
        final long sum = value + delta;
        set(sum);
        return closed ? get() : sum;
    }

    @Override
    public boolean isClosed()
    {
        return closed;
    }

    @Override
    public void close()
    {
        registration.close();
    }

    @Override
    public String toString()
    {
        return registration.toString();
    }
}

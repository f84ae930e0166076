package io.gannet;

import io.gannet.control.ControlFile;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * An application's counter in the control file of the driver now connected. Written without a lock; the place holds its
 * control file, so that a write that comes late goes to a mapping that is still there.
 */
final class MappedCounter implements Counter
{
    private final CounterRegistration registration;
    private final int typeId;
    private final String label;

    private volatile Place place;
    private volatile boolean closed;

    /** Where the value is. */
    private record Place(ControlFile file, UnsafeBuffer values, int id, int offset)
    {
        long get()
        {
            return values.getLongVolatile(offset);
        }
    }

    MappedCounter(final CounterRegistration registration, final int typeId, final String label)
    {
        this.registration = registration;
        this.typeId = typeId;
        this.label = label;
    }

    /** By the conductor: the value, set by the driver, is there now. */
    void moveTo(final ControlFile file, final int id)
    {
        final UnsafeBuffer values = file.valuesBuffer();
        final Place old = place;
        final int offset = CountersReader.counterOffset(id);
        if (old != null)
        {
            values.putLongRelease(offset, old.get());
        }
        place = new Place(file, values, id, offset);
    }

    /** Writes are dropped from now on; the last value stays. */
    void markClosed()
    {
        closed = true;
    }

    /** By the conductor, before the counter is removed: keeps the value where nobody else is given it. */
    void detach()
    {
        final Place old = place;
        if (old != null)
        {
            final UnsafeBuffer own = new UnsafeBuffer(new byte[Long.BYTES]);
            own.putLong(0, old.get());
            place = new Place(null, own, old.id, 0);
        }
    }

    @Override
    public int id()
    {
        return place.id;
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
        return place.get();
    }

    @Override
    public void set(final long value)
    {
        if (!closed)
        {
            final Place here = place;
            here.values.putLongRelease(here.offset, value);
        }
    }

    @Override
    public long add(final long delta)
    {
        final Place here = place;
        final long value = here.values.getLong(here.offset) + delta;
        if (!closed)
        {
            here.values.putLongRelease(here.offset, value);
        }
        return value;
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

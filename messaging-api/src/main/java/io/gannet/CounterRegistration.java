package io.gannet;

import io.gannet.control.CommandWriter;
import io.gannet.control.ControlFile;

/** An application's counter at the driver, from the add command on. */
final class CounterRegistration extends Registration
{
    private final int typeId;
    private final byte[] key;
    private final String label;
    private final MappedCounter counter;

    CounterRegistration(final ClientConductor conductor, final int typeId, final byte[] key, final String label)
    {
        super(conductor);
        this.typeId = typeId;
        this.key = key;
        this.label = label;
        counter = new MappedCounter(this, typeId, label);
    }

    /**
     * The driver allocated it.
     *
     * @throws GannetException if there can't be such a counter.
     */
    MappedCounter onReady(final ControlFile file, final int counterId)
    {
        if (counterId < 0 || counterId >= file.maxCounters())
        {
            throw new GannetException("the driver answered " + this + " with counter " + counterId + " of " +
                file.maxCounters());
        }
        counter.moveTo(file, counterId);
        return counter;
    }

    @Override
    boolean sendAdd(final CommandWriter out)
    {
        return out.addCounter(id(), id(), typeId, key, label, counter.get());
    }

    @Override
    boolean sendRemove(final CommandWriter out, final long correlationId)
    {
        return out.removeCounter(correlationId, id());
    }

    @Override
    void markClosed()
    {
        counter.markClosed();
    }

    @Override
    boolean tryRelease()
    {
        counter.markClosed();
        counter.detach();
        return true;
    }

    @Override
    void forceRelease()
    {
        tryRelease();
    }

    @Override
    public String toString()
    {
        return "counter " + label + " of type " + typeId;
    }
}

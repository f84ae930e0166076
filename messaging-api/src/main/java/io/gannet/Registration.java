package io.gannet;

import io.gannet.control.CommandWriter;
import io.gannet.control.ErrorCode;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * Something that a client has at its driver, under an id that stays the same when the driver is restarted. All but
 * {@link #close()} is for the conductor.
 */
abstract class Registration
{
    private final ClientConductor conductor;
    private final long id;
    private final AtomicBoolean closing = new AtomicBoolean();

    Registration(final ClientConductor conductor)
    {
        this.conductor = conductor;
        id = conductor.nextId();
    }

    final long id()
    {
        return id;
    }

    final ClientConductor conductor()
    {
        return conductor;
    }

    /** Encodes the command that adds this, with the id as correlation id. */
    abstract boolean sendAdd(CommandWriter out);

    /** Encodes the command that removes this. */
    abstract boolean sendRemove(CommandWriter out, long correlationId);

    /** Enters the gates that this had until it was released, which the driver was asked to remove. */
    void leave(final LeftGates gates, final long removal)
    {
    }

    /** Hands on what must follow the add under a restarted driver. */
    void resume(final Outbox outbox)
    {
    }

    /** The application has closed this, before the driver could say that it has ended. */
    void onClose()
    {
    }

    /** From now on the application's calls are refused. Any thread. */
    abstract void markClosed();

    /**
     * Gives memory back if no thread is or will be in it. Only after {@link #markClosed()}.
     *
     * @return false to be called again.
     */
    abstract boolean tryRelease();

    /** Takes the memory away from whoever is still in it, without harm to them. */
    abstract void forceRelease();

    /** Closes this from the application's side: any thread, once; the conductor does the rest. */
    final void close()
    {
        if (closing.compareAndSet(false, true))
        {
            markClosed();
            conductor.submit(() ->
            {
                onClose();
                conductor.registrations().release(this);
            });
        }
    }

    /** The driver ended this, or refused it after a restart. */
    final void end(final ErrorCode code, final String text)
    {
        if (closing.compareAndSet(false, true))
        {
            markClosed();
            conductor.registrations().release(this);
            conductor.report(new RegistrationException(code, this + " ended: " + text));
        }
    }

    /** Commands that wait for room in the ring. */
    @FunctionalInterface
    interface Outbox
    {
        void add(Predicate<CommandWriter> command);
    }
}

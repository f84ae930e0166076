package io.gannet.control;

import io.gannet.os.Errno;
import io.gannet.os.Futex;
import io.gannet.os.NamedPipe;
import io.gannet.os.OsException;
import java.lang.invoke.VarHandle;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Wakes a conductor that sleeps while its ring is empty. One sleeper; any number of ringers. The order of a sleep is
 * {@link #arm()}, poll everything once more, then {@link #sleep} or {@link #disarm()}; of a wake-up: write into the
 * ring, then {@link #ring()}. Both sides have a full fence between their store and their load, so that the sleeper sees
 * the message or the ringer sees the sleeper. Commands are rare; publications use the bell of their ring.
 * <p>
 * A file that was truncated is an {@link InternalError} to both sides, whoever finds it first: an access of theirs, or
 * the kernel that is to put a thread to sleep on the word.
 */
public final class Bell
{
    private static final int AWAKE = 0;
    private static final int SLEEPING = 1;
    private static final int POLLING = 2;

    private final MappedFile file;
    private final UnsafeBuffer buffer;
    private final int offset;
    private final NamedPipe pipe;

    /**
     * @param pipe that wakes a sleeper in poll(2); null if there is never one.
     */
    Bell(final MappedFile file, final int offset, final NamedPipe pipe)
    {
        this.file = file;
        this.offset = offset;
        this.pipe = pipe;
        buffer = file.buffer();
    }

    /** Announces a sleep. */
    public void arm()
    {
        buffer.putIntOpaque(offset, SLEEPING);
        VarHandle.fullFence();                  // pairs with the fence in ring()
    }

    /** Announces a sleep in poll(2), with the pipe among what is waited for. */
    public void armPipe()
    {
        buffer.putIntOpaque(offset, POLLING);
        VarHandle.fullFence();                  // pairs with the fence in ring()
    }

    /** Takes the announcement back. */
    public void disarm()
    {
        buffer.putIntOpaque(offset, AWAKE);
    }

    /**
     * Sleeps until the bell rings, at most so long, and takes the announcement back.
     *
     * @param timeoutNanos at least 0.
     */
    public void sleep(final long timeoutNanos)
    {
        try
        {
            Futex.await(file.address() + offset, SLEEPING, timeoutNanos);
        }
        catch (final OsException failure)
        {
            throw fault(failure);
        }
        disarm();
    }

    /** Wakes the sleeper if there is one. */
    public void ring()
    {
        VarHandle.fullFence();                  // pairs with the fence in arm()
        final int state = buffer.getIntOpaque(offset);
        if (state == SLEEPING && buffer.compareAndSetInt(offset, SLEEPING, AWAKE))
        {
            wake();
        }
        else if (state == POLLING && pipe != null && buffer.compareAndSetInt(offset, POLLING, AWAKE))
        {
            pipe.signal();
        }
    }

    private void wake()
    {
        try
        {
            Futex.wake(file.address() + offset, 1);
        }
        catch (final OsException failure)
        {
            throw fault(failure);
        }
    }

    /** Where there is no memory any more, the kernel says so where an access would be a fault. */
    private static RuntimeException fault(final OsException failure)
    {
        if (failure.errno() == Errno.EFAULT)
        {
            throw new InternalError("a bell's memory is gone: " + failure.getMessage(), failure);
        }
        return failure;
    }
}

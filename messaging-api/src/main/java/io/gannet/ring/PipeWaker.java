package io.gannet.ring;

import io.gannet.os.Futex;
import io.gannet.os.NamedPipe;

/**
 * Wakes sleepers on the futex, and a driver that sleeps in poll(2) by its pipe. Thread-safe.
 *
 * @param pipe of the driver's directory.
 */
public record PipeWaker(NamedPipe pipe) implements Bell.Waker
{
    @Override
    public void wake(final long bellAddress, final long waiters)
    {
        if ((waiters & Bell.WAITER_FUTEX) != 0)
        {
            Futex.wake(bellAddress, Integer.MAX_VALUE);
        }
        if ((waiters & Bell.WAITER_PIPE) != 0)
        {
            pipe.signal();
        }
    }
}

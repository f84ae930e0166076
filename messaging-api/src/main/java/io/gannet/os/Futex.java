package io.gannet.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Waiting on a 32-bit word of shared memory, across processes, futex(2). Thread-safe; doesn't allocate after a thread's
 * first wait.
 */
public final class Futex
{
    /** Words that one {@link #awaitAny(long[], int[], int, long)} takes. */
    public static final int MAX_WORDS = 128;

    private static final int FUTEX_WAIT = 0;
    private static final int FUTEX_WAKE = 1;
    private static final int FUTEX2_SIZE_U32 = 2;
    private static final int CLOCK_MONOTONIC = 1;
    private static final long NANOS = 1_000_000_000L;
    private static final int TIMESPEC_LENGTH = 16;
    private static final int WAITER_LENGTH = 24;

    /** A timespec, and behind it the waiters of futex_waitv: value, address, flags and reserved. */
    private static final ThreadLocal<MemorySegment> ARGUMENTS = ThreadLocal.withInitial(
        () -> Arena.ofAuto().allocate(TIMESPEC_LENGTH + MAX_WORDS * WAITER_LENGTH, 8));

    private Futex()
    {
    }

    /**
     * Sleeps until woken, if the word still has the value expected. May return early for no reason.
     *
     * @param timeoutNanos at least 0.
     * @return false if the time ran out.
     */
    public static boolean await(final long address, final int expected, final long timeoutNanos)
    {
        final MemorySegment timespec = ARGUMENTS.get();
        putTime(timespec, timeoutNanos);
        final long result = Syscall.call(
            SyscallNumber.FUTEX, address, FUTEX_WAIT, expected & 0xFFFF_FFFFL, timespec.address(), 0, 0);
        return accept(result);
    }

    /**
     * Sleeps until one of several words is woken, if all still have the values expected.
     *
     * @param count words to wait for, 1 to {@link #MAX_WORDS}.
     * @return false if the time ran out.
     * @throws OsException with ENOSYS before Linux 5.16.
     */
    public static boolean awaitAny(
        final long[] addresses, final int[] expected, final int count, final long timeoutNanos)
    {
        final MemorySegment arguments = ARGUMENTS.get();
        putTime(arguments, System.nanoTime() + timeoutNanos);
        for (int i = 0; i < count; i++)
        {
            final long waiter = TIMESPEC_LENGTH + (long) i * WAITER_LENGTH;
            arguments.set(ValueLayout.JAVA_LONG, waiter, expected[i] & 0xFFFF_FFFFL);
            arguments.set(ValueLayout.JAVA_LONG, waiter + 8, addresses[i]);
            arguments.set(ValueLayout.JAVA_LONG, waiter + 16, FUTEX2_SIZE_U32);
        }
        final long result = Syscall.call(
            SyscallNumber.FUTEX_WAITV, arguments.address() + TIMESPEC_LENGTH, count, 0, arguments.address(),
            CLOCK_MONOTONIC, 0);
        return accept(result);
    }

    /** Wakes up to {@code count} sleepers of the word; returns how many there were. */
    public static int wake(final long address, final int count)
    {
        return (int) OsException.check(
            Syscall.call(SyscallNumber.FUTEX, address, FUTEX_WAKE, count), "wake sleepers");
    }

    private static void putTime(final MemorySegment timespec, final long nanos)
    {
        timespec.set(ValueLayout.JAVA_LONG, 0, nanos / NANOS);
        timespec.set(ValueLayout.JAVA_LONG, 8, nanos % NANOS);
    }

    private static boolean accept(final long result)
    {
        if (result == -Errno.ETIMEDOUT)
        {
            return false;
        }
        if (result != -Errno.EAGAIN && result != -Errno.EINTR)
        {
            OsException.check(result, "wait for a bell");
        }
        return true;
    }
}

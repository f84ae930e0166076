package io.gannet.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Waiting on a 32-bit word of shared memory, across processes, futex(2). Thread-safe; doesn't allocate after a thread's
 * first wait and the first few hundred of a JVM, unless a signal or a change of the word forestalls a sleep.
 */
public final class Futex
{
    /** Words that one {@link #awaitAny(long[], int[], int, long)} takes. */
    public static final int MAX_WORDS = 128;

    private static final int FUTEX_WAKE = 1;
    /** Unlike FUTEX_WAIT it takes a point in time, of CLOCK_MONOTONIC. */
    private static final int FUTEX_WAIT_BITSET = 9;
    private static final long ANY_BIT = 0xFFFF_FFFFL;
    private static final int FUTEX2_SIZE_U32 = 2;
    private static final int CLOCK_MONOTONIC = 1;
    private static final long NANOS = 1_000_000_000L;
    /** Some 146 years, so that no sum overflows. */
    private static final long LONGEST = Long.MAX_VALUE / 2;
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
        final MemorySegment arguments = ARGUMENTS.get();
        final long deadline = putDeadline(arguments, timeoutNanos);
        return sleep(SyscallNumber.FUTEX, address, FUTEX_WAIT_BITSET, expected & 0xFFFF_FFFFL, arguments.address(), 0,
            ANY_BIT, deadline);
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
        final long deadline = putDeadline(arguments, timeoutNanos);
        for (int i = 0; i < count; i++)
        {
            final long waiter = TIMESPEC_LENGTH + (long) i * WAITER_LENGTH;
            arguments.set(ValueLayout.JAVA_LONG, waiter, expected[i] & 0xFFFF_FFFFL);
            arguments.set(ValueLayout.JAVA_LONG, waiter + 8, addresses[i]);
            arguments.set(ValueLayout.JAVA_LONG, waiter + 16, FUTEX2_SIZE_U32);
        }
        return sleep(SyscallNumber.FUTEX_WAITV, arguments.address() + TIMESPEC_LENGTH, count, 0, arguments.address(),
            CLOCK_MONOTONIC, 0, deadline);
    }

    /** Wakes up to {@code count} sleepers of the word; returns how many there were. */
    public static int wake(final long address, final int count)
    {
        return (int) OsException.check(
            Syscall.repeatable(SyscallNumber.FUTEX, address, FUTEX_WAKE, count), "wake sleepers");
    }

    /**
     * Whether there is memory behind a word: none, if the file that is mapped there was truncated. Unlike an access,
     * the question can't fault. Nobody may sleep on the word.
     */
    public static boolean isBacked(final long address)
    {
        return Syscall.repeatable(SyscallNumber.FUTEX, address, FUTEX_WAKE, 1) != -Errno.EFAULT;
    }

    /** Linux's System.nanoTime() is CLOCK_MONOTONIC. */
    private static long putDeadline(final MemorySegment timespec, final long timeoutNanos)
    {
        final long deadline = System.nanoTime() + Math.min(timeoutNanos, LONGEST);
        timespec.set(ValueLayout.JAVA_LONG, 0, deadline / NANOS);
        timespec.set(ValueLayout.JAVA_LONG, 8, deadline % NANOS);
        return deadline;
    }

    /** A call that failed for another reason than the time is made again, to learn which; it has the same deadline. */
    private static boolean sleep(
        final long number,
        final long a,
        final long b,
        final long c,
        final long d,
        final long e,
        final long f,
        final long deadline)
    {
        if (Syscall.plain(number, a, b, c, d, e, f) >= 0)
        {
            return true;
        }
        if (System.nanoTime() - deadline >= 0)
        {
            return false;
        }
        final long result = Syscall.call(number, a, b, c, d, e, f);
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

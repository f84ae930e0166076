package io.gannet.os;

/**
 * A memory fence put into every running thread of every registered process, membarrier(2) GLOBAL_EXPEDITED. It lets a
 * rare slow side fence for a frequent hot side, which then needs no fence of its own. Thread-safe.
 */
public final class Membarrier
{
    private static final int QUERY = 0;
    private static final int GLOBAL_EXPEDITED = 1 << 1;
    private static final int REGISTER_GLOBAL_EXPEDITED = 1 << 2;

    private Membarrier()
    {
    }

    /** Whether the kernel has it. Asks each time. */
    public static boolean isSupported()
    {
        final long commands = Syscall.call(SyscallNumber.MEMBARRIER, QUERY, 0, 0);
        final int needed = GLOBAL_EXPEDITED | REGISTER_GLOBAL_EXPEDITED;
        return commands > 0 && (commands & needed) == needed;
    }

    /** Makes this process's threads take part; without it others' fences don't reach them. Repeatable. */
    public static void register()
    {
        OsException.check(
            Syscall.call(SyscallNumber.MEMBARRIER, REGISTER_GLOBAL_EXPEDITED, 0, 0), "register for membarrier");
    }

    /** Fences all threads of all registered processes; microseconds. */
    public static void fence()
    {
        OsException.check(
            Syscall.repeatable(SyscallNumber.MEMBARRIER, GLOBAL_EXPEDITED, 0, 0), "fence by membarrier");
    }
}

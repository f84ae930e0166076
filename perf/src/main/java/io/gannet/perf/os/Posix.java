package io.gannet.perf.os;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The few calls by which the rig places its threads and ends its children. A call that the system refuses returns
 * false: a measurement without it is less precise, and the report says so.
 */
public final class Posix
{
    /** Signal that stops a process. */
    public static final int SIGSTOP = 19;
    /** Signal that lets a stopped process go on. */
    public static final int SIGCONT = 18;

    /** Before any thread is bound, which changes what the virtual machine says. */
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    private static final int SIGKILL = 9;
    private static final int PR_SET_PDEATHSIG = 1;
    private static final int PR_SET_TIMERSLACK = 29;
    private static final int SCHED_OTHER = 0;
    private static final int SCHED_FIFO = 1;

    private static final MethodHandle KILL = handle("kill", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    private static final MethodHandle SET_AFFINITY =
        handle("sched_setaffinity", ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS);
    private static final MethodHandle SET_SCHEDULER =
        handle("sched_setscheduler", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS);
    private static final MethodHandle PRCTL = handle("prctl", ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG,
        ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);

    private Posix()
    {
    }

    /** Sends a signal; false if there is no such process. */
    public static boolean signal(final long pid, final int signal)
    {
        return call(KILL, (int) pid, signal) == 0;
    }

    /** Binds the calling thread to one processor, or to the first {@code -cpu} processors where negative. */
    public static boolean pin(final int cpu)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment mask = arena.allocate(128, 8);
            if (cpu >= 0)
            {
                setBit(mask, cpu);
            }
            for (int i = 0; i < -cpu; i++)
            {
                setBit(mask, i);
            }
            return call(SET_AFFINITY, 0, 128L, mask) == 0;
        }
    }

    /**
     * Binds threads of this process by the start of their names, of which the kernel keeps 15 characters.
     *
     * @return how many were found and bound.
     */
    public static int pinThreads(final String start, final int cpu) throws IOException
    {
        int bound = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"));
            Arena arena = Arena.ofConfined())
        {
            final MemorySegment mask = arena.allocate(128, 8);
            setBit(mask, cpu);
            for (final Path thread : threads)
            {
                if (Files.readString(thread.resolve("comm")).startsWith(start) &&
                    call(SET_AFFINITY, Integer.parseInt(thread.getFileName().toString()), 128L, mask) == 0)
                {
                    bound++;
                }
            }
        }
        return bound;
    }

    /**
     * Binds the calling thread, and those that it will start, to one half of the processors, as if they were a host of
     * their own.
     *
     * @param second whether to the second half.
     */
    public static boolean pinToHalf(final boolean second)
    {
        final int half = PROCESSORS / 2;
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment mask = arena.allocate(128, 8);
            for (int i = second ? half : 0; i < (second ? PROCESSORS : half); i++)
            {
                setBit(mask, i);
            }
            return half > 0 && call(SET_AFFINITY, 0, 128L, mask) == 0;
        }
    }

    /**
     * Gives a thread the first-in-first-out class with a priority, or the normal class with priority 0.
     *
     * @param threadId kernel's thread id, 0 for the calling thread.
     */
    public static boolean realTime(final int threadId, final int priority)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment parameter = arena.allocateFrom(ValueLayout.JAVA_INT, priority);
            return call(SET_SCHEDULER, threadId, priority == 0 ? SCHED_OTHER : SCHED_FIFO, parameter) == 0;
        }
    }

    /** Has the kernel kill this process when the thread that started it ends, even if this process is stopped then. */
    public static boolean dieWithParent()
    {
        return call(PRCTL, PR_SET_PDEATHSIG, (long) SIGKILL, 0L, 0L, 0L) == 0;
    }

    /** Makes timed waits of the calling thread end within a microsecond of their time. */
    public static boolean preciseTimers()
    {
        return call(PRCTL, PR_SET_TIMERSLACK, 1_000L, 0L, 0L, 0L) == 0;
    }

    private static void setBit(final MemorySegment mask, final int bit)
    {
        final int index = bit / 8;
        final int value = mask.get(ValueLayout.JAVA_BYTE, index) | 1 << bit % 8;
        mask.set(ValueLayout.JAVA_BYTE, index, (byte) value);
    }

    private static int call(final MethodHandle handle, final Object... arguments)
    {
        if (handle == null)
        {
            return -1;
        }
        try
        {
            return (int) handle.invokeWithArguments(arguments);
        }
        catch (final Throwable e)
        {
            throw new IllegalStateException("system call failed", e);
        }
    }

    private static MethodHandle handle(final String name, final MemoryLayout... arguments)
    {
        final Linker linker = Linker.nativeLinker();
        return linker.defaultLookup().find(name)
            .map(address -> linker.downcallHandle(address, FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments)))
            .orElse(null);
    }
}

package io.gannet.os;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Identity of processes and threads. Only for messages and counters: liveness is a lock's business. Thread-safe. */
public final class Processes
{
    private static final int START_TIME_FIELD = 22;
    private static final int FIRST_FIELD_AFTER_NAME = 3;

    private Processes()
    {
    }

    /** This process's id in its own pid name space. */
    public static int pid()
    {
        return (int) Syscall.call(SyscallNumber.GETPID, 0, 0, 0);
    }

    /** The calling thread's id as the kernel knows it. */
    public static int threadId()
    {
        return (int) Syscall.call(SyscallNumber.GETTID, 0, 0, 0);
    }

    /**
     * When a process was started, in kernel ticks since boot; with the pid it names a process for ever.
     *
     * @return -1 if there is no such process in sight.
     */
    public static long startTime(final int pid)
    {
        return statField(pid, START_TIME_FIELD, -1L);
    }

    /** Whether a process is stopped, by SIGSTOP or a debugger. */
    public static boolean isStopped(final int pid)
    {
        final String stat = stat(pid);
        final int name = stat.lastIndexOf(')');
        return name >= 0 && stat.length() > name + 2 && "Tt".indexOf(stat.charAt(name + 2)) >= 0;
    }

    private static long statField(final int pid, final int field, final long otherwise)
    {
        final String stat = stat(pid);
        final int name = stat.lastIndexOf(')');
        if (name < 0)
        {
            return otherwise;
        }
        final String[] fields = stat.substring(name + 1).strip().split(" ", -1);
        final int index = field - FIRST_FIELD_AFTER_NAME;
        return index < fields.length ? Long.parseLong(fields[index]) : otherwise;
    }

    private static String stat(final int pid)
    {
        try
        {
            return new String(Files.readAllBytes(Path.of("/proc/" + pid + "/stat")), StandardCharsets.UTF_8);
        }
        catch (final IOException ex)
        {
            return "";
        }
    }
}

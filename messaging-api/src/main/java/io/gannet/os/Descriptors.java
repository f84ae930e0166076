package io.gannet.os;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * File descriptors of this process. A JVM that has none left can't load classes either, and what fails then stays
 * broken: whoever opens many keeps clear of the limit.
 */
public final class Descriptors
{
    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 0x800;
    private static final int O_RDWR = 2;
    private static final int O_CLOEXEC = 0x80000;
    private static final int AT_FDCWD = -100;
    private static final String NULL_DEVICE = "/dev/null";
    private static final Path OPEN = Path.of("/proc/self/fd");
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String LIMIT = "Max open files";

    private Descriptors()
    {
    }

    /** How many are open now. Takes some microseconds for each. */
    public static int open()
    {
        final String[] names = OPEN.toFile().list();
        return names == null ? Integer.MAX_VALUE : names.length;
    }

    /** How many there can be, {@link Integer#MAX_VALUE} if that is not limited or not known. */
    public static int limit()
    {
        try
        {
            for (final String line : Files.readAllLines(LIMITS))
            {
                if (line.startsWith(LIMIT))
                {
                    final String soft = line.substring(LIMIT.length()).strip().split("\\s+", 2)[0];
                    return "unlimited".equals(soft) ? Integer.MAX_VALUE :
                        (int) Math.min(Integer.MAX_VALUE, Long.parseLong(soft));
                }
            }
        }
        catch (final IOException | NumberFormatException unknown)
        {
            return Integer.MAX_VALUE;
        }
        return Integer.MAX_VALUE;
    }

    /**
     * Makes reads that find nothing return at once, for a descriptor that a library opened.
     *
     * @throws OsException if it is not open.
     */
    public static void setNonBlocking(final int descriptor)
    {
        final long flags = OsException.check(
            Syscall.call(SyscallNumber.FCNTL, descriptor, F_GETFL, 0), "ask for the flags of descriptor " + descriptor);
        OsException.check(
            Syscall.call(SyscallNumber.FCNTL, descriptor, F_SETFL, flags | O_NONBLOCK),
            "set the flags of descriptor " + descriptor);
    }

    /**
     * Closes what a library has open, so that nothing of it is left, while the library keeps the number: that is
     * {@code /dev/null} from now on, until the library closes it.
     *
     * @throws OsException if that is not possible.
     */
    public static void closeBehind(final int descriptor)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final long nothing = OsException.check(
                Syscall.call(SyscallNumber.OPENAT, AT_FDCWD, arena.allocateFrom(NULL_DEVICE).address(),
                    O_RDWR | O_CLOEXEC), "open " + NULL_DEVICE);
            try
            {
                OsException.check(Syscall.call(SyscallNumber.DUP3, nothing, descriptor, O_CLOEXEC),
                    "close what is behind descriptor " + descriptor);
            }
            finally
            {
                Syscall.call(SyscallNumber.CLOSE, nothing, 0, 0);
            }
        }
    }
}

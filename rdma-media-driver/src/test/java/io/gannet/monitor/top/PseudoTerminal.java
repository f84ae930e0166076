package io.gannet.monitor.top;

import io.gannet.harness.Await;
import io.gannet.harness.TestProcess;
import io.gannet.os.Syscall;
import io.gannet.os.SyscallNumber;
import io.gannet.os.Terminal;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A terminal that a program runs on and a test looks at: pty(7), with {@link TerminalScreen} behind it. The program is
 * the leader of a session of its own, so that Ctrl-C reaches it.
 */
final class PseudoTerminal implements AutoCloseable
{
    private static final long TIOCSPTLCK = 0x40045431L;
    private static final long TIOCGPTN = 0x80045430L;
    private static final long TIOCSWINSZ = 0x5414;
    private static final int AT_FDCWD = -100;
    private static final int O_RDWR = 2;
    private static final int O_NOCTTY = 0x100;
    private static final int O_CLOEXEC = 0x80000;

    private final int master;
    private final int slave;
    private final File name;
    private final TerminalScreen screen;
    private final Thread reader;
    private volatile boolean frozen;
    private Process process;

    PseudoTerminal(final int columns, final int rows)
    {
        master = open("/dev/ptmx");
        ioctlInt(TIOCSPTLCK, 0);
        name = new File("/dev/pts/" + ioctlInt(TIOCGPTN, 0));
        // Open as long as the test looks, so that what the program has set can be seen when it is gone.
        slave = open(name.getPath());
        screen = new TerminalScreen(columns, rows);
        resize(columns, rows);
        reader = Thread.ofPlatform().daemon(true).name("pseudo-terminal").start(this::read);
    }

    private static int open(final String path)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final long opened = Syscall.call(SyscallNumber.OPENAT, AT_FDCWD, arena.allocateFrom(path).address(),
                O_RDWR | O_NOCTTY | O_CLOEXEC);
            if (opened < 0)
            {
                throw new AssertionError(path + ": error " + -opened);
            }
            return (int) opened;
        }
    }

    private int ioctlInt(final long request, final int value)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment argument = arena.allocateFrom(ValueLayout.JAVA_INT, value);
            if (Syscall.call(SyscallNumber.IOCTL, master, request, argument.address()) < 0)
            {
                throw new AssertionError("ioctl " + request);
            }
            return argument.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /** Takes nothing any more, as if the line to it was cut, until it is closed. */
    void freeze()
    {
        frozen = true;
    }

    /** Changes the size, which the program is to notice. */
    void resize(final int columns, final int rows)
    {
        screen.resize(columns, rows);
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment size = arena.allocateFrom(
                ValueLayout.JAVA_SHORT, (short) rows, (short) columns, (short) 0, (short) 0);
            Syscall.call(SyscallNumber.IOCTL, master, TIOCSWINSZ, size.address());
        }
    }

    /** Runs {@code gannet} with arguments on it. */
    void start(final Map<String, String> environment, final String... arguments) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of("setsid", "--ctty", "env", "--default-signal=INT",
            System.getProperty("java.home") + "/bin/java", "--add-exports",
            "java.base/jdk.internal.misc=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC",
            "-XX:-UsePerfData", "-XX:TieredStopAtLevel=1", "-Xmx128m", "-cp", TestProcess.ownClassPath(),
            "io.gannet.cli.Main"));
        command.addAll(List.of(arguments));
        final ProcessBuilder builder = new ProcessBuilder(command).redirectInput(name)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(name))
            .redirectError(ProcessBuilder.Redirect.appendTo(name));
        builder.environment().keySet().removeIf(key -> key.startsWith("GANNET_") || key.startsWith("LC_"));
        builder.environment().remove("NO_COLOR");
        builder.environment().putAll(Map.of("TERM", "xterm-256color", "LANG", "C.UTF-8"));
        builder.environment().putAll(environment);
        process = builder.start();
    }

    TerminalScreen screen()
    {
        return screen;
    }

    Process process()
    {
        return process;
    }

    /** Modes that it has now. */
    Terminal.Modes modes()
    {
        return new Terminal(slave).modes();
    }

    void type(final String keys)
    {
        final byte[] bytes = keys.getBytes(StandardCharsets.UTF_8);
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment typed = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
            if (Syscall.call(SyscallNumber.WRITE, master, typed.address(), bytes.length) != bytes.length)
            {
                throw new AssertionError("can't type");
            }
        }
    }

    /** Waits for the program's end; its exit code. */
    int awaitEnd()
    {
        Await.until("the program to end; it shows\n" + screen, () -> !process.isAlive());
        return process.exitValue();
    }

    private void read()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment chunk = arena.allocate(4096);
            while (true)
            {
                while (frozen)
                {
                    LockSupport.parkNanos(1_000_000);
                }
                final long length = Syscall.call(SyscallNumber.READ, master, chunk.address(), chunk.byteSize());
                if (length <= 0)
                {
                    return;
                }
                screen.feed(chunk.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
            }
        }
    }

    @Override
    public void close()
    {
        if (process != null)
        {
            process.destroyForcibly();
            Await.until("the program's end", () -> !process.isAlive());
        }
        frozen = false;
        // The reader gets an end when nobody has the other side any more.
        Syscall.call(SyscallNumber.CLOSE, slave, 0, 0);
        Await.until("the reader's end", () -> !reader.isAlive());
        Syscall.call(SyscallNumber.CLOSE, master, 0, 0);
    }
}

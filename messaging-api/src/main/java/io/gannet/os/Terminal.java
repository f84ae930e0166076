package io.gannet.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The modes and the size of the terminal at a file descriptor, ioctl_tty(2). Modes are the kernel's structure:
 * <pre>
 *  0       4       8         12      16     17
 *  +-------+-------+---------+-------+------+---------------------+
 *  | input | output| control | local | line | control characters  |
 *  +-------+-------+---------+-------+------+---------------------+
 * </pre>
 * Thread-safe.
 */
public final class Terminal
{
    private static final long TCGETS = 0x5401;
    private static final long TCSETS = 0x5402;
    private static final long TIOCGWINSZ = 0x5413;
    private static final int LENGTH = 36;
    /** What the structure may grow to. */
    private static final int ROOM = 256;
    private static final int INPUT = 0;
    private static final int LOCAL = 12;
    private static final int CHARACTERS = 17;
    private static final int VTIME = 5;
    private static final int VMIN = 6;
    private static final int VSUSP = 10;
    private static final int IXON = 0x400;
    private static final int ICANON = 2;
    private static final int ECHO = 8;
    private static final int IEXTEN = 0x8000;

    private final int descriptor;

    /** Modes of a terminal, to be given back. */
    public static final class Modes
    {
        private final byte[] bytes;

        private Modes(final byte[] bytes)
        {
            this.bytes = bytes;
        }

        @Override
        public boolean equals(final Object other)
        {
            return other instanceof final Modes modes && Arrays.equals(bytes, modes.bytes);
        }

        @Override
        public int hashCode()
        {
            return Arrays.hashCode(bytes);
        }

        @Override
        public String toString()
        {
            return HexFormat.of().formatHex(bytes);
        }
    }

    /**
     * @param descriptor open as long as this is used.
     */
    public Terminal(final int descriptor)
    {
        this.descriptor = descriptor;
    }

    /** {@return the modes that it has; null if the descriptor is no terminal} */
    public Modes modes()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment termios = arena.allocate(ROOM, Long.BYTES);
            return ioctl(TCGETS, termios) < 0 ? null :
                new Modes(termios.asSlice(0, LENGTH).toArray(ValueLayout.JAVA_BYTE));
        }
    }

    /** Sets modes that {@link #modes} gave; without effect if the terminal is gone. */
    public void restore(final Modes modes)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment termios = arena.allocate(ROOM, Long.BYTES);
            MemorySegment.copy(modes.bytes, 0, termios, ValueLayout.JAVA_BYTE, 0, LENGTH);
            ioctl(TCSETS, termios);
        }
    }

    /**
     * Gives keys one by one as they are typed, and does not show them. Ctrl-C goes on to interrupt; Ctrl-Z, Ctrl-S and
     * Ctrl-V are keys like others.
     *
     * @param modes that it has.
     */
    public void setRaw(final Modes modes)
    {
        final byte[] raw = modes.bytes.clone();
        final MemorySegment termios = MemorySegment.ofArray(raw);
        final ValueLayout.OfInt flags = ValueLayout.JAVA_INT_UNALIGNED;
        termios.set(flags, INPUT, termios.get(flags, INPUT) & ~IXON);
        termios.set(flags, LOCAL, termios.get(flags, LOCAL) & ~(ICANON | ECHO | IEXTEN));
        raw[CHARACTERS + VMIN] = 1;
        raw[CHARACTERS + VTIME] = 0;
        raw[CHARACTERS + VSUSP] = 0;
        restore(new Modes(raw));
    }

    /** {@return rows << 16 | columns; 0 if that isn't known} */
    public int size()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment window = arena.allocate(Long.BYTES, Long.BYTES);
            return ioctl(TIOCGWINSZ, window) < 0 ? 0 :
                (window.get(ValueLayout.JAVA_SHORT, 0) << 16) | (window.get(ValueLayout.JAVA_SHORT, 2) & 0xFFFF);
        }
    }

    private long ioctl(final long request, final MemorySegment argument)
    {
        return Syscall.restarting(SyscallNumber.IOCTL, descriptor, request, argument.address());
    }
}

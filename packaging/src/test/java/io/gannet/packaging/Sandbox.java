package io.gannet.packaging;

import io.gannet.os.Syscall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Becomes another program that may only make some system calls, as systemd does it for a unit with
 * {@code SystemCallFilter=}, {@code SystemCallErrorNumber=EPERM} and {@code RestrictSUIDSGID=yes}: a filter of
 * seccomp(2). For x86-64.
 * <p>
 * Arguments: a file with the numbers of the calls, then the program's path and its arguments.
 */
public final class Sandbox
{
    private static final int EXECVE = 59;
    private static final int PRCTL = 157;
    private static final int PR_SET_SECCOMP = 22;
    private static final int PR_SET_NO_NEW_PRIVS = 38;
    private static final int SECCOMP_MODE_FILTER = 2;
    /** chmod, fchmod and fchmodat, with the argument that is the mode. */
    private static final int[][] MODES = {{90, 1}, {91, 1}, {268, 2}};
    private static final int SET_ID_BITS = 06000;

    private static final int LOAD = 0x20;
    private static final int JUMP_IF_EQUAL = 0x15;
    private static final int JUMP_IF_SET = 0x45;
    private static final int RETURN = 0x06;
    private static final int ALLOW = 0x7FFF_0000;
    private static final int PERMISSION_DENIED = 0x0005_0001;
    /** Of the first argument in struct seccomp_data. */
    private static final int ARGUMENTS = 16;
    private static final int INSTRUCTION = 8;

    private final List<long[]> program = new ArrayList<>();

    private Sandbox()
    {
    }

    public static void main(final String[] arguments) throws IOException
    {
        final int[] allowed = Files.readAllLines(Path.of(arguments[0])).stream().mapToInt(Integer::parseInt).toArray();
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment filter = new Sandbox().filter(arena, allowed);
            check(Syscall.call(PRCTL, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0), "no new privileges");
            check(Syscall.call(PRCTL, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter.address(), 0, 0, 0), "the filter");
            final String[] command = Arrays.copyOfRange(arguments, 1, arguments.length);
            check(Syscall.call(EXECVE, arena.allocateFrom(command[0]).address(), strings(arena, List.of(command)),
                strings(arena, System.getenv().entrySet().stream().map(Object::toString).toList())), command[0]);
        }
    }

    private static void check(final long result, final String what)
    {
        if (result < 0)
        {
            throw new IllegalStateException(what + ": errno " + -result);
        }
    }

    private static long strings(final Arena arena, final List<String> texts)
    {
        final MemorySegment array = arena.allocate(ValueLayout.JAVA_LONG, texts.size() + 1);
        for (int i = 0; i < texts.size(); i++)
        {
            array.setAtIndex(ValueLayout.JAVA_LONG, i, arena.allocateFrom(texts.get(i)).address());
        }
        return array.address();
    }

    private MemorySegment filter(final Arena arena, final int... allowed)
    {
        for (final int[] call : MODES)
        {
            add(LOAD, 0, 0, 0);
            add(JUMP_IF_EQUAL, 0, 3, call[0]);
            add(LOAD, 0, 0, ARGUMENTS + call[1] * Long.BYTES);
            add(JUMP_IF_SET, 0, 1, SET_ID_BITS);
            add(RETURN, 0, 0, PERMISSION_DENIED);
        }
        add(LOAD, 0, 0, 0);
        for (final int call : allowed)
        {
            add(JUMP_IF_EQUAL, 0, 1, call);
            add(RETURN, 0, 0, ALLOW);
        }
        add(RETURN, 0, 0, PERMISSION_DENIED);

        final MemorySegment code = arena.allocate((long) program.size() * INSTRUCTION, Long.BYTES);
        for (int i = 0; i < program.size(); i++)
        {
            code.setAtIndex(ValueLayout.JAVA_LONG, i, program.get(i)[0]);
        }
        final MemorySegment filter = arena.allocate(2 * Long.BYTES, Long.BYTES);
        filter.set(ValueLayout.JAVA_SHORT, 0, (short) program.size());
        filter.set(ValueLayout.JAVA_LONG, Long.BYTES, code.address());
        return filter;
    }

    /** Code, jumps and operand in one word, little-endian. */
    private void add(final int code, final int ifTrue, final int ifFalse, final int operand)
    {
        program.add(new long[] {code | (long) ifTrue << 16 | (long) ifFalse << 24 | (long) operand << 32});
    }
}

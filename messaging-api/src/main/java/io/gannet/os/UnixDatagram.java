package io.gannet.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * A non-blocking datagram socket of the Unix domain, which the JDK has for streams only. A name that starts with
 * {@code @} is in the abstract name space. Thread-safe but for {@link #close()}.
 * <pre>
 * sockaddr_un  0 family  2 path, up to 108 bytes; abstract: a NUL, then the name without one
 * </pre>
 */
public final class UnixDatagram implements AutoCloseable
{
    /** Longest name, see unix(7). */
    public static final int MAX_NAME = 107;

    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM_NONBLOCK_CLOEXEC = 2 | 0x800 | 0x80000;
    private static final int PATH = 2;

    private final int descriptor;
    private boolean open = true;

    private UnixDatagram()
    {
        descriptor = (int) OsException.check(
            Syscall.call(SyscallNumber.SOCKET, AF_UNIX, SOCK_DGRAM_NONBLOCK_CLOEXEC, 0),
            "make a datagram socket of the Unix domain");
    }

    /** Opens a socket that has no name, to send from. */
    public static UnixDatagram open()
    {
        return new UnixDatagram();
    }

    /**
     * Opens a socket to receive from.
     *
     * @param name a path that isn't there yet and stays when the socket is closed, or an abstract name.
     * @throws IllegalArgumentException if the name is empty or too long.
     */
    public static UnixDatagram bind(final String name)
    {
        final UnixDatagram socket = new UnixDatagram();
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment address = address(name, arena);
            OsException.check(Syscall.call(
                SyscallNumber.BIND, socket.descriptor, address.address(), address.byteSize()), "bind " + name);
        }
        catch (final RuntimeException failure)
        {
            socket.close();
            throw failure;
        }
        return socket;
    }

    /**
     * Sends one datagram.
     *
     * @return bytes sent, or a negative errno: nobody is there, or has room.
     * @throws IllegalArgumentException if the name is empty or too long.
     */
    public int sendTo(final String name, final byte[] bytes)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment address = address(name, arena);
            final MemorySegment data = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
            return (int) Syscall.call(SyscallNumber.SENDTO, descriptor, data.address(), bytes.length, 0,
                address.address(), address.byteSize());
        }
    }

    /**
     * Receives one datagram.
     *
     * @param most bytes of it; the rest is lost.
     * @return its bytes, or null if there is none.
     */
    public byte[] receive(final int most)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment data = arena.allocate(most);
            final long length = Syscall.call(SyscallNumber.READ, descriptor, data.address(), most);
            if (length == -Errno.EAGAIN)
            {
                return null;
            }
            OsException.check(length, "receive from a datagram socket");
            return data.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private static MemorySegment address(final String name, final Arena arena)
    {
        final byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || bytes.length > MAX_NAME)
        {
            throw new IllegalArgumentException("a socket's name has 1 to " + MAX_NAME + " bytes, '" + name + "' has " +
                bytes.length);
        }
        final boolean hidden = bytes[0] == '@';
        if (hidden)
        {
            bytes[0] = 0;
        }
        // A path ends with a NUL, an abstract name by its length.
        final MemorySegment address = arena.allocate(PATH + bytes.length + (hidden ? 0 : 1), Long.BYTES);
        address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
        MemorySegment.copy(bytes, 0, address, ValueLayout.JAVA_BYTE, PATH, bytes.length);
        return address;
    }

    @Override
    public void close()
    {
        if (open)
        {
            open = false;
            Syscall.call(SyscallNumber.CLOSE, descriptor, 0, 0);
        }
    }
}

package io.gannet.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.InetAddress;

/**
 * A non-blocking UDP socket, bound to one address and not connected. Its datagrams leave with "don't fragment" set.
 * Messages are described in native memory by {@link SocketMessages}. Sending and receiving may happen on different
 * threads, each on one.
 */
public final class UdpSocket implements AutoCloseable
{
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int SOCK_DGRAM_NONBLOCK_CLOEXEC = 2 | 0x800 | 0x80000;
    private static final int SOL_IP = 0;
    private static final int SOL_SOCKET = 1;
    private static final int SOL_UDP = 17;
    private static final int SOL_IPV6 = 41;
    private static final int SO_SNDBUF = 7;
    private static final int SO_RCVBUF = 8;
    private static final int IP_TOS = 1;
    private static final int IP_MTU_DISCOVER = 10;
    private static final int IP_RECVTOS = 13;
    private static final int IPV6_MTU_DISCOVER = 23;
    private static final int IPV6_V6ONLY = 26;
    private static final int IPV6_RECVTCLASS = 66;
    private static final int IPV6_TCLASS = 67;
    private static final int PMTUDISC_DO = 2;
    private static final int UDP_NO_CHECK6_RX = 102;
    private static final int UDP_GRO = 104;

    private final String name;
    private final boolean ipv6;
    private final int descriptor;
    private boolean open = true;

    private UdpSocket(final String name, final boolean ipv6, final int descriptor)
    {
        this.name = name;
        this.ipv6 = ipv6;
        this.descriptor = descriptor;
    }

    /**
     * Opens a socket and binds it.
     *
     * @param port 0 takes a free one.
     * @throws OsException with the address and, if it is taken, the remedy.
     */
    public static UdpSocket bind(final InetAddress address, final int port)
    {
        final boolean ipv6 = !(address instanceof Inet4Address);
        final String name = address.getHostAddress() + ':' + port;
        final int descriptor = (int) OsException.check(
            Syscall.call(SyscallNumber.SOCKET, ipv6 ? AF_INET6 : AF_INET, SOCK_DGRAM_NONBLOCK_CLOEXEC, 0),
            "make a UDP socket");
        final UdpSocket socket = new UdpSocket(name, ipv6, descriptor);
        try (Arena arena = Arena.ofConfined())
        {
            socket.option(ipv6 ? SOL_IPV6 : SOL_IP, ipv6 ? IPV6_MTU_DISCOVER : IP_MTU_DISCOVER, PMTUDISC_DO);
            if (ipv6)
            {
                socket.option(SOL_IPV6, IPV6_V6ONLY, 1);
            }
            final MemorySegment socketAddress = arena.allocate(SocketMessages.ADDRESS_SIZE, Long.BYTES);
            final int length = SocketMessages.writeAddress(socketAddress.address(), address, port);
            OsException.check(
                Syscall.call(SyscallNumber.BIND, descriptor, socketAddress.address(), length),
                "bind UDP " + name,
                "Another process may use it: name another address, such as another one of 127.0.0.0/8");
        }
        catch (final OsException e)
        {
            socket.close();
            throw e;
        }
        return socket;
    }

    /** The file descriptor, for poll(2). */
    public int descriptor()
    {
        return descriptor;
    }

    /** The port that the socket is bound to. */
    public int localPort()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment address = arena.allocate(SocketMessages.ADDRESS_SIZE, Long.BYTES);
            final MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
            length.set(ValueLayout.JAVA_INT, 0, SocketMessages.ADDRESS_SIZE);
            OsException.check(
                Syscall.call(SyscallNumber.GETSOCKNAME, descriptor, address.address(), length.address()),
                "ask for the port of " + name);
            return SocketMessages.port(address.address());
        }
    }

    /** Asks for buffers of that many bytes; the kernel cuts them to net.core.wmem_max and rmem_max. */
    public void bufferSizes(final int send, final int receive)
    {
        option(SOL_SOCKET, SO_SNDBUF, send);
        option(SOL_SOCKET, SO_RCVBUF, receive);
    }

    /**
     * Asks the kernel to hand over datagrams of one sender and size together.
     *
     * @return false if the kernel (before 5.0) can't.
     */
    public boolean coalesceReceived()
    {
        return tryOption(SOL_UDP, UDP_GRO, 1);
    }

    /** Asks for the traffic class of received datagrams. */
    public void reportTrafficClass()
    {
        option(ipv6 ? SOL_IPV6 : SOL_IP, ipv6 ? IPV6_RECVTCLASS : IP_RECVTOS, 1);
    }

    /** Sets the traffic class (DSCP and ECN bits) of datagrams that are sent without one of their own. */
    public void trafficClass(final int value)
    {
        option(ipv6 ? SOL_IPV6 : SOL_IP, ipv6 ? IPV6_TCLASS : IP_TOS, value);
    }

    /** Takes IPv6 datagrams without checksum too, as IPv4 always does; for protocols with their own. */
    public void acceptWithoutChecksum()
    {
        if (ipv6)
        {
            option(SOL_UDP, UDP_NO_CHECK6_RX, 1);
        }
    }

    /**
     * Sends the first {@code count} messages of an array, see sendmmsg(2).
     *
     * @return messages sent, or a negative errno if the first could not be.
     */
    public int send(final SocketMessages messages, final int first, final int count)
    {
        return (int) Syscall.repeatable(SyscallNumber.SENDMMSG, descriptor, messages.address(first), count);
    }

    /**
     * Receives into the first {@code count} messages of an array, see recvmmsg(2).
     *
     * @return messages received, or a negative errno, -{@link Errno#EAGAIN} if there are none.
     */
    public int receive(final SocketMessages messages, final int count)
    {
        return (int) Syscall.call(SyscallNumber.RECVMMSG, descriptor, messages.address(0), count, 0, 0, 0);
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

    @Override
    public String toString()
    {
        return "UDP " + name;
    }

    private void option(final int level, final int option, final int value)
    {
        OsException.check(setOption(level, option, value), "set option " + level + '/' + option + " of " + name);
    }

    private boolean tryOption(final int level, final int option, final int value)
    {
        return setOption(level, option, value) == 0;
    }

    private long setOption(final int level, final int option, final int value)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_INT, value);
            return Syscall.call(
                SyscallNumber.SETSOCKOPT, descriptor, level, option, memory.address(), Integer.BYTES, 0);
        }
    }
}

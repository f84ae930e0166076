package io.gannet.rdma.roce;

import io.gannet.rdma.roce.net.AllowList;
import io.gannet.rdma.roce.rc.Tuning;
import java.net.InetAddress;

/**
 * How a software NIC is opened.
 *
 * @param address     what it binds and is known by, or null for the first free loopback address, 127.0.0.1 to
 *                    127.0.0.254.
 * @param avoided     loopback address that it does not take unless it is {@code address}; may be null.
 * @param allow       who may send to it.
 * @param tuning      of its queue pairs.
 * @param systemCalls whether it uses sockets by system calls, with batches that the kernel cuts and joins; else
 *                    {@link java.nio.channels.DatagramChannel}.
 */
public record RoceOptions(
    InetAddress address, InetAddress avoided, AllowList allow, Tuning tuning, boolean systemCalls)
{
    /** The first free loopback address, anybody, by system calls. */
    public static final RoceOptions LOOPBACK = new RoceOptions(null, null, AllowList.ANYBODY, Tuning.DEFAULT, true);

    /** The same for another address. */
    public RoceOptions withAddress(final InetAddress other)
    {
        return new RoceOptions(other, avoided, allow, tuning, systemCalls);
    }

    /** The same, but leaving a loopback address to somebody else. */
    public RoceOptions withAvoided(final InetAddress other)
    {
        return new RoceOptions(address, other, allow, tuning, systemCalls);
    }

    /** The same for other peers. */
    public RoceOptions withAllow(final AllowList other)
    {
        return new RoceOptions(address, avoided, other, tuning, systemCalls);
    }

    /** The same with or without system calls. */
    public RoceOptions withSystemCalls(final boolean other)
    {
        return new RoceOptions(address, avoided, allow, tuning, other);
    }
}

package io.gannet.rdma.verbs;

import static io.gannet.rdma.verbs.Abi.RdmaCmId;
import static io.gannet.rdma.verbs.Abi.RdmaEventChannel;
import static io.gannet.rdma.verbs.Abi.Value;

import io.gannet.os.Descriptors;
import io.gannet.rdma.Errno;
import io.gannet.rdma.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import org.agrona.UnsafeApi;

/**
 * An {@code rdma_event_channel} and the identifiers made on it.
 */
final class EventChannel
{
    private final RdmaLibrary library;
    private final long address;

    /**
     * @throws RdmaException with the error alone where this machine has no RDMA, see {@link Absence}.
     */
    EventChannel(final RdmaLibrary library)
    {
        this.library = library;
        final long channel = library.createEventChannel.pointer(0, 0);
        if (channel < 0)
        {
            throw new RdmaException((int) -channel, "cannot open the RDMA connection manager");
        }
        address = channel;
        Descriptors.setNonBlocking(descriptor());
    }

    long address()
    {
        return address;
    }

    int descriptor()
    {
        return UnsafeApi.getInt(address + RdmaEventChannel.FD);
    }

    long createId()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final long result = arena.allocate(ValueLayout.JAVA_LONG).address();
            final int error = library.createId.status(address, result, 0, Value.RDMA_PS_TCP, 0);
            if (error != Errno.OK)
            {
                throw new RdmaException(error, "cannot make an identifier of the RDMA connection manager");
            }
            return UnsafeApi.getLong(result);
        }
    }

    int destroyId(final long id)
    {
        return library.destroyId.status(id);
    }

    /**
     * Binds an identifier, which ties it to the device with that address.
     */
    void bind(final long id, final InetAddress local, final int port)
    {
        final int error = tryBind(id, local, port);
        if (error != Errno.OK)
        {
            throw new RdmaException(error, "cannot bind " + local.getHostAddress() + " port " + port +
                (error == Errno.EADDRINUSE ? ": another listener has it" :
                    error == Errno.ENODEV ? ": no RDMA device has this address; `rdma link` lists the devices" : ""));
        }
    }

    /**
     * {@return the {@code ibv_context} of the device with an address of this host, and its port; null if none has it}
     */
    BoundDevice deviceOf(final InetAddress local)
    {
        final long id = createId();
        try
        {
            if (tryBind(id, local, 0) != Errno.OK || UnsafeApi.getLong(id + RdmaCmId.VERBS) == 0)
            {
                return null;
            }
            return new BoundDevice(
                UnsafeApi.getLong(id + RdmaCmId.VERBS), UnsafeApi.getByte(id + RdmaCmId.PORT_NUM) & 0xff);
        }
        finally
        {
            destroyId(id);
        }
    }

    private int tryBind(final long id, final InetAddress local, final int port)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final long at = arena.allocate(SocketAddresses.SIZE, 8).address();
            SocketAddresses.write(at, local, port);
            return library.bindAddr.status(id, at, 0);
        }
    }

    void close()
    {
        library.destroyEventChannel.status(address);
    }

    /**
     * A device as librdmacm has it open.
     *
     * @param context address of the {@code ibv_context}.
     * @param port    from 1.
     */
    record BoundDevice(long context, int port)
    {
    }
}

package io.gannet.rdma.verbs;

import static io.gannet.rdma.verbs.Abi.IbvContext;
import static io.gannet.rdma.verbs.Abi.IbvDevice;
import static io.gannet.rdma.verbs.Abi.IbvDeviceAttr;
import static io.gannet.rdma.verbs.Abi.IbvPortAttr;
import static io.gannet.rdma.verbs.Abi.Value;

import io.gannet.os.Descriptors;
import io.gannet.rdma.DeviceLimits;
import io.gannet.rdma.Errno;
import io.gannet.rdma.PortState;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.Transport;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.agrona.UnsafeApi;

/**
 * An {@code ibv_context}, opened by librdmacm, whose identifiers accept no other: the functions of its provider,
 * checked before the first call, and what the device says of itself.
 */
final class VerbsContext
{
    private static final FunctionDescriptor QUERY_PORT = FunctionDescriptor.of(
        ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG,
        ValueLayout.JAVA_LONG);
    private static final MethodHandle QUERY_PORT_CALL = Linker.nativeLinker().downcallHandle(QUERY_PORT);

    /** For each poll, post and request for a notification. */
    final HotCalls calls;

    private final RdmaLibrary library;
    private final long address;
    private final String name;
    private final Provider provider;
    private final MemorySegment queryPort;
    private final MemorySegment scratch = Arena.ofAuto().allocate(512, 64);

    /**
     * @throws RdmaException naming library and device if the layout is not the one known.
     */
    VerbsContext(final RdmaLibrary library, final long address)
    {
        this.library = library;
        this.address = address;
        final long device = UnsafeApi.getLong(address + IbvContext.DEVICE);
        require(device != 0, "no device behind its context");
        name = text(device + IbvDevice.NAME, IbvDevice.SIZEOF_NAME);
        require(UnsafeApi.getLong(address + IbvContext.ABI_COMPAT) == -1L, "an ABI from before extended verbs");
        require(
            UnsafeApi.getLong(address + Abi.VerbsContext.SZ) >= IbvContext.SIZE - Abi.VerbsContext.QUERY_PORT,
            "a verbs_context of only " + UnsafeApi.getLong(address + Abi.VerbsContext.SZ) + " bytes");
        final MemorySegment pollCq = function(IbvContext.OPS_POLL_CQ, "poll_cq");
        calls = HotCalls.of(
            pollCq,
            function(IbvContext.OPS_POST_SEND, "post_send"),
            function(IbvContext.OPS_POST_RECV, "post_recv"),
            function(IbvContext.OPS_REQ_NOTIFY_CQ, "req_notify_cq"));
        queryPort = function(Abi.VerbsContext.QUERY_PORT, "query_port");
        provider = Provider.of(pollCq.address());
    }

    /** {@return name of the device at an {@code ibv_context}, without trusting anything else there} */
    static String deviceName(final long context)
    {
        final long device = UnsafeApi.getLong(context + IbvContext.DEVICE);
        return text(device + IbvDevice.NAME, IbvDevice.SIZEOF_NAME);
    }

    private MemorySegment function(final int offset, final String what)
    {
        final long function = UnsafeApi.getLong(address + offset);
        // A wrong offset must not become a call into data.
        require(function != 0 && Provider.of(function) != null, "no function " + what + " at offset " + offset);
        return MemorySegment.ofAddress(function);
    }

    private void require(final boolean condition, final String what)
    {
        if (!condition)
        {
            throw new RdmaException(Errno.EOPNOTSUPP, "cannot use " + Provider.file(RdmaLibrary.VERBS) +
                " with device " + name + ": it has " + what + ". Layouts known are those of rdma-core 34 and later");
        }
    }

    private static String text(final long at, final int size)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < size && UnsafeApi.getByte(at + i) != 0; i++)
        {
            text.append((char) UnsafeApi.getByte(at + i));
        }
        return text.toString();
    }

    long address()
    {
        return address;
    }

    String name()
    {
        return name;
    }

    Provider provider()
    {
        return provider;
    }

    /**
     * Lets go of a removed device, whose kernel driver may wait for that as long as somebody has it open. librdmacm
     * keeps a device open for good: it forgets one that is gone only when it finds another. It may go on to use what
     * it has, and is told by each call that nothing is there.
     */
    void letGo()
    {
        Descriptors.closeBehind(UnsafeApi.getInt(address + IbvContext.ASYNC_FD));
        Descriptors.closeBehind(UnsafeApi.getInt(address + IbvContext.CMD_FD));
    }

    int completionVectors()
    {
        return Math.max(1, UnsafeApi.getInt(address + IbvContext.NUM_COMP_VECTORS));
    }

    Transport transport(final int port)
    {
        final long device = UnsafeApi.getLong(address + IbvContext.DEVICE);
        if (UnsafeApi.getInt(device + IbvDevice.TRANSPORT_TYPE) == Value.TRANSPORT_IWARP)
        {
            return Transport.IWARP;
        }
        return port(port).isEthernet ? Transport.ROCE_V2 : Transport.INFINIBAND;
    }

    int ports()
    {
        synchronized (scratch)
        {
            return UnsafeApi.getByte(attributes() + IbvDeviceAttr.PHYS_PORT_CNT) & 0xff;
        }
    }

    DeviceLimits limits(final int port, final boolean writeWithImm)
    {
        final Transport transport = transport(port);
        final long message = port(port).maxMessage;
        synchronized (scratch)
        {
            final long at = attributes();
            final long region = UnsafeApi.getLong(at + IbvDeviceAttr.MAX_MR_SIZE);
            return new DeviceLimits(
                transport,
                UnsafeApi.getInt(at + IbvDeviceAttr.MAX_QP),
                UnsafeApi.getInt(at + IbvDeviceAttr.MAX_QP_WR),
                UnsafeApi.getInt(at + IbvDeviceAttr.MAX_CQ),
                UnsafeApi.getInt(at + IbvDeviceAttr.MAX_CQE),
                UnsafeApi.getInt(at + IbvDeviceAttr.MAX_MR),
                region > 0 ? region : Long.MAX_VALUE,       // rxe says all ones
                (int) Math.min(message, 1 << 30),
                writeWithImm,
                false);
        }
    }

    private long attributes()
    {
        scratch.fill((byte) 0);
        final int error = library.queryDevice.status(address, scratch.address(), 0);
        if (error != Errno.OK)
        {
            throw new RdmaException(error, "cannot ask device " + name + " for its limits");
        }
        return scratch.address();
    }

    /**
     * Asks for a port. The exported {@code ibv_query_port} serves old programs and fills in less.
     */
    Port port(final int number)
    {
        synchronized (scratch)
        {
            scratch.fill((byte) 0);
            final int error;
            try
            {
                error = (int) QUERY_PORT_CALL.invokeExact(
                    queryPort, address, number, scratch.address(), (long) IbvPortAttr.SIZE);
            }
            catch (final Throwable problem)
            {
                throw new IllegalStateException(problem);
            }
            if (error != 0)
            {
                throw new RdmaException(Math.abs(error), "cannot ask device " + name + " for its port " + number);
            }
            final long at = scratch.address();
            final int mtu = UnsafeApi.getInt(at + IbvPortAttr.ACTIVE_MTU);
            if (mtu < 1 || mtu > 5)
            {
                throw new RdmaException(
                    Errno.EIO, "device " + name + " says MTU code " + mtu + " of port " + number + ": known are 1-5");
            }
            return new Port(
                state(UnsafeApi.getInt(at + IbvPortAttr.STATE)),
                128 << mtu,
                Integer.toUnsignedLong(UnsafeApi.getInt(at + IbvPortAttr.MAX_MSG_SZ)),
                UnsafeApi.getByte(at + IbvPortAttr.LINK_LAYER) == Value.LINK_LAYER_ETHERNET);
        }
    }

    private static PortState state(final int value)
    {
        return switch (value)
        {
            case Value.PORT_INIT -> PortState.INIT;
            case Value.PORT_ARMED -> PortState.ARMED;
            case Value.PORT_ACTIVE -> PortState.ACTIVE;
            default -> PortState.DOWN;
        };
    }

    /** What a port says of itself. */
    record Port(PortState state, int mtu, long maxMessage, boolean isEthernet)
    {
    }
}

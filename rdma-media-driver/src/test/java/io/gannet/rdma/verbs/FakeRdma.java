package io.gannet.rdma.verbs;

import static io.gannet.rdma.verbs.Abi.IbvAsyncEvent;
import static io.gannet.rdma.verbs.Abi.IbvCompChannel;
import static io.gannet.rdma.verbs.Abi.IbvContext;
import static io.gannet.rdma.verbs.Abi.IbvCq;
import static io.gannet.rdma.verbs.Abi.IbvDevice;
import static io.gannet.rdma.verbs.Abi.IbvDeviceAttr;
import static io.gannet.rdma.verbs.Abi.IbvMr;
import static io.gannet.rdma.verbs.Abi.IbvPortAttr;
import static io.gannet.rdma.verbs.Abi.IbvQp;
import static io.gannet.rdma.verbs.Abi.IbvQpAttr;
import static io.gannet.rdma.verbs.Abi.IbvQpInitAttr;
import static io.gannet.rdma.verbs.Abi.RdmaCmEvent;
import static io.gannet.rdma.verbs.Abi.RdmaCmId;
import static io.gannet.rdma.verbs.Abi.RdmaEventChannel;
import static io.gannet.rdma.verbs.Abi.Value;

import io.gannet.os.EventCounter;
import io.gannet.rdma.WorkCompletions;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import org.agrona.UnsafeApi;

/**
 * libibverbs, librdmacm and one device, in Java: every function of the libraries and every pointer of the context is an
 * upcall, so that a test decides what they return. Each object that is made is counted until it is destroyed.
 */
final class FakeRdma implements AutoCloseable
{
    static final VerbsOptions OPTIONS =
        VerbsOptions.ANY.withAddress(InetAddress.getLoopbackAddress()).withProbe(false);

    private static final FunctionDescriptor SHAPE = FunctionDescriptor.of(
        ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG,
        ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
    private static final MethodHandle ERRNO_LOCATION = Linker.nativeLinker().downcallHandle(
        Linker.nativeLinker().defaultLookup().findOrThrow("__errno_location"),
        FunctionDescriptor.of(ValueLayout.JAVA_LONG));

    final Arena arena = Arena.ofShared();
    final long device = allocate(664);
    final long context = allocate(1024) + 512;
    /** Names of functions called, in order, but those of polling. */
    final List<String> calls = new ArrayList<>();
    final Map<String, Call> functions = new HashMap<>();
    final Set<String> missing = new TreeSet<>();
    final Map<String, Integer> open = new HashMap<>();
    final Queue<Wc> completions = new ArrayDeque<>();
    final List<Wr> sends = new ArrayList<>();
    final List<Wr> receives = new ArrayList<>();
    final Queue<Long> events = new ArrayDeque<>();
    final Queue<long[]> asyncEvents = new ArrayDeque<>();
    /** What {@code post_send} does after it has recorded the chain. */
    Post onSend = (chain, bad) -> 0;
    Post onReceive = (chain, bad) -> 0;
    int mostInline = 512;
    int queuePairState = Value.QPS_RTS;
    int portState = Value.PORT_ACTIVE;
    int cqEvents;
    int eventsAcknowledged;
    long lastQueuePair;
    long lastId;

    /** As the device's node, open. */
    final EventCounter commands = new EventCounter();
    private final EventCounter descriptor = new EventCounter();
    private final long devices = allocate(16);
    private int numbers = 17;

    FakeRdma()
    {
        putText(device + IbvDevice.NAME, "fake0");
        UnsafeApi.putLong(context + IbvContext.DEVICE, device);
        UnsafeApi.putLong(context + IbvContext.ABI_COMPAT, -1L);
        UnsafeApi.putLong(context + Abi.VerbsContext.SZ, IbvContext.SIZE - Abi.VerbsContext.QUERY_PORT);
        UnsafeApi.putInt(context + IbvContext.ASYNC_FD, descriptor.descriptor());
        UnsafeApi.putInt(context + IbvContext.CMD_FD, commands.descriptor());
        UnsafeApi.putInt(context + IbvContext.NUM_COMP_VECTORS, 2);
        UnsafeApi.putLong(context + IbvContext.OPS_POLL_CQ, stub((queue, count, to, d, e) -> poll((int) count, to)));
        UnsafeApi.putLong(context + IbvContext.OPS_REQ_NOTIFY_CQ, stub((a, b, c, d, e) -> 0));
        UnsafeApi.putLong(context + IbvContext.OPS_POST_SEND, stub((qp, wr, bad, d, e) -> post(wr, bad, true)));
        UnsafeApi.putLong(context + IbvContext.OPS_POST_RECV, stub((qp, wr, bad, d, e) -> post(wr, bad, false)));
        UnsafeApi.putLong(context + Abi.VerbsContext.QUERY_PORT, stub((ctx, port, at, size, e) -> queryPort(at)));
        UnsafeApi.putLong(devices, context);
        verbs();
        connectionManager();
    }

    /** A function of the libraries: five words in, one out; see {@link #fail} for errors. */
    interface Call
    {
        long call(long a, long b, long c, long d, long e);
    }

    /** Decides on a chain of requests; {@code bad} is where the first refused one's address goes. */
    interface Post
    {
        int post(List<Wr> chain, long bad);
    }

    /** A posted request as the provider sees it. */
    record Wr(long at, long id, int opcode, int flags, int imm, long remote, int rkey, long local, int length, int lkey)
    {
    }

    /** A completion to be polled; the immediate as on the wire. */
    record Wc(long id, int status, int opcode, int qpNum, int imm)
    {
    }

    private void verbs()
    {
        functions.put("ibv_get_device_list", (a, b, c, d, e) -> devices);
        functions.put("ibv_free_device_list", (a, b, c, d, e) -> 0);
        functions.put("ibv_query_device", (ctx, at, c, d, e) -> queryDevice(at));
        functions.put("ibv_alloc_pd", (ctx, b, c, d, e) -> make("pd", 64));
        functions.put("ibv_dealloc_pd", (a, b, c, d, e) -> drop("pd"));
        functions.put("ibv_reg_mr", this::register);
        functions.put("ibv_dereg_mr", (a, b, c, d, e) -> drop("mr"));
        functions.put("ibv_create_comp_channel", (ctx, b, c, d, e) ->
        {
            final long made = make("channel", 16);
            UnsafeApi.putLong(made + IbvCompChannel.CONTEXT, ctx);
            UnsafeApi.putInt(made + IbvCompChannel.FD, descriptor.descriptor());
            return made;
        });
        functions.put("ibv_destroy_comp_channel", (a, b, c, d, e) -> drop("channel"));
        functions.put("ibv_create_cq", (ctx, depth, c, channel, vector) ->
        {
            final long made = make("cq", 136);
            UnsafeApi.putInt(made + IbvCq.CQE, (int) depth);
            return made;
        });
        functions.put("ibv_destroy_cq", (a, b, c, d, e) -> drop("cq"));
        functions.put("ibv_get_cq_event", (channel, queue, c, d, e) -> cqEvents-- > 0 ? 0 : -1);
        functions.put("ibv_ack_cq_events", (queue, count, c, d, e) -> eventsAcknowledged += (int) count);
        functions.put("ibv_modify_qp", (qp, at, mask, d, e) ->
        {
            queuePairState = (mask & Value.QP_STATE) != 0 ? UnsafeApi.getInt(at + IbvQpAttr.QP_STATE) : queuePairState;
            return 0;
        });
        functions.put("ibv_query_qp", (qp, at, mask, d, e) ->
        {
            UnsafeApi.putInt(at + IbvQpAttr.QP_STATE, queuePairState);
            return 0;
        });
        functions.put("ibv_get_async_event", (ctx, at, c, d, e) ->
        {
            final long[] event = asyncEvents.poll();
            if (event == null)
            {
                return -1;
            }
            UnsafeApi.putInt(at + IbvAsyncEvent.EVENT_TYPE, (int) event[0]);
            UnsafeApi.putLong(at + IbvAsyncEvent.ELEMENT, event[1]);
            return 0;
        });
        functions.put("ibv_ack_async_event", (a, b, c, d, e) -> 0);
    }

    private void connectionManager()
    {
        functions.put("rdma_create_event_channel", (a, b, c, d, e) ->
        {
            final long made = make("event channel", 16);
            UnsafeApi.putInt(made + RdmaEventChannel.FD, descriptor.descriptor());
            return made;
        });
        functions.put("rdma_destroy_event_channel", (a, b, c, d, e) -> drop("event channel"));
        functions.put("rdma_create_id", (channel, to, c, d, e) ->
        {
            lastId = make("id", 416);
            UnsafeApi.putLong(to, lastId);
            return 0;
        });
        functions.put("rdma_destroy_id", (a, b, c, d, e) -> drop("id"));
        functions.put("rdma_bind_addr", (id, address, c, d, e) ->
        {
            UnsafeApi.putLong(id + RdmaCmId.VERBS, context);
            UnsafeApi.putByte(id + RdmaCmId.PORT_NUM, (byte) 1);
            UnsafeApi.copyMemory(address, id + RdmaCmId.ROUTE_ADDR_SRC_ADDR, SocketAddresses.SIZE);
            return 0;
        });
        functions.put("rdma_create_qp", this::createQueuePair);
        functions.put("rdma_destroy_qp", (id, b, c, d, e) ->
        {
            UnsafeApi.putLong(id + RdmaCmId.QP, 0);
            return drop("qp");
        });
        functions.put("rdma_get_cm_event", (channel, to, c, d, e) ->
        {
            final Long event = events.poll();
            UnsafeApi.putLong(to, event == null ? 0 : event);
            return event == null ? -1 : 0;
        });
        functions.put("rdma_ack_cm_event", (event, b, c, d, e) ->
        {
            // What the library frees must have been copied.
            UnsafeApi.setMemory(event, 128, (byte) 0x5a);
            return 0;
        });
        functions.put("rdma_get_devices", (a, b, c, d, e) -> devices);
        functions.put("rdma_free_devices", (a, b, c, d, e) -> 0);
        for (final String name : List.of("listen", "resolve_addr", "resolve_route", "connect", "accept", "reject",
            "disconnect", "set_option"))
        {
            functions.put("rdma_" + name, (a, b, c, d, e) -> 0);
        }
    }

    RdmaLibrary library()
    {
        return new RdmaLibrary(name -> missing.contains(name) ?
            Optional.empty() : Optional.of(MemorySegment.ofAddress(function(name))));
    }

    VerbsDevice openDevice()
    {
        return VerbsDevice.open(library(), OPTIONS);
    }

    private long function(final String name)
    {
        return stub((a, b, c, d, e) ->
        {
            if (!name.contains("get_") && !name.contains("ack_") && !name.contains("query"))
            {
                calls.add(name);
            }
            return functions.get(name).call(a, b, c, d, e);
        });
    }

    long stub(final Call call)
    {
        try
        {
            final Class<?>[] words = new Class<?>[5];
            Arrays.fill(words, long.class);
            final MethodHandle handle = MethodHandles.lookup()
                .findVirtual(Call.class, "call", MethodType.methodType(long.class, words)).bindTo(call);
            return Linker.nativeLinker().upcallStub(handle, SHAPE, arena).address();
        }
        catch (final ReflectiveOperationException e)
        {
            throw new IllegalStateException(e);
        }
    }

    /** Sets errno, as a function does that returns NULL or -1. */
    static long fail(final int errno, final long result)
    {
        try
        {
            UnsafeApi.putInt((long) ERRNO_LOCATION.invokeExact(), errno);
            return result;
        }
        catch (final Throwable e)
        {
            throw new IllegalStateException(e);
        }
    }

    long allocate(final int size)
    {
        return arena.allocate(size, 64).address();
    }

    private long make(final String kind, final int size)
    {
        open.merge(kind, 1, Integer::sum);
        return allocate(size);
    }

    private long drop(final String kind)
    {
        open.merge(kind, -1, Integer::sum);
        return 0;
    }

    /** {@return kinds of objects that were made and not destroyed, or destroyed twice} */
    List<String> leaks()
    {
        return open.entrySet().stream().filter(entry -> entry.getValue() != 0)
            .map(entry -> entry.getValue() + " " + entry.getKey()).sorted().toList();
    }

    private long register(final long pd, final long address, final long length, final long access, final long e)
    {
        final long made = make("mr", 48);
        UnsafeApi.putLong(made + IbvMr.PD, pd);
        UnsafeApi.putLong(made + IbvMr.ADDR, address);
        UnsafeApi.putLong(made + IbvMr.LENGTH, length);
        UnsafeApi.putInt(made + IbvMr.LKEY, 0x100);
        UnsafeApi.putInt(made + IbvMr.RKEY, 0x200);
        return made;
    }

    private long createQueuePair(final long id, final long pd, final long initial, final long d, final long e)
    {
        final int inline = UnsafeApi.getInt(initial + IbvQpInitAttr.CAP_MAX_INLINE_DATA);
        if (inline > mostInline)
        {
            return fail(22, -1);
        }
        final long made = make("qp", 168);
        UnsafeApi.putLong(made + IbvQp.CONTEXT, context);
        UnsafeApi.putLong(made + IbvQp.PD, pd);
        UnsafeApi.putInt(made + IbvQp.QP_NUM, numbers++);
        UnsafeApi.putLong(id + RdmaCmId.QP, made);
        queuePairState = Value.QPS_INIT;
        lastQueuePair = made;
        return 0;
    }

    private long queryDevice(final long at)
    {
        UnsafeApi.putLong(at + IbvDeviceAttr.MAX_MR_SIZE, -1L);
        UnsafeApi.putInt(at + IbvDeviceAttr.MAX_QP, 100);
        UnsafeApi.putInt(at + IbvDeviceAttr.MAX_QP_WR, 1024);
        UnsafeApi.putInt(at + IbvDeviceAttr.MAX_CQ, 100);
        UnsafeApi.putInt(at + IbvDeviceAttr.MAX_CQE, 4096);
        UnsafeApi.putInt(at + IbvDeviceAttr.MAX_MR, 100);
        UnsafeApi.putByte(at + IbvDeviceAttr.PHYS_PORT_CNT, (byte) 1);
        return 0;
    }

    private long queryPort(final long at)
    {
        UnsafeApi.putInt(at + IbvPortAttr.STATE, portState);
        UnsafeApi.putInt(at + IbvPortAttr.ACTIVE_MTU, 5);
        UnsafeApi.putInt(at + IbvPortAttr.MAX_MSG_SZ, 1 << 23);
        UnsafeApi.putByte(at + IbvPortAttr.LINK_LAYER, (byte) Value.LINK_LAYER_ETHERNET);
        return 0;
    }

    private long poll(final int count, final long to)
    {
        int filled = 0;
        while (filled < count && !completions.isEmpty())
        {
            final Wc wc = completions.poll();
            final long at = to + (long) filled++ * Abi.IbvWc.SIZE;
            UnsafeApi.setMemory(at, Abi.IbvWc.SIZE, (byte) 0);
            UnsafeApi.putLong(at + Abi.IbvWc.WR_ID, wc.id);
            UnsafeApi.putInt(at + Abi.IbvWc.STATUS, wc.status);
            UnsafeApi.putInt(at + Abi.IbvWc.OPCODE, wc.opcode);
            UnsafeApi.putInt(at + Abi.IbvWc.QP_NUM, wc.qpNum);
            UnsafeApi.putInt(at + Abi.IbvWc.IMM_DATA, wc.imm);
            UnsafeApi.putInt(at + Abi.IbvWc.WC_FLAGS, wc.imm == 0 ? 0 : WorkCompletions.FLAG_WITH_IMM);
        }
        return filled;
    }

    private long post(final long first, final long bad, final boolean isSend)
    {
        final List<Wr> chain = new ArrayList<>();
        for (long at = first; at != 0; at = UnsafeApi.getLong(at + Abi.IbvSendWr.NEXT))
        {
            chain.add(isSend ? send(at) : receive(at));
        }
        (isSend ? sends : receives).addAll(chain);
        return (isSend ? onSend : onReceive).post(chain, bad);
    }

    private static Wr send(final long at)
    {
        final boolean hasBuffer = UnsafeApi.getInt(at + Abi.IbvSendWr.NUM_SGE) == 1;
        final long buffer = UnsafeApi.getLong(at + Abi.IbvSendWr.SG_LIST);
        return new Wr(
            at,
            UnsafeApi.getLong(at + Abi.IbvSendWr.WR_ID),
            UnsafeApi.getInt(at + Abi.IbvSendWr.OPCODE),
            UnsafeApi.getInt(at + Abi.IbvSendWr.SEND_FLAGS),
            UnsafeApi.getInt(at + Abi.IbvSendWr.IMM_DATA),
            UnsafeApi.getLong(at + Abi.IbvSendWr.WR_RDMA_REMOTE_ADDR),
            UnsafeApi.getInt(at + Abi.IbvSendWr.WR_RDMA_RKEY),
            hasBuffer ? UnsafeApi.getLong(buffer + Abi.IbvSge.ADDR) : 0,
            hasBuffer ? UnsafeApi.getInt(buffer + Abi.IbvSge.LENGTH) : 0,
            hasBuffer ? UnsafeApi.getInt(buffer + Abi.IbvSge.LKEY) : 0);
    }

    private static Wr receive(final long at)
    {
        final boolean hasBuffer = UnsafeApi.getInt(at + Abi.IbvRecvWr.NUM_SGE) == 1;
        final long buffer = UnsafeApi.getLong(at + Abi.IbvRecvWr.SG_LIST);
        return new Wr(
            at,
            UnsafeApi.getLong(at + Abi.IbvRecvWr.WR_ID), 0, 0, 0, 0, 0,
            hasBuffer ? UnsafeApi.getLong(buffer + Abi.IbvSge.ADDR) : 0,
            hasBuffer ? UnsafeApi.getInt(buffer + Abi.IbvSge.LENGTH) : 0,
            hasBuffer ? UnsafeApi.getInt(buffer + Abi.IbvSge.LKEY) : 0);
    }

    /** Queues an event of the connection manager. */
    void raise(final int type, final long id, final long listener, final int status, final byte... data)
    {
        final long event = allocate(128 + data.length);
        UnsafeApi.putLong(event + RdmaCmEvent.ID, id);
        UnsafeApi.putLong(event + RdmaCmEvent.LISTEN_ID, listener);
        UnsafeApi.putInt(event + RdmaCmEvent.EVENT, type);
        UnsafeApi.putInt(event + RdmaCmEvent.STATUS, status);
        if (data.length > 0)
        {
            for (int i = 0; i < data.length; i++)
            {
                UnsafeApi.putByte(event + 96 + i, data[i]);
            }
            UnsafeApi.putLong(event + RdmaCmEvent.PARAM_CONN_PRIVATE_DATA, event + 96);
            UnsafeApi.putByte(event + RdmaCmEvent.PARAM_CONN_PRIVATE_DATA_LEN, (byte) data.length);
        }
        events.add(event);
    }

    private static void putText(final long at, final String text)
    {
        for (int i = 0; i < text.length(); i++)
        {
            UnsafeApi.putByte(at + i, (byte) text.charAt(i));
        }
    }

    @Override
    public void close()
    {
        descriptor.close();
        commands.close();
        arena.close();
    }
}

package io.gannet.rdma.verbs;

import static io.gannet.rdma.verbs.Abi.RdmaCmId;
import static io.gannet.rdma.verbs.Abi.Value;

import io.gannet.rdma.Access;
import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmId;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.MemoryRegion;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.QueuePair;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A device on {@link FakeRdma} with one connector, brought to a state by the events that the fake raises.
 */
final class FakeConnection implements AutoCloseable
{
    static final int DEPTH = 16;

    final FakeRdma rdma;
    final VerbsDevice device;
    final ProtectionDomain domain;
    final MemoryRegion region;
    final CompletionQueue queue;
    final List<CmEvent> seen = new ArrayList<>();
    final CmId id;
    /** The {@code rdma_cm_id}. */
    final long handle;
    QueuePair queuePair;

    FakeConnection(final FakeRdma rdma)
    {
        this.rdma = rdma;
        device = rdma.openDevice();
        domain = device.allocateProtectionDomain();
        region = domain.register(rdma.allocate(4096), 4096, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        queue = device.createCompletionQueue(64, null);
        final long[] made = new long[1];
        final FakeRdma.Call create = rdma.functions.get("rdma_create_id");
        rdma.functions.put("rdma_create_id", (channel, to, c, d, e) ->
        {
            final long result = create.call(channel, to, c, d, e);
            made[0] = UnsafeApi.getLong(to);
            return result;
        });
        id = device.connectionManager().createId();
        handle = made[0];
    }

    FakeConnection resolve()
    {
        id.resolve(new InetSocketAddress(InetAddress.getLoopbackAddress(), 4040), 1000);
        UnsafeApi.putLong(handle + RdmaCmId.VERBS, rdma.context);
        raise(Value.RDMA_CM_EVENT_ADDR_RESOLVED);
        return this;
    }

    FakeConnection makeQueuePair()
    {
        queuePair = id.createQueuePair(domain, new QpAttributes(queue, queue, DEPTH, DEPTH, 220, 12));
        return this;
    }

    FakeConnection connect()
    {
        id.connect(ConnectParameters.DEFAULT, new UnsafeBuffer(new byte[]{1, 2, 3}));
        return this;
    }

    FakeConnection establish()
    {
        resolve().makeQueuePair().connect();
        raise(Value.RDMA_CM_EVENT_ROUTE_RESOLVED);
        rdma.queuePairState = Value.QPS_RTS;
        raise(Value.RDMA_CM_EVENT_ESTABLISHED);
        return this;
    }

    void raise(final int type)
    {
        rdma.raise(type, handle, 0, 0);
        poll();
    }

    /** Polls until the events are read: the channel is not read in each call. */
    void poll()
    {
        while (!rdma.events.isEmpty())
        {
            device.connectionManager().pollEvents(seen::add);
            Thread.onSpinWait();
        }
    }

    void write(final long wrId, final int flags, final int length)
    {
        queuePair.addWrite(wrId, flags, region.address(), length, region.lkey(), 0x7000, 0x77);
    }

    void complete(final long wrId, final int status, final int opcode)
    {
        rdma.completions.add(new FakeRdma.Wc(wrId, status, opcode, queuePair.number(), 0));
    }

    @Override
    public void close()
    {
        if (queuePair != null)
        {
            queuePair.close();
        }
        id.close();
        queue.close();
        region.close();
        domain.close();
        device.close();
    }
}

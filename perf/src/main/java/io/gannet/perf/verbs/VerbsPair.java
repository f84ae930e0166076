package io.gannet.perf.verbs;

import io.gannet.rdma.Access;
import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.CmListener;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.MemoryRegion;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.QueuePair;
import io.gannet.rdma.RdmaDevice;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Two devices with connections between them.
 */
final class VerbsPair implements AutoCloseable
{
    private static final UnsafeBuffer NO_DATA = new UnsafeBuffer(new byte[0]);
    private static final long CONNECT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int RESOLVE_MS = 2_000;

    private final End a;
    private final End b;

    /**
     * @param first  of two devices, which this pair closes.
     * @param inline bytes wished for.
     */
    VerbsPair(
        final RdmaDevice first,
        final RdmaDevice second,
        final int queuePairs,
        final int depth,
        final int inline,
        final int memoryBytes)
    {
        a = new End(first, queuePairs, depth, inline, memoryBytes);
        b = new End(second, queuePairs, depth, inline, memoryBytes);
        final CmListener listener =
            second.connectionManager().listen(new InetSocketAddress(second.port(1).address(), 0), null);
        for (int i = 0; i < queuePairs; i++)
        {
            final CmId id = first.connectionManager().createId();
            id.resolve(listener.localAddress(), RESOLVE_MS);
            await(a, CmEventType.ROUTE_RESOLVED);
            a.add(id);
            id.connect(ConnectParameters.DEFAULT, NO_DATA);
            final CmId accepted = await(b, CmEventType.CONNECT_REQUEST).id();
            b.add(accepted);
            accepted.accept(ConnectParameters.DEFAULT, NO_DATA);
            await(a, CmEventType.ESTABLISHED);
            await(b, CmEventType.ESTABLISHED);
        }
        listener.close();
    }

    End a()
    {
        return a;
    }

    End b()
    {
        return b;
    }

    private CmEvent await(final End end, final CmEventType type)
    {
        final CmEvent[] found = new CmEvent[1];
        final long deadline = System.nanoTime() + CONNECT_NANOS;
        while (found[0] == null)
        {
            if (System.nanoTime() - deadline > 0)
            {
                throw new IllegalStateException("no " + type + " within 30 s between " + a.device.name() + " and " +
                    b.device.name());
            }
            a.device.doWork();
            b.device.doWork();
            end.device.connectionManager().pollEvents(event -> found[0] = event.type() == type ? event : found[0]);
        }
        return found[0];
    }

    @Override
    public void close()
    {
        a.close();
        b.close();
    }

    /** One side. */
    static final class End
    {
        final RdmaDevice device;
        final ProtectionDomain domain;
        final ByteBuffer memory;
        final UnsafeBuffer view;
        final MemoryRegion region;
        final CompletionQueue sends;
        final CompletionQueue receives;
        final List<QueuePair> queuePairs = new ArrayList<>();
        private final List<CmId> ids = new ArrayList<>();
        private final int depth;
        private final int inline;

        End(
            final RdmaDevice device,
            final int queuePairs,
            final int depth,
            final int inline,
            final int memoryBytes)
        {
            this.device = device;
            this.depth = depth;
            this.inline = inline;
            memory = BufferUtil.allocateDirectAligned(memoryBytes, 4096);
            view = new UnsafeBuffer(memory);
            domain = device.allocateProtectionDomain();
            region = domain.register(
                view.addressOffset(), memoryBytes, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
            sends = device.createCompletionQueue(queuePairs * depth, null);
            receives = device.createCompletionQueue(queuePairs * depth, null);
        }

        void add(final CmId id)
        {
            ids.add(id);
            queuePairs.add(id.createQueuePair(domain, new QpAttributes(sends, receives, depth, depth, inline, 1)));
        }

        void close()
        {
            queuePairs.forEach(QueuePair::close);
            ids.forEach(CmId::close);
            sends.close();
            receives.close();
            region.close();
            domain.close();
            device.close();
        }
    }
}

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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Two devices with connections between them.
 */
public final class VerbsPair implements AutoCloseable
{
    private static final UnsafeBuffer NO_DATA = new UnsafeBuffer(new byte[0]);
    private static final long CONNECT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int RESOLVE_MS = 2_000;

    private final End a;
    private final End b;

    /**
     * @param first       of two devices, which this pair closes.
     * @param depth       of each queue.
     * @param inline      bytes wished for.
     * @param memoryBytes registered at each end.
     */
    public VerbsPair(
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

    /** {@return the first queue pair of the first end} */
    public QueuePair firstQueuePair()
    {
        return a.queuePairs.getFirst();
    }

    /** {@return where its sends complete} */
    public CompletionQueue firstSends()
    {
        return a.sends;
    }

    /** {@return start of the first end's memory} */
    public long memoryAddress()
    {
        return a.region.address();
    }

    /** {@return lkey of the first end's memory} */
    public int localKey()
    {
        return a.region.lkey();
    }

    End a()
    {
        return a;
    }

    End b()
    {
        return b;
    }

    /** Both connection managers are served meanwhile, as a connection takes steps at either end. */
    private CmEvent await(final End end, final CmEventType type)
    {
        final long deadline = System.nanoTime() + CONNECT_NANOS;
        while (true)
        {
            a.work();
            b.work();
            for (CmEvent event = end.events.poll(); event != null; event = end.events.poll())
            {
                if (event.type() == type)
                {
                    return event;
                }
            }
            if (System.nanoTime() - deadline > 0)
            {
                throw new IllegalStateException("no " + type + " within 30 s between " + a.device.name() + " and " +
                    b.device.name());
            }
        }
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
        private final Queue<CmEvent> events = new ArrayDeque<>();
        private boolean receivesPosted;

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

        void work()
        {
            device.doWork();
            device.connectionManager().pollEvents(events::add);
        }

        void add(final CmId id)
        {
            ids.add(id);
            queuePairs.add(id.createQueuePair(domain, new QpAttributes(sends, receives, depth, depth, inline, 1)));
        }

        /** Posts as many receives without a buffer as the first queue pair takes, once. */
        void fillReceives()
        {
            if (receivesPosted)
            {
                return;
            }
            receivesPosted = true;
            for (int i = 0; i < depth; i++)
            {
                queuePairs.getFirst().addReceive(0, 0, 0, 0);
            }
            if (queuePairs.getFirst().postReceives() != 0)
            {
                throw new IllegalStateException("receives were refused");
            }
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

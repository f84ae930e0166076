package io.gannet.rdma.roce;

import io.gannet.harness.LoopbackAddress;
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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Two software NICs with one connection between them.
 */
final class RocePair implements AutoCloseable
{
    static final int MEMORY = 1 << 20;
    static final int DEPTH = 256;
    private static final UnsafeBuffer NO_DATA = new UnsafeBuffer(new byte[0]);

    final Arena arena = Arena.ofShared();
    final End a;
    final End b;

    RocePair(final RoceOptions options, final ConnectParameters parameters)
    {
        a = new End(options);
        b = new End(options);
        final CmListener listener = b.device.connectionManager().listen(
            new InetSocketAddress(b.device.port(1).address(), 0), null);
        a.id = a.device.connectionManager().createId();
        a.id.resolve(listener.localAddress(), 1_000);
        await(a, CmEventType.ROUTE_RESOLVED);
        a.makeQueuePair();
        a.id.connect(parameters, NO_DATA);
        b.id = await(b, CmEventType.CONNECT_REQUEST).id();
        b.makeQueuePair();
        b.id.accept(parameters, NO_DATA);
        await(a, CmEventType.ESTABLISHED);
        await(b, CmEventType.ESTABLISHED);
        listener.close();
    }

    private CmEvent await(final End end, final CmEventType type)
    {
        final CmEvent[] found = new CmEvent[1];
        final long deadline = System.nanoTime() + 60_000_000_000L;
        while (found[0] == null)
        {
            if (System.nanoTime() - deadline > 0)
            {
                throw new AssertionError("waits for " + type + ": " + a.device.counters() + b.device.counters());
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
        arena.close();
    }

    /** One side. */
    final class End
    {
        final RoceDevice device;
        final ProtectionDomain domain;
        final MemorySegment memory = arena.allocate(MEMORY, 64);
        final MemoryRegion region;
        final CompletionQueue sends;
        final CompletionQueue receives;
        CmId id;
        QueuePair queuePair;

        End(final RoceOptions options)
        {
            device = RoceDevice.open(options.withAddress(LoopbackAddress.random()));
            domain = device.allocateProtectionDomain();
            region = domain.register(memory.address(), MEMORY, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
            sends = device.createCompletionQueue(DEPTH, null);
            receives = device.createCompletionQueue(DEPTH, null);
        }

        void makeQueuePair()
        {
            queuePair = id.createQueuePair(domain, new QpAttributes(sends, receives, DEPTH, DEPTH, 64, 1));
            for (int i = 0; i < DEPTH; i++)
            {
                queuePair.addReceive(i, 0, 0, 0);
            }
            queuePair.postReceives();
        }

        void close()
        {
            queuePair.close();
            id.close();
            sends.close();
            receives.close();
            region.close();
            domain.close();
            device.close();
        }
    }
}

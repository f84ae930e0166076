package io.gannet.rdma.roce;

import io.gannet.rdma.AsyncEventHandler;
import io.gannet.rdma.CompletionChannel;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.ConnectionManager;
import io.gannet.rdma.DeviceLimits;
import io.gannet.rdma.DeviceStatistic;
import io.gannet.rdma.Errno;
import io.gannet.rdma.PortAttributes;
import io.gannet.rdma.PortState;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.roce.cm.CmAgent;
import io.gannet.rdma.roce.net.PacketSocket;
import io.gannet.rdma.roce.net.TransmitBatch;
import io.gannet.rdma.roce.rc.Counter;
import io.gannet.rdma.roce.rc.Counters;
import io.gannet.rdma.roce.rc.RcQueuePair;
import io.gannet.rdma.roce.rc.Tuning;
import io.gannet.rdma.roce.wire.Gid;
import io.gannet.rdma.roce.wire.Packets;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

/**
 * The software NIC. It has one port, port 1, with the address that its socket is bound to.
 */
public final class RoceDevice extends RdmaDevice
{
    private final DeviceLock lock = new DeviceLock();
    private final RandomIdentifiers identifiers;
    private final List<DeviceStatistic> statistics;
    private final Counters counters = new Counters();
    private final RegionTable regions;
    private final RoceConnectionManager connectionManager = new RoceConnectionManager(this);
    private final QueuePairs queuePairs = new QueuePairs(this);
    private final LocalPort port;
    private final Gid gid;
    private final Tuning tuning;
    private final PacketSocket socket;
    private final PacketDispatcher dispatcher;
    private final RocePaths paths;
    private final CmAgent agent;
    private final RoceWorker worker;
    private final LinkWatch link;
    private final RoceEvents events;

    /** Binds the port; {@link #open} finds one. */
    RoceDevice(final RoceOptions options, final LocalPort port, final RandomIdentifiers identifiers)
    {
        this.identifiers = identifiers;
        this.port = port;
        statistics = Arrays.stream(Counter.values())
            .map(counter -> new DeviceStatistic(counter.label(), () -> counters.get(counter)))
            .toList();
        regions = new RegionTable(this, identifiers.random());
        gid = Gid.of(port.address());
        tuning = options.tuning();
        link = new LinkWatch(port);
        events = new RoceEvents(queuePairs, link);
        socket = port.bind(options, counters);
        final TransmitBatch batch = new TransmitBatch(socket.isSegmenting());
        paths = new RocePaths(port.address(), socket, batch);
        dispatcher = new PacketDispatcher(gid, options.allow(), counters);
        agent = new CmAgent(
            gid, Packets.mtuCode(port.mtu()), identifiers, new GsiSender(this), connectionManager, counters);
        dispatcher.agent(agent);
        worker = new RoceWorker(socket, batch, dispatcher, agent, queuePairs, counters);
    }

    /**
     * Opens a NIC.
     *
     * @throws RdmaException with {@link Errno#EADDRINUSE} or {@link Errno#EADDRNOTAVAIL}, naming the address and the
     *                       remedy.
     */
    public static RoceDevice open(final RoceOptions options)
    {
        return RoceOpener.open(options, new RandomIdentifiers());
    }

    @Override
    public String name()
    {
        return "roce:" + port.address().getHostAddress();
    }

    @Override
    public DeviceLimits limits()
    {
        return RoceLimits.LIMITS;
    }

    @Override
    public PortAttributes port(final int number)
    {
        if (number != 1)
        {
            throw new RdmaException(Errno.EINVAL, name() + " has port 1 alone, not port " + number);
        }
        return new PortAttributes(1, link.isUp() ? PortState.ACTIVE : PortState.DOWN, port.mtu(), port.address());
    }

    /** What happened to packets, by reason. */
    public Counters counters()
    {
        return counters;
    }

    @Override
    public List<DeviceStatistic> statistics()
    {
        return statistics;
    }

    @Override
    public int descriptor()
    {
        return socket.descriptor();
    }

    @Override
    public long waitLimit()
    {
        if (!lock.tryLock())
        {
            return 0;
        }
        try
        {
            return worker.waitLimit();
        }
        finally
        {
            lock.unlock();
        }
    }

    @Override
    public ProtectionDomain allocateProtectionDomain()
    {
        return new RoceProtectionDomain(this);
    }

    @Override
    public CompletionChannel createCompletionChannel()
    {
        return new RoceCompletionChannel(this);
    }

    @Override
    public CompletionQueue createCompletionQueue(final int depth, final CompletionChannel channel)
    {
        return RoceCompletionQueue.create(this, worker, depth, (RoceCompletionChannel) channel);
    }

    @Override
    public ConnectionManager connectionManager()
    {
        return connectionManager;
    }

    @Override
    public int pollAsyncEvents(final AsyncEventHandler handler)
    {
        return events.poll(handler);
    }

    @Override
    public int doWork()
    {
        if (!lock.tryLock())
        {
            return 0;
        }
        try
        {
            return worker.turn(System.nanoTime());
        }
        finally
        {
            lock.unlock();
        }
    }

    @Override
    public void transmit()
    {
        if (lock.tryLock())
        {
            try
            {
                worker.post(System.nanoTime());
            }
            finally
            {
                lock.unlock();
            }
        }
    }

    @Override
    protected void closeDevice()
    {
        lock.lock();
        try
        {
            worker.close();
        }
        finally
        {
            lock.unlock();
        }
    }

    // ---- for the resources of this device ----

    DeviceLock lock()
    {
        return lock;
    }

    InetAddress address()
    {
        return port.address();
    }

    Gid gid()
    {
        return gid;
    }

    CmAgent agent()
    {
        return agent;
    }

    RandomIdentifiers identifiers()
    {
        return identifiers;
    }

    RegionTable regions()
    {
        return regions;
    }

    Tuning tuning()
    {
        return tuning;
    }

    RcQueuePair.Events events()
    {
        return events;
    }

    PacketDispatcher dispatcher()
    {
        return dispatcher;
    }

    RocePaths paths()
    {
        return paths;
    }

    RoceQueuePair createQueuePair(final ProtectionDomain domain, final QpAttributes attributes)
    {
        QueuePairs.check(this, domain, attributes);
        lock.lock();
        try
        {
            return queuePairs.create(domain, attributes);
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Called under the lock. */
    void forget(final RoceQueuePair queuePair)
    {
        queuePairs.remove(queuePair);
    }
}

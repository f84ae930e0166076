package io.gannet.rdma.roce;

import io.gannet.os.OsException;
import io.gannet.rdma.AsyncEventHandler;
import io.gannet.rdma.AsyncEventType;
import io.gannet.rdma.CompletionChannel;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.ConnectionManager;
import io.gannet.rdma.DeviceLimits;
import io.gannet.rdma.DeviceStatistic;
import io.gannet.rdma.Errno;
import io.gannet.rdma.MemoryRegion;
import io.gannet.rdma.PortAttributes;
import io.gannet.rdma.PortState;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.Transport;
import io.gannet.rdma.roce.cm.CmAgent;
import io.gannet.rdma.roce.cm.CmConnection;
import io.gannet.rdma.roce.net.PacketSocket;
import io.gannet.rdma.roce.net.TransmitBatch;
import io.gannet.rdma.roce.net.UdpPath;
import io.gannet.rdma.roce.rc.CompletionRing;
import io.gannet.rdma.roce.rc.Counter;
import io.gannet.rdma.roce.rc.Counters;
import io.gannet.rdma.roce.rc.RcQueuePair;
import io.gannet.rdma.roce.rc.Region;
import io.gannet.rdma.roce.rc.Regions;
import io.gannet.rdma.roce.rc.Tuning;
import io.gannet.rdma.roce.wire.Gid;
import io.gannet.rdma.roce.wire.Packets;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The software NIC. It has one port, port 1, with the address that its socket is bound to.
 */
public final class RoceDevice extends RdmaDevice
{
    static final int MAX_QUEUE_PAIRS = 65_536;
    static final int MAX_QUEUE_DEPTH = 32_768;
    private static final int MAX_COMPLETION_QUEUES = 65_536;
    private static final int MAX_COMPLETIONS = 1 << 20;
    private static final int MAX_REGIONS = 1 << 20;
    private static final long MAX_REGION_BYTES = 1L << 40;
    private static final int MAX_MESSAGE = 1 << 30;
    /** Nanoseconds between looks at the timers of requests without an acknowledge; the shortest of them is 5 ms. */
    private static final long BUSY_WAIT = 1_000_000;
    /** Nanoseconds between looks at the connection manager's timers. */
    private static final long QUIET_WAIT = 20_000_000;
    private static final long WINDOW_INTERVAL = 10_000_000L;
    private static final DeviceLimits LIMITS = new DeviceLimits(
        Transport.ROCE_V2, MAX_QUEUE_PAIRS, MAX_QUEUE_DEPTH, MAX_COMPLETION_QUEUES, MAX_COMPLETIONS, MAX_REGIONS,
        MAX_REGION_BYTES, MAX_MESSAGE, true, true);

    private final DeviceLock lock = new DeviceLock();
    private final RandomIdentifiers identifiers;
    private final List<DeviceStatistic> statistics;
    private final Counters counters = new Counters();
    private final Regions regions;
    private final RoceConnectionManager connectionManager = new RoceConnectionManager(this);
    private final QueuePairs queuePairs = new QueuePairs(this);
    private final List<RoceCompletionQueue> announcing = new ArrayList<>();
    private final Queue<AsyncEvent> asyncEvents = new ConcurrentLinkedQueue<>();
    private final RcQueuePair.Events events = this::onProtocolEvent;
    private final InetAddress address;
    private final Gid gid;
    private final int mtu;
    private final Tuning tuning;
    private final PacketSocket socket;
    private final TransmitBatch batch;
    private final PacketDispatcher dispatcher;
    private final CmAgent agent;
    private final LinkWatch link;
    private int regionCount;
    private long windowsSeen = System.nanoTime();
    private boolean closed;

    private RoceDevice(final RoceOptions options, final LocalPort port, final RandomIdentifiers identifiers)
    {
        this.identifiers = identifiers;
        statistics = Arrays.stream(Counter.values())
            .map(counter -> new DeviceStatistic(counter.label(), () -> counters.get(counter)))
            .toList();
        regions = new Regions(identifiers.random());
        address = port.address();
        gid = Gid.of(address);
        mtu = port.mtu();
        tuning = options.tuning();
        socket = port.bind(options, counters);
        batch = new TransmitBatch(socket.isSegmenting());
        dispatcher = new PacketDispatcher(gid, options.allow(), counters);
        agent = new CmAgent(
            gid, Packets.mtuCode(mtu), identifiers, new GsiSender(this), connectionManager, counters);
        dispatcher.agent(agent);
        link = new LinkWatch(port);
    }

    /**
     * Opens a NIC.
     *
     * @throws RdmaException with {@link Errno#EADDRINUSE} or {@link Errno#EADDRNOTAVAIL}, naming the address and the
     *                       remedy.
     */
    public static RoceDevice open(final RoceOptions options)
    {
        return open(options, new RandomIdentifiers());
    }

    static RoceDevice open(final RoceOptions options, final RandomIdentifiers identifiers)
    {
        return options.address() != null ?
            open(options, LocalPort.of(options.address()), identifiers) :
            openFirst(options, LocalPort.loopback(), identifiers);
    }

    /** Opens the first of several addresses that is free. */
    static RoceDevice openFirst(
        final RoceOptions options, final List<LocalPort> ports, final RandomIdentifiers identifiers)
    {
        for (final LocalPort port : ports)
        {
            if (!port.address().equals(options.avoided()))
            {
                try
                {
                    return open(options, port, identifiers);
                }
                catch (final RdmaException taken)
                {
                    if (taken.errno() != Errno.EADDRINUSE)
                    {
                        throw taken;
                    }
                }
            }
        }
        throw new RdmaException(Errno.EADDRINUSE, "cannot open roce: UDP port " + Packets.UDP_PORT + " of all " +
            ports.size() + " addresses from " + ports.getFirst().address().getHostAddress() + " to " +
            ports.getLast().address().getHostAddress() + " is taken, by as many drivers, or by one program for all " +
            "addresses, as the kernel's rdma_rxe");
    }

    private static RoceDevice open(
        final RoceOptions options, final LocalPort port, final RandomIdentifiers identifiers)
    {
        try
        {
            return new RoceDevice(options, port, identifiers);
        }
        catch (final OsException e)
        {
            throw new RdmaException(e.errno(), "cannot open roce:" + port.address().getHostAddress() + ": " +
                e.getMessage());
        }
    }

    @Override
    public String name()
    {
        return "roce:" + address.getHostAddress();
    }

    @Override
    public DeviceLimits limits()
    {
        return LIMITS;
    }

    @Override
    public PortAttributes port(final int number)
    {
        if (number != 1)
        {
            throw new RdmaException(Errno.EINVAL, name() + " has port 1 alone, not port " + number);
        }
        return new PortAttributes(1, link.isUp() ? PortState.ACTIVE : PortState.DOWN, mtu, address);
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
            return batch.isEmpty() && queuePairs.areQuiet() ? QUIET_WAIT : BUSY_WAIT;
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
        if (depth < 1 || depth > MAX_COMPLETIONS)
        {
            throw new RdmaException(Errno.EINVAL, "cannot make a completion queue of " + depth +
                ": a queue has 1 to " + MAX_COMPLETIONS + " completions");
        }
        lock.lock();
        try
        {
            final RoceCompletionQueue queue =
                new RoceCompletionQueue(this, depth, (RoceCompletionChannel) channel);
            if (queue.hasChannel())
            {
                ((RoceCompletionChannel) channel).adopt();
                announcing.add(queue);
            }
            return queue;
        }
        finally
        {
            lock.unlock();
        }
    }

    @Override
    public ConnectionManager connectionManager()
    {
        return connectionManager;
    }

    @Override
    public int pollAsyncEvents(final AsyncEventHandler handler)
    {
        final AsyncEventType change = link.change(System.nanoTime());
        int count = 0;
        if (change != null)
        {
            handler.onAsyncEvent(change, 1, null);
            count++;
        }
        for (AsyncEvent event = asyncEvents.poll(); event != null; event = asyncEvents.poll())
        {
            handler.onAsyncEvent(event.type, event.number, event.queue);
            count++;
        }
        return count;
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
            return closed ? 0 : turn(System.nanoTime());
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
                if (!closed)
                {
                    post(System.nanoTime());
                }
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
            if (!closed)
            {
                closed = true;
                socket.send(batch);             // the last words of closed connections
                socket.close();
            }
        }
        finally
        {
            lock.unlock();
        }
    }

    private int turn(final long now)
    {
        dispatcher.now(now);
        int work = post(now);
        work += socket.receive(dispatcher);
        agent.onTime(now);
        if (now - windowsSeen >= WINDOW_INTERVAL)
        {
            windowsSeen = now;
            counters.set(Counter.SMALLEST_WINDOW, queuePairs.smallestWindow());
        }
        work += queuePairs.work(now);
        if (!batch.isEmpty())
        {
            work += socket.send(batch);
        }
        for (int i = 0; i < announcing.size(); i++)
        {
            announcing.get(i).announce();
        }
        return work;
    }

    /** Sends what was posted since the last turn, before the turn spends its time on what has come. */
    private int post(final long now)
    {
        return queuePairs.post(now) == 0 ? 0 : socket.send(batch);
    }

    // ---- for the resources of this device ----

    DeviceLock lock()
    {
        return lock;
    }

    InetAddress address()
    {
        return address;
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

    Regions regions()
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

    /** Why an address cannot be reached from the port, or {@link Errno#OK}. */
    int routeError(final InetAddress remote)
    {
        return Gid.of(remote).isIpv4() == gid.isIpv4() ? LocalPort.routeError(address, remote) : Errno.EHOSTUNREACH;
    }

    /** The way of a queue pair; its flow follows from its number. */
    UdpPath path(final CmConnection connection, final int qpn)
    {
        final int flows = socket.flows() - 1;
        return new UdpPath(batch, socket, gid, connection.peer(), flows == 0 ? 0 : 1 + qpn % flows,
            connection.trafficClass());
    }

    /** The way of connection management. */
    UdpPath path(final Gid peer, final int trafficClass)
    {
        return new UdpPath(batch, socket, gid, peer, 0, trafficClass);
    }

    RoceQueuePair createQueuePair(final ProtectionDomain domain, final QpAttributes attributes)
    {
        QueuePairs.check(attributes);
        if (!((RoceProtectionDomain) domain).belongsTo(this))
        {
            throw new RdmaException(Errno.EINVAL, "cannot make a queue pair in another device's protection domain");
        }
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

    MemoryRegion register(
        final RoceProtectionDomain domain, final long start, final long length, final int access)
    {
        lock.lock();
        try
        {
            if (regionCount == MAX_REGIONS)
            {
                throw new RdmaException(
                    Errno.ENOMEM, "cannot register memory: " + name() + " has its " + MAX_REGIONS + " regions");
            }
            regionCount++;
            domain.adopt();
            return new RoceMemoryRegion(this, domain, regions.register(start, length, access, domain));
        }
        finally
        {
            lock.unlock();
        }
    }

    void deregister(final Region region, final RoceProtectionDomain domain)
    {
        lock.lock();
        try
        {
            regions.deregister(region);
            regionCount--;
            domain.release();
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

    /** Called under the lock. */
    void forget(final RoceCompletionQueue queue)
    {
        announcing.remove(queue);
    }

    private void onProtocolEvent(final AsyncEventType type, final int qpn, final CompletionRing ring)
    {
        asyncEvents.add(new AsyncEvent(type, qpn, ring == null ? null : queuePairs.onOverrun(ring)));
    }

    private record AsyncEvent(AsyncEventType type, int number, CompletionQueue queue)
    {
    }
}

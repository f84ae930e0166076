package io.gannet.rdma.verbs;

import io.gannet.os.Descriptors;
import io.gannet.rdma.AsyncEventHandler;
import io.gannet.rdma.AsyncEventType;
import io.gannet.rdma.CompletionChannel;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.ConnectionManager;
import io.gannet.rdma.DeviceLimits;
import io.gannet.rdma.DeviceStatistic;
import io.gannet.rdma.Errno;
import io.gannet.rdma.PortAttributes;
import io.gannet.rdma.PortState;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.RdmaException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * An RDMA NIC through libibverbs and librdmacm.
 */
public final class VerbsDevice extends RdmaDevice
{
    private static final int MOST_NOTES = 100;
    /** Reading events is a system call; nothing depends on them alone. */
    private static final long ASYNC_INTERVAL = 1_000_000;

    private final RdmaLibrary library;
    private final EventChannel channel;
    private final VerbsContext context;
    private final List<DeviceAddress> addresses;
    private final long deviceList;
    private DeviceLimits limits;
    private final boolean critical;
    private final Predicate<InetAddress> allow;
    private final AtomicLong refused = new AtomicLong();
    private final List<DeviceStatistic> statistics;
    private final int ports;
    private final VerbsConnectionManager connectionManager;
    private final QueuePairMaker queuePairMaker = new QueuePairMaker(this);
    private final AsyncEvents.Subscription asyncEvents;
    private final Map<Long, VerbsCompletionQueue> queues = new ConcurrentHashMap<>();
    private final Queue<String> notes = new ConcurrentLinkedQueue<>();
    private long lastAsync = System.nanoTime() - ASYNC_INTERVAL;
    private int nextVector;
    private volatile boolean hasFailed;
    private boolean closed;

    private VerbsDevice(
        final RdmaLibrary library,
        final EventChannel channel,
        final VerbsContext context,
        final DeviceChoice choice,
        final VerbsOptions options)
    {
        this.library = library;
        this.channel = channel;
        this.context = context;
        addresses = choice.addresses();
        deviceList = choice.list();
        ports = context.ports();
        limits = context.limits(addresses.getFirst().port(), context.provider().isKnownToWriteWithImm());
        critical = options.criticalCalls() && context.provider().isBounded();
        allow = options.allow();
        statistics = List.of(
            new DeviceStatistic("connections refused: not allowed", refused::get),
            new DeviceStatistic("settings that the device refused", notes::size));
        asyncEvents = AsyncEvents.subscribe(library, context.address());
        connectionManager = new VerbsConnectionManager(this, channel);
    }

    /**
     * Opens a device.
     *
     * @throws RdmaException if libraries, kernel support, device, address or permission are missing; the message tells
     *                       which and the remedy.
     */
    public static VerbsDevice open(final VerbsOptions options)
    {
        return open(RdmaLibrary.installed(), options);
    }

    static VerbsDevice open(final RdmaLibrary library, final VerbsOptions options)
    {
        final EventChannel channel;
        try
        {
            channel = new EventChannel(library);
        }
        catch (final RdmaException e)
        {
            throw Absence.explain(e.errno());
        }
        DeviceChoice choice = null;
        try
        {
            choice = DeviceChoice.of(library, channel, options);
            return new VerbsDevice(library, channel, new VerbsContext(library, choice.context()), choice, options)
                .probe(options.probe());
        }
        catch (final RdmaException e)
        {
            channel.close();
            if (choice != null)
            {
                library.freeDevices.status(choice.list());
            }
            throw e;
        }
    }

    private VerbsDevice probe(final boolean wanted)
    {
        if (wanted && !context.provider().isKnown() && ImmediateProbe.works(this))
        {
            limits = context.limits(addresses.getFirst().port(), true);
        }
        return this;
    }

    @Override
    public String name()
    {
        return "verbs:" + context.name();
    }

    @Override
    public DeviceLimits limits()
    {
        return limits;
    }

    /** Name of the user-space driver, such as {@code mlx5}. */
    public String provider()
    {
        return context.provider().name();
    }

    @Override
    public PortAttributes port(final int number)
    {
        if (number < 1 || number > ports)
        {
            throw new RdmaException(
                Errno.EINVAL, name() + " has port" + (ports == 1 ? " 1" : "s 1 to " + ports) + ", not port " + number);
        }
        final VerbsContext.Port port = context.port(number);
        final InetAddress address = addresses.stream().filter(each -> each.port() == number)
            .map(DeviceAddress::address).findFirst().orElse(addresses.getFirst().address());
        return new PortAttributes(number, port.state(), port.mtu(), address);
    }

    @Override
    public ProtectionDomain allocateProtectionDomain()
    {
        final long domain = library.allocPd.pointer(context.address(), 0);
        if (domain < 0)
        {
            throw new RdmaException((int) -domain, "cannot allocate a protection domain of " + name());
        }
        return new VerbsProtectionDomain(this, domain);
    }

    @Override
    public CompletionChannel createCompletionChannel()
    {
        final long made = library.createCompChannel.pointer(context.address(), 0);
        if (made < 0)
        {
            throw new RdmaException((int) -made, "cannot create a completion channel of " + name());
        }
        final VerbsCompletionChannel result = new VerbsCompletionChannel(this, made);
        Descriptors.setNonBlocking(result.fileDescriptor());
        return result;
    }

    @Override
    public CompletionQueue createCompletionQueue(final int depth, final CompletionChannel events)
    {
        if (depth < 1 || depth > limits.maxCompletions())
        {
            throw new RdmaException(Errno.EINVAL, "cannot make a completion queue of " + depth +
                ": a queue of " + name() + " has 1 to " + limits.maxCompletions() + " completions");
        }
        final VerbsCompletionChannel to = (VerbsCompletionChannel) events;
        final long made = library.createCq.pointer(
            context.address(), depth, 0, to == null ? 0 : to.handle(), nextVector());
        if (made < 0)
        {
            throw new RdmaException((int) -made, "cannot make a completion queue of " + depth + " on " + name() +
                ": it has up to " + limits.maxCompletionQueues() + "; " + LockedMemory.ofThisProcess().explain(0));
        }
        final VerbsCompletionQueue queue = new VerbsCompletionQueue(this, to, made);
        queues.put(made, queue);
        return queue;
    }

    /** Spreads the interrupts of queues with channels over the device's vectors, and so over processors. */
    private synchronized int nextVector()
    {
        nextVector = (nextVector + 1) % context.completionVectors();
        return nextVector;
    }

    @Override
    public ConnectionManager connectionManager()
    {
        return connectionManager;
    }

    @Override
    public boolean isRemoved()
    {
        return hasFailed || connectionManager.isRemoved();
    }

    @Override
    public int pollAsyncEvents(final AsyncEventHandler handler)
    {
        final long now = System.nanoTime();
        if (now - lastAsync < ASYNC_INTERVAL)
        {
            return 0;
        }
        lastAsync = now;
        asyncEvents.read();
        int count = 0;
        for (AsyncEvents.Event event = asyncEvents.next(); event != null; event = asyncEvents.next())
        {
            VerbsCompletionQueue queue = null;
            if (event.type() == AsyncEventType.DEVICE_FATAL)
            {
                hasFailed = true;
            }
            if (event.type() == AsyncEventType.CQ_ERR)
            {
                queue = queues.get(event.element());
                if (queue == null)
                {
                    continue;               // another device's on the same context
                }
                queue.onOverrun();
            }
            handler.onAsyncEvent(event.type(), event.number(), queue);
            count++;
        }
        return count;
    }

    @Override
    public int doWork()
    {
        return 0;
    }

    @Override
    public List<DeviceStatistic> statistics()
    {
        return statistics;
    }

    @Override
    public List<String> preflight(final long bytes)
    {
        final List<String> found = new ArrayList<>();
        final LockedMemory memory = LockedMemory.ofThisProcess();
        if (!memory.allows(bytes))
        {
            found.add("streams cannot be registered with " + name() + ": " + memory.explain(bytes));
        }
        final NumaPlacement placement = NumaPlacement.of(context.name());
        if (!placement.isNear())
        {
            found.add(placement.explain(name()));
        }
        return found;
    }

    /** {@return what did not go as wished but stops nothing, once each} */
    public Collection<String> notes()
    {
        return List.copyOf(notes);
    }

    void note(final String text)
    {
        if (notes.size() < MOST_NOTES && !notes.contains(text))
        {
            notes.add(text);
        }
    }

    @Override
    protected void closeDevice()
    {
        if (!closed)
        {
            closed = true;
            final boolean last = asyncEvents.close();
            connectionManager.close();
            channel.close();
            if (last && isRemoved())
            {
                context.letGo();
            }
            library.freeDevices.status(deviceList);
        }
    }

    // ---- for the resources of this device ----

    RdmaLibrary library()
    {
        return library;
    }

    VerbsContext context()
    {
        return context;
    }

    boolean isCritical()
    {
        return critical;
    }

    /** Whether a peer may connect; counts those that may not. */
    boolean admits(final InetAddress peer)
    {
        final boolean admitted = allow.test(peer);
        if (!admitted)
        {
            refused.incrementAndGet();
        }
        return admitted;
    }

    QueuePairMaker queuePairMaker()
    {
        return queuePairMaker;
    }

    /**
     * {@return what to make of a resource's failure to close: one of a removed device, which the kernel has destroyed
     * already, is closed}
     */
    int closing(final int error)
    {
        return isRemoved() && (error == Errno.EIO || error == Errno.ENODEV) ? Errno.OK : error;
    }

    void forget(final VerbsCompletionQueue queue)
    {
        queues.remove(queue.handle());
    }

    /** Whether the port is active; one that cannot be asked is gone, and nothing waits for it. */
    boolean isPortUp()
    {
        try
        {
            return context.port(addresses.getFirst().port()).state() == PortState.ACTIVE;
        }
        catch (final RdmaException gone)
        {
            return true;
        }
    }

    InetAddress firstAddress()
    {
        return addresses.getFirst().address();
    }

    boolean hasAddress(final InetAddress address)
    {
        return addresses.stream().anyMatch(each -> each.address().equals(address));
    }

    String addressText()
    {
        return addresses.stream().map(each -> each.address().getHostAddress()).collect(Collectors.joining(", "));
    }

    /** {@return the address of this device from which to connect to another, or null if it has none of that kind} */
    InetAddress addressTowards(final InetAddress remote)
    {
        final boolean ipv4 = remote instanceof Inet4Address;
        return addresses.stream().map(DeviceAddress::address)
            .filter(address -> address instanceof Inet4Address == ipv4).findFirst().orElse(null);
    }
}

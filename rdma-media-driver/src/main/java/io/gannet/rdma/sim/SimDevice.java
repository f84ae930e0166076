package io.gannet.rdma.sim;

import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.gannet.rdma.AsyncEventHandler;
import io.gannet.rdma.AsyncEventType;
import io.gannet.rdma.CompletionChannel;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.ConnectionManager;
import io.gannet.rdma.DeviceLimits;
import io.gannet.rdma.Errno;
import io.gannet.rdma.PortAttributes;
import io.gannet.rdma.PortState;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.Transport;

/**
 * A simulated NIC with one port.
 */
public final class SimDevice extends RdmaDevice
{
    private final SimFabric fabric;
    private InetAddress address;
    private final SimConnectionManager connectionManager;
    private final Map<Integer, SimQueuePair> queuePairs = new LinkedHashMap<>();
    private final Map<Integer, SimMemoryRegion> regions = new HashMap<>();
    private final List<SimCompletionChannel> channels = new ArrayList<>();
    private final List<SimCompletionQueue> completionQueues = new ArrayList<>();
    /** The one that had its address before and has crashed, or null. */
    private SimDevice before;
    private int lastNumber = 1;
    private final ArrayDeque<AsyncEvent> events = new ArrayDeque<>();
    private Runnable whenSignalled = () ->
    {
    };
    private boolean alive = true;
    private boolean portUp = true;
    private long portFreeAt;
    private int queuePairsWithErrors;

    SimDevice(final SimFabric fabric, final InetAddress address, final SimDevice before)
    {
        this.fabric = fabric;
        this.before = before;
        this.address = address;
        this.connectionManager = new SimConnectionManager(this);
    }

    @Override
    public String name()
    {
        return "sim:" + address.getHostAddress();
    }

    @Override
    public DeviceLimits limits()
    {
        return new DeviceLimits(
            Transport.ROCE_V2, 4096, 4096, 1024, 32768, 65536, 1L << 31, 8 << 20,
            fabric.profile().writeWithImm || fabric.profile().claimsWriteWithImm, false);
    }

    @Override
    public PortAttributes port(final int number)
    {
        if (number != 1)
        {
            throw new RdmaException(Errno.EINVAL, name() + " has port 1 only, asked for port " + number);
        }
        return new PortAttributes(1, portUp ? PortState.ACTIVE : PortState.DOWN, 4096, address);
    }

    @Override
    public ProtectionDomain allocateProtectionDomain()
    {
        return new SimProtectionDomain(this);
    }

    @Override
    public CompletionChannel createCompletionChannel()
    {
        final SimCompletionChannel channel = new SimCompletionChannel(this);
        channels.add(channel);
        return channel;
    }

    @Override
    public CompletionQueue createCompletionQueue(final int depth, final CompletionChannel channel)
    {
        if (depth < 1 || depth > limits().maxCompletions())
        {
            throw new RdmaException(Errno.EINVAL,
                "completion queue depth must be in [1, " + limits().maxCompletions() + "], is " + depth);
        }
        final SimCompletionQueue queue = new SimCompletionQueue(this, depth, (SimCompletionChannel) channel);
        completionQueues.add(queue);
        if (before != null && fabric.profile().repeatsNumbers &&
            completionQueues.size() <= before.completionQueues.size())
        {
            queue.inherit(before.completionQueues.get(completionQueues.size() - 1));
        }
        return queue;
    }

    @Override
    public ConnectionManager connectionManager()
    {
        return connectionManager;
    }

    @Override
    public int pollAsyncEvents(final AsyncEventHandler handler)
    {
        int count = 0;
        for (AsyncEvent event = events.poll(); event != null; event = events.poll())
        {
            handler.onAsyncEvent(event.type, event.number, event.queue);
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
    protected void closeDevice()
    {
        alive = false;
        fabric.unplug(this);
    }

    public InetAddress address()
    {
        return address;
    }

    /**
     * The host stops without a word: no queue pair, listener or identifier of it answers any more, and no completion or
     * event comes. What was made from the device need not be closed.
     */
    public void crash()
    {
        note("crash", 0, 0);
        for (final SimQueuePair queuePair : queuePairs.values())
        {
            queuePair.abandon();
        }
        regions.clear();
        before = null;
        alive = false;
    }

    /** Gets another address: connections of the old one are not heard of any more, nor listeners bound to it. */
    public void moveTo(final InetAddress another)
    {
        fabric.unplug(this);
        address = another;
        fabric.plug(this);
        note("address change", another.hashCode(), 0);
        connectionManager.onAddressChange();
    }

    /** {@return a number for a queue pair or a connection, which need not be new} */
    int newNumber()
    {
        return fabric.profile().repeatsNumbers ? ++lastNumber : fabric.randomInt();
    }

    /**
     * The process dies and its kernel tidies up: connections are ended towards their peers, then as {@link #crash()}.
     */
    public void kill()
    {
        connectionManager.disconnectAll();
        crash();
    }

    /** {@return the channels of this device, in the order in which they were made} */
    public List<SimCompletionChannel> channels()
    {
        return channels;
    }

    /** Tells whoever sleeps on channels of this device, at each event. */
    public void onSignal(final Runnable listener)
    {
        whenSignalled = listener;
    }

    void signalled()
    {
        whenSignalled.run();
    }

    /** {@return false after a crash} */
    public boolean isAlive()
    {
        return alive;
    }

    /**
     * Moves one of the queue pairs to the error state, as a device does that has trouble of its own.
     *
     * @param which any number; taken modulo the queue pairs there are.
     */
    public void failQueuePair(final int which)
    {
        if (!queuePairs.isEmpty())
        {
            final int skipped = Math.floorMod(which, queuePairs.size());
            queuePairs.values().stream().skip(skipped).findFirst().ifPresent(SimQueuePair::breakDown);
        }
    }

    /** {@return queue pairs that broke down, and of which a completion with an error was polled before the close} */
    public int queuePairsWithErrors()
    {
        return queuePairsWithErrors;
    }

    void onErrorSeen()
    {
        queuePairsWithErrors++;
    }

    /**
     * Takes the link down. What is sent from then on fails or hangs, as the profile says.
     */
    public void portDown()
    {
        if (portUp)
        {
            portUp = false;
            raise(AsyncEventType.PORT_ERR, 1, null);
        }
    }

    /**
     * Takes the link up again; queue pairs that failed stay failed.
     */
    public void portUp()
    {
        if (!portUp)
        {
            portUp = true;
            raise(AsyncEventType.PORT_ACTIVE, 1, null);
        }
    }

    boolean isPortUp()
    {
        return portUp;
    }

    SimFabric fabric()
    {
        return fabric;
    }

    SimConnectionManager sim()
    {
        return connectionManager;
    }

    void raise(final AsyncEventType type, final int number, final CompletionQueue queue)
    {
        note(type.name(), number, 0);
        events.add(new AsyncEvent(type, number, queue));
    }

    void note(final String what, final long a, final long b)
    {
        fabric.note(address.getHostAddress(), what, a, b);
    }

    /**
     * @return when the port has sent the bytes, after all that it was given before.
     */
    long transmit(final int length)
    {
        final long duration = 50 + (long) ((length + 64) / fabric.profile().bytesPerNano);
        portFreeAt = Math.max(portFreeAt, fabric.now()) + duration;
        return portFreeAt;
    }

    int add(final SimQueuePair queuePair)
    {
        if (queuePairs.size() == limits().maxQueuePairs())
        {
            throw new RdmaException(Errno.ENOMEM,
                name() + " has " + limits().maxQueuePairs() + " queue pairs, all in use");
        }
        int number = newNumber() & 0xFF_FFFF;
        while (number < 2 || queuePairs.containsKey(number))
        {
            number = newNumber() & 0xFF_FFFF;
        }
        queuePairs.put(number, queuePair);
        return number;
    }

    void remove(final SimQueuePair queuePair)
    {
        queuePairs.remove(queuePair.number());
    }

    SimQueuePair queuePair(final int number)
    {
        return queuePairs.get(number);
    }

    int add(final SimMemoryRegion region)
    {
        int key = fabric.randomInt();
        while (key == 0 || regions.containsKey(key))
        {
            key = fabric.randomInt();
        }
        regions.put(key, region);
        return key;
    }

    void remove(final int key)
    {
        regions.remove(key);
    }

    SimMemoryRegion region(final int key)
    {
        return regions.get(key);
    }

    private record AsyncEvent(AsyncEventType type, int number, CompletionQueue queue)
    {
    }
}

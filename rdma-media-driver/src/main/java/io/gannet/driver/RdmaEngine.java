package io.gannet.driver;

import io.gannet.driver.stream.Receiver;
import io.gannet.driver.stream.Replication;
import io.gannet.driver.stream.ReplicationSettings;
import io.gannet.driver.stream.Sender;
import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.ResourceKind;
import io.gannet.rdma.roce.RoceDevice;
import io.gannet.rdma.roce.RoceOptions;
import io.gannet.ring.Bell;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.agrona.concurrent.Agent;

/**
 * The driver's device, and replication over it: control in the conductor's duty cycle, the sender and the receiver as
 * services of their roles. The receiver moves the device.
 */
final class RdmaEngine
{
    private static final long STOP_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long STOP_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final RdmaDevice device;
    private final RemoteStreams remote;
    private final Replication replication;
    private final ConductorInbox inbox;
    private final DriverErrors errors;
    private final Sender sender = new Sender();
    private final Receiver receiver = new Receiver();
    private final Sleeper senderBell = new PacedSleeper(new ThreadBell(), this::isBusy);
    private final Sleeper receiverBell = new PacedSleeper(new ThreadBell(), this::isBusy);
    private boolean closed;

    private RdmaEngine(
        final RdmaDevice device,
        final RingMaker maker,
        final ResourceExecutor resources,
        final ConductorInbox inbox,
        final DriverErrors errors)
    {
        this.device = device;
        this.inbox = inbox;
        this.errors = errors;
        remote = new RemoteStreams(
            device.name(), device.port(1).address(), maker, resources, inbox, errors);
        replication = new Replication(device, ReplicationSettings.defaults(), sender, receiver, remote, remote,
            Bell.FUTEX_WAKER);
    }

    /**
     * Opens the configured device.
     *
     * @return null if there is none.
     * @throws DriverException if it can't be opened, with the remedy.
     */
    static RdmaEngine open(
        final DriverConfiguration configuration,
        final RingMaker maker,
        final ResourceExecutor resources,
        final ConductorInbox inbox,
        final DriverErrors errors)
    {
        if (configuration.get(DriverOptions.DEVICE) == DeviceKind.NONE)
        {
            return null;
        }
        final String address = configuration.get(DriverOptions.DEVICE_ADDRESS);
        try
        {
            return new RdmaEngine(RoceDevice.open(OptionType.AUTO.equals(address) ? RoceOptions.LOOPBACK :
                RoceOptions.LOOPBACK.withAddress(InetAddress.ofLiteral(address))), maker, resources, inbox, errors);
        }
        catch (final RdmaException failure)
        {
            throw new DriverException(failure.getMessage() + "; choose another address with " +
                DriverOptions.DEVICE_ADDRESS, failure);
        }
    }

    void connect(final Streams streams)
    {
        remote.connect(replication, streams);
    }

    RemoteStreams remote()
    {
        return remote;
    }

    RdmaDevice device()
    {
        return device;
    }

    /** Whether there are connections. Any thread. */
    boolean isBusy()
    {
        return device.resources().open(ResourceKind.QUEUE_PAIR) > 0;
    }

    List<DriverService> services()
    {
        return List.of(
            new Service(DriverService.Role.SENDER, new Role("sender", this::send), senderBell),
            new Service(DriverService.Role.RECEIVER, new Role("receiver", this::receive), receiverBell));
    }

    private int send()
    {
        final int work = sender.doWork(System.nanoTime());
        if (work > 0)
        {
            receiverBell.ring();
        }
        return work;
    }

    private int receive()
    {
        final int work = device.doWork();
        if (work > 0)
        {
            senderBell.ring();
        }
        return work + receiver.doWork(System.nanoTime());
    }

    /** The conductor's part. */
    int doWork(final long now)
    {
        return replication.doWork(now);
    }

    /** Ends all connections, in an orderly way if the agents can; on the conductor's thread, after the others' end. */
    void close()
    {
        if (closed)
        {
            return;
        }
        closed = true;
        remote.stop();
        replication.stop();
        final long deadline = System.nanoTime() + STOP_TIMEOUT_NANOS;
        while (!replication.isStopped() && System.nanoTime() - deadline < 0)
        {
            final int work = inbox.drain() + replication.doWork(System.nanoTime()) + send() + receive();
            if (work == 0)
            {
                LockSupport.parkNanos(STOP_PAUSE_NANOS);
            }
        }
        try
        {
            replication.close();
            device.doWork();
            device.close();
        }
        catch (final RdmaException failure)
        {
            errors.onError(failure);
        }
    }

    /** Closes the device of a driver that could not start. */
    void abandon()
    {
        closed = true;
        device.close();
    }

    private record Service(DriverService.Role role, Agent agent, Sleeper sleeper) implements DriverService
    {
    }

    private record Role(String roleName, IntSupplier cycle) implements Agent
    {
        @Override
        public int doWork()
        {
            return cycle.getAsInt();
        }
    }
}

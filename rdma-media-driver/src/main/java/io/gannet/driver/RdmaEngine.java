package io.gannet.driver;

import io.gannet.control.DriverFile;
import io.gannet.driver.stream.Receiver;
import io.gannet.driver.stream.Replication;
import io.gannet.driver.stream.ReplicationSettings;
import io.gannet.driver.stream.Sender;
import io.gannet.os.NamedPipe;
import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.RdmaException;
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
    private final Sender sender = new Sender(this::ringSender);
    private final Receiver receiver = new Receiver(this::ringReceiver);
    private final NamedPipe pipe;
    private final PollBell senderBell;
    private final PollBell receiverBell;
    private final Sleeper conductorBell;
    private boolean closed;

    private RdmaEngine(
        final RdmaDevice device,
        final RingMaker maker,
        final ResourceExecutor resources,
        final ConductorInbox inbox,
        final DriverFile driverFile,
        final boolean dedicated,
        final DriverErrors errors)
    {
        this.device = device;
        pipe = driverFile.pipe();
        this.inbox = inbox;
        this.errors = errors;
        remote = new RemoteStreams(
            device.name(), device.port(1).address(), maker, resources, inbox, errors);
        replication = new Replication(device, ReplicationSettings.defaults(), sender, receiver, remote, remote,
            Bell.FUTEX_WAKER);
        if (dedicated)
        {
            senderBell = new PollBell(new SenderWaking(), pipe.descriptor(), replication.senderDescriptor());
            receiverBell = new PollBell(
                new ReceiverWaking(), device.descriptor(), replication.receiverDescriptor());
            conductorBell = new ConductorBell(driverFile.bell());
        }
        else
        {
            senderBell = new PollBell(new SharedWaking(driverFile.bell()), pipe.descriptor(),
                replication.senderDescriptor(), device.descriptor(), replication.receiverDescriptor());
            receiverBell = senderBell;
            conductorBell = senderBell;
        }
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
        final DriverFile driverFile,
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
                RoceOptions.LOOPBACK.withAddress(InetAddress.ofLiteral(address))), maker, resources, inbox, driverFile,
                configuration.get(DriverOptions.THREADING) == ThreadingMode.DEDICATED, errors);
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

    /** What the conductor's thread sleeps on. */
    Sleeper conductorBell()
    {
        return conductorBell;
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
        final int moved = device.doWork();
        final int work = moved + receiver.doWork(System.nanoTime());
        if (work > 0)
        {
            // Feedback comes without a completion.
            senderBell.ring();
            if (replication.hasConnectionEvents())
            {
                conductorBell.ring();
            }
        }
        return work;
    }

    private void ringSender()
    {
        if (senderBell != null)
        {
            senderBell.ring();
        }
    }

    private void ringReceiver()
    {
        if (receiverBell != null)
        {
            receiverBell.ring();
        }
    }

    /** The conductor's part. */
    int doWork(final long now)
    {
        final int work = replication.doWork(now);
        if (work > 0)
        {
            // Messages of the connection manager are for the device to send.
            receiverBell.ring();
        }
        return work;
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
        closeBells();
    }

    /** Nobody rings any more. */
    void closeBells()
    {
        senderBell.close();
        if (receiverBell != senderBell)
        {
            receiverBell.close();
        }
    }

    /** Publishers wake the sender by the pipe. */
    private final class SenderWaking implements PollBell.Waking
    {
        @Override
        public void arm()
        {
            sender.arm();
        }

        @Override
        public void disarm()
        {
            sender.disarm();
        }

        @Override
        public long waitLimit()
        {
            return sender.waitLimit(System.nanoTime());
        }

        @Override
        public void drain()
        {
            pipe.drain();
        }
    }

    /** Packets wake the receiver. */
    private final class ReceiverWaking implements PollBell.Waking
    {
        @Override
        public void arm()
        {
            receiver.arm();
        }

        @Override
        public void disarm()
        {
            receiver.disarm();
        }

        @Override
        public long waitLimit()
        {
            return Math.min(receiver.waitLimit(System.nanoTime()), device.waitLimit());
        }

        @Override
        public void drain()
        {
            // The device takes the packets.
        }
    }

    /** One thread is conductor, sender and receiver. */
    private final class SharedWaking implements PollBell.Waking
    {
        private final io.gannet.control.Bell clients;
        private final PollBell.Waking sending = new SenderWaking();
        private final PollBell.Waking receiving = new ReceiverWaking();

        SharedWaking(final io.gannet.control.Bell clients)
        {
            this.clients = clients;
        }

        @Override
        public void arm()
        {
            clients.armPipe();
            receiving.arm();
            sending.arm();
        }

        @Override
        public void disarm()
        {
            clients.disarm();
            receiving.disarm();
            sending.disarm();
        }

        @Override
        public long waitLimit()
        {
            return Math.min(sending.waitLimit(), receiving.waitLimit());
        }

        @Override
        public void drain()
        {
            sending.drain();
        }
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

package io.gannet.driver;

import io.gannet.control.DriverFile;
import io.gannet.driver.stream.Receiver;
import io.gannet.driver.stream.Replication;
import io.gannet.driver.stream.ReplicationSettings;
import io.gannet.driver.stream.Sender;
import io.gannet.os.NamedPipe;
import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.RdmaException;
import io.gannet.ring.Bell;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The driver's open device, and replication over it: control in the conductor's duty cycle, the sender and the receiver
 * in those of their threads. The receiver moves the device.
 */
final class RdmaEngine
{
    private static final long STOP_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long STOP_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final RdmaDevice device;
    private final Replication replication;
    private final ConductorInbox inbox;
    private final DriverErrors errors;
    /** Whether sender, receiver and conductor have a thread each. */
    private final boolean dedicated;
    private final Sender sender = new Sender(this::ringSender);
    private final Receiver receiver = new Receiver(this::ringReceiver);
    private final NamedPipe pipe;
    private final PollBell senderBell;
    private final PollBell receiverBell;
    private final Sleeper conductorBell;

    RdmaEngine(
        final RdmaDevice device,
        final RemoteStreams remote,
        final RemoteImages images,
        final ConductorInbox inbox,
        final DriverFile driverFile,
        final boolean dedicated,
        final ReplicationSettings settings,
        final DriverErrors errors)
    {
        this.device = device;
        pipe = driverFile.pipe();
        this.inbox = inbox;
        this.errors = errors;
        this.dedicated = dedicated;
        replication = new Replication(
            device, settings, sender, receiver, remote, images, Bell.FUTEX_WAKER, driverFile.identity());
        // Tells it the time, from which what the driver before has left is given its timeouts.
        replication.doWork(System.nanoTime());
        remote.opened(replication, settings, device.name(), device.port(1).address());
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

    RdmaDevice device()
    {
        return device;
    }

    /** What the conductor's thread sleeps on. */
    Sleeper conductorBell()
    {
        return conductorBell;
    }

    /** What the sender's thread sleeps on. */
    Sleeper senderBell()
    {
        return senderBell;
    }

    /** What the receiver's thread sleeps on. */
    Sleeper receiverBell()
    {
        return receiverBell;
    }

    /** A duty cycle of the sender. */
    int send()
    {
        final int work = sender.doWork(System.nanoTime());
        if (work > 0)
        {
            if (dedicated)
            {
                receiverBell.ring();
            }
            else
            {
                device.transmit();
            }
        }
        return work;
    }

    /** A duty cycle of the receiver, and of the device. */
    int receive()
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
        replication.suspend();
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
}

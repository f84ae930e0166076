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
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The driver's open device, and replication over it: control in the conductor's duty cycle, senders and receivers in
 * those of their threads. The first receiver moves the device.
 */
final class RdmaEngine
{
    private static final long STOP_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long STOP_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final RdmaDevice device;
    private final Replication replication;
    private final ConductorInbox inbox;
    private final DriverErrors errors;
    /** Whether senders, receivers and conductor have a thread each. */
    private final boolean dedicated;
    /** Whether one thread, the driver's own, is all three. */
    private final boolean lingers;
    private final AnswerWait answers;
    private final Sender[] senders;
    private final Receiver[] receivers;
    private final NamedPipe pipe;
    /** Of each sender and of each receiver; with one thread for all, one bell. */
    private final PollBell[] senderBells;
    private final PollBell[] receiverBells;
    private final Sleeper conductorBell;

    RdmaEngine(
        final RdmaDevice device,
        final RemoteStreams remote,
        final RemoteImages images,
        final ConductorInbox inbox,
        final DriverFile driverFile,
        final int agents,
        final ThreadingMode threading,
        final ReplicationSettings settings,
        final DriverErrors errors)
    {
        this.device = device;
        pipe = driverFile.pipe();
        this.inbox = inbox;
        this.errors = errors;
        dedicated = threading == ThreadingMode.DEDICATED;
        lingers = threading == ThreadingMode.SHARED;
        senders = new Sender[agents];
        receivers = new Receiver[agents];
        senderBells = new PollBell[agents];
        receiverBells = new PollBell[agents];
        for (int i = 0; i < agents; i++)
        {
            final int index = i;
            senders[i] = new Sender(() -> ring(senderBells[index]));
            receivers[i] = new Receiver(() -> ring(receiverBells[index]));
        }
        answers = new AnswerWait(senders[0]::hasNews, System::nanoTime);
        replication = new Replication(device, settings, List.of(senders), List.of(receivers), remote, images,
            Bell.FUTEX_WAKER, driverFile.identity());
        try
        {
            makeBells(driverFile.bell());
        }
        catch (final RuntimeException shortage)
        {
            closeBells();
            replication.close();
            throw shortage;
        }
        conductorBell = dedicated ? new ConductorBell(driverFile.bell()) : senderBells[0];
        // Tells it the time, from which what the driver before has left is given its timeouts.
        replication.doWork(System.nanoTime());
        remote.opened(replication, settings, device.name(), device.port(1).address());
    }

    private void makeBells(final io.gannet.control.Bell clients)
    {
        if (!dedicated)
        {
            senderBells[0] = new PollBell(new SharedWaking(clients), pipe.descriptor(),
                replication.senderDescriptor(0), device.descriptor(), replication.receiverDescriptor(0));
            receiverBells[0] = senderBells[0];
            return;
        }
        for (int i = 0; i < senders.length; i++)
        {
            senderBells[i] =
                new PollBell(new SenderWaking(i), pipe.descriptor(), replication.senderDescriptor(i));
            receiverBells[i] = new PollBell(new ReceiverWaking(i),
                i == 0 ? device.descriptor() : -1, replication.receiverDescriptor(i));
        }
    }

    RdmaDevice device()
    {
        return device;
    }

    /** Tells other hosts' doctors what this host is like. */
    void answerDoctors(final InetSocketAddress address)
    {
        replication.answerDoctors(address);
    }

    /** What the conductor's thread sleeps on. */
    Sleeper conductorBell()
    {
        return conductorBell;
    }

    /** What a sender's thread sleeps on. */
    Sleeper senderBell(final int index)
    {
        return senderBells[index];
    }

    /** What a receiver's thread sleeps on. */
    Sleeper receiverBell(final int index)
    {
        return receiverBells[index];
    }

    /** A duty cycle of a sender. */
    int send(final int index)
    {
        final int work = senders[index].doWork(System.nanoTime());
        if (work > 0)
        {
            if (dedicated)
            {
                receiverBells[0].ring();
            }
            else
            {
                device.transmit();
            }
        }
        return work;
    }

    /** A duty cycle of a receiver; the first one's is the device's too. */
    int receive(final int index)
    {
        final int moved = index == 0 ? device.doWork() : 0;
        int work = moved + receivers[index].doWork(System.nanoTime());
        if (lingers && receivers[index].hasDelivered() && answers.await())
        {
            work += send(index);
        }
        if (work > 0)
        {
            // Feedback comes without a completion, to whichever sender.
            for (final PollBell bell : senderBells)
            {
                bell.ring();
            }
            if (index != 0)
            {
                receiverBells[0].ring();        // what it posted is for the device to send
            }
            if (replication.hasConnectionEvents())
            {
                conductorBell.ring();
            }
        }
        return work;
    }

    /** Agents ring before there are bells. */
    private static void ring(final PollBell bell)
    {
        if (bell != null)
        {
            bell.ring();
        }
    }

    /** How the rings are spread over senders. For tests. */
    int[] senderShares()
    {
        return replication.senderShares();
    }

    /** How the images are spread over receivers. For tests. */
    int[] receiverShares()
    {
        return replication.receiverShares();
    }

    /** The conductor's part. */
    int doWork(final long now)
    {
        final int work = replication.doWork(now);
        if (work > 0)
        {
            // Messages of the connection manager are for the device to send.
            receiverBells[0].ring();
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
            int work = inbox.drain() + replication.doWork(System.nanoTime());
            for (int i = 0; i < senders.length; i++)
            {
                work += send(i) + receive(i);
            }
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

    /** Closes the device of a driver that could not start, and in which no agent has run. */
    void abandon()
    {
        closeBells();
        replication.close();
        device.close();
    }

    /** Nobody rings any more. */
    void closeBells()
    {
        for (int i = 0; i < senderBells.length; i++)
        {
            if (receiverBells[i] != null && receiverBells[i] != senderBells[i])
            {
                receiverBells[i].close();
            }
            if (senderBells[i] != null)
            {
                senderBells[i].close();
            }
        }
    }

    /** Publishers wake the sender by the pipe. */
    private final class SenderWaking implements PollBell.Waking
    {
        private final int index;

        SenderWaking(final int index)
        {
            this.index = index;
        }

        @Override
        public void arm()
        {
            senders[index].arm();
        }

        @Override
        public void disarm()
        {
            senders[index].disarm();
        }

        @Override
        public long waitLimit()
        {
            return senders[index].waitLimit(System.nanoTime());
        }

        @Override
        public void drain()
        {
            pipe.drain();
            // Whoever empties the pipe may have taken another sender's word.
            for (int i = 0; i < senderBells.length; i++)
            {
                senders[i].rang();
                if (i != index)
                {
                    senderBells[i].ring();
                }
            }
        }
    }

    /** Completions wake a receiver; packets the first one. */
    private final class ReceiverWaking implements PollBell.Waking
    {
        private final int index;

        ReceiverWaking(final int index)
        {
            this.index = index;
        }

        @Override
        public void arm()
        {
            receivers[index].arm();
        }

        @Override
        public void disarm()
        {
            receivers[index].disarm();
        }

        @Override
        public long waitLimit()
        {
            return Math.min(receivers[index].waitLimit(System.nanoTime()),
                index == 0 ? device.waitLimit() : Long.MAX_VALUE);
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
        private final PollBell.Waking sending = new SenderWaking(0);
        private final PollBell.Waking receiving = new ReceiverWaking(0);

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

package io.gannet.rdma.verbs;

import io.gannet.rdma.CmEvent;
import io.gannet.rdma.CmEventType;
import io.gannet.rdma.CmId;
import io.gannet.rdma.CmListener;
import io.gannet.rdma.CompletionQueue;
import io.gannet.rdma.ConnectParameters;
import io.gannet.rdma.Errno;
import io.gannet.rdma.ProtectionDomain;
import io.gannet.rdma.QpAttributes;
import io.gannet.rdma.QueuePair;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.RdmaResource;
import io.gannet.rdma.SendFlags;
import io.gannet.rdma.WcOpcode;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.WorkCompletions;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Finds out whether a device writes with an immediate, which no attribute tells: connects it with itself and posts
 * one of length 0. Devices that cannot refuse the post (irdma, siw) or fail it. For providers that are not known, once,
 * when the device is opened; whatever goes wrong means no, and the form for devices that cannot is used.
 */
final class ImmediateProbe
{
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);
    private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(50);
    private static final int IMM = 0x5ca1_ab1e;
    private static final int DEPTH = 4;
    /** Code of 640 us. */
    private static final int RNR_TIMER = 12;

    private final VerbsDevice device;
    private final long deadline = System.nanoTime() + PATIENCE;
    private final Deque<RdmaResource> open = new ArrayDeque<>();
    private ProtectionDomain domain;
    private CompletionQueue queue;
    private CmId connector;
    private CmId acceptor;
    private QueuePair sender;
    private int established;
    private boolean failed;

    private ImmediateProbe(final VerbsDevice device)
    {
        this.device = device;
    }

    static boolean works(final VerbsDevice device)
    {
        final ImmediateProbe probe = new ImmediateProbe(device);
        try
        {
            return probe.run();
        }
        catch (final RdmaException e)
        {
            device.note("whether it writes with immediates could not be tried: " + e.getMessage());
            return false;
        }
        finally
        {
            probe.close();
        }
    }

    private boolean run()
    {
        domain = opened(device.allocateProtectionDomain());
        queue = opened(device.createCompletionQueue(4 * DEPTH, null));
        final CmListener listener = opened(device.connectionManager().listen(
            new InetSocketAddress(device.port(1).address(), 0), this));
        connector = opened(device.connectionManager().createId());
        connector.resolve(listener.localAddress(), (int) TimeUnit.NANOSECONDS.toMillis(PATIENCE));
        while (established < 2 && !failed && inTime())
        {
            device.connectionManager().pollEvents(this::onEvent);
        }
        if (established < 2)
        {
            return false;
        }
        sender.addWriteWithImm(1, SendFlags.SIGNALED, 0, 0, 0, 0, 0, IMM);
        return sender.ringDoorbell() == Errno.OK && arrives();
    }

    private boolean arrives()
    {
        final WorkCompletions completions = new WorkCompletions(1);
        while (inTime())
        {
            final int count = queue.poll(completions);
            if (count < 0 || (count > 0 && completions.status(0) != WcStatus.SUCCESS))
            {
                return false;
            }
            if (count > 0 && WcOpcode.isReceive(completions.opcode(0)))
            {
                return completions.hasImm(0) && completions.imm(0) == IMM;
            }
        }
        return false;
    }

    private boolean inTime()
    {
        LockSupport.parkNanos(PAUSE);
        return System.nanoTime() - deadline < 0;
    }

    private void onEvent(final CmEvent event)
    {
        switch (event.type())
        {
            case ROUTE_RESOLVED ->
            {
                sender = makeQueuePair(connector);
                connector.connect(ConnectParameters.DEFAULT, VerbsConnectionManager.NO_DATA);
            }
            case CONNECT_REQUEST ->
            {
                acceptor = opened(event.id());
                makeQueuePair(acceptor);
                acceptor.accept(ConnectParameters.DEFAULT, VerbsConnectionManager.NO_DATA);
            }
            case ESTABLISHED -> established++;
            default -> failed |= event.type() != CmEventType.TIMEWAIT_EXIT;
        }
    }

    private QueuePair makeQueuePair(final CmId id)
    {
        final QueuePair made = opened(id.createQueuePair(
            domain, new QpAttributes(queue, queue, DEPTH, DEPTH, 0, RNR_TIMER)));
        made.addReceive(0, 0, 0, 0);
        made.postReceives();
        return made;
    }

    private <T extends RdmaResource> T opened(final T resource)
    {
        open.push(resource);
        return resource;
    }

    private void close()
    {
        for (final CmId id : new CmId[]{connector, acceptor})
        {
            if (id != null)
            {
                id.disconnect();
            }
        }
        while (!open.isEmpty())
        {
            open.pop().close();
        }
    }
}

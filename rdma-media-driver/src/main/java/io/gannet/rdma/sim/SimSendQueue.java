package io.gannet.rdma.sim;

import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Iterator;

import io.gannet.rdma.QpState;
import io.gannet.rdma.WcOpcode;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.WorkCompletions;

/**
 * Carries out the requests of one queue pair, in order: wire time, retries, acknowledgements, completions.
 */
final class SimSendQueue
{
    private final SimDevice device;
    private final SimQueuePair owner;
    /** Not yet completed, oldest first; the first ones may be executed and wait for their acknowledgement. */
    private final ArrayDeque<SimSend> outstanding = new ArrayDeque<>();
    private InetAddress peer;
    /** Own address of the connection; what a device with another one sends is not the connection's. */
    private InetAddress source;
    private SimQueuePair partner;
    private int retryCount;
    private int rnrRetry;
    private long ackTimeout;
    private long posted;
    private long reclaimed;
    private long lastArrival;
    private boolean hangs;

    SimSendQueue(final SimDevice device, final SimQueuePair owner)
    {
        this.device = device;
        this.owner = owner;
    }

    void connectTo(
        final InetAddress address,
        final SimQueuePair queuePair,
        final int retries,
        final int rnrRetries,
        final int timeoutCode)
    {
        peer = address;
        partner = queuePair;
        source = device.address();
        retryCount = retries;
        rnrRetry = rnrRetries;
        ackTimeout = 4096L << timeoutCode;
    }

    /** Slots that no polled completion has freed. */
    long used()
    {
        return posted - reclaimed;
    }

    void onPolled(final long sequence)
    {
        reclaimed = Math.max(reclaimed, sequence + 1);
    }

    void post(final SimSend send)
    {
        send.sequence = posted++;
        if (send.isInline())
        {
            send.materialize();
        }
        if (owner.state() == QpState.ERR)
        {
            owner.completeSend(send, WcStatus.WR_FLUSH_ERR, 0, 0, owner.flushDelay());
            return;
        }
        final SimFabric fabric = device.fabric();
        outstanding.add(send);
        send.startsAt = Math.max(fabric.now(), device.transmit(0));
        final long sentAt = device.transmit(send.length);
        final long held = fabric.chance(fabric.profile().requestHeld) ? fabric.upTo(fabric.profile().longestWire) : 0;
        final long arrival = Math.max(lastArrival + 1, sentAt + fabric.wireTime() + held);
        lastArrival = arrival;
        if (send.length > 8 && send.kind != SimSend.Kind.SEND && fabric.chance(fabric.profile().partialPlacement))
        {
            final long earliest = send.startsAt + fabric.profile().latency;
            fabric.after(Math.max(0, earliest - fabric.now() + fabric.upTo(Math.max(0, arrival - earliest - 1))),
                () -> placePart(send));
        }
        fabric.after(arrival - fabric.now(), () -> arrive(send));
    }

    private void placePart(final SimSend send)
    {
        if (canReach() && !send.executed && outstanding.contains(send) && isReadable(send))
        {
            SimResponder.placePart(device.fabric(), target(send), send);
        }
    }

    private void arrive(final SimSend send)
    {
        send.arrived = true;
        for (SimSend next = firstUnexecuted(); next != null && next.arrived; next = firstUnexecuted())
        {
            if (!execute(next))
            {
                break;
            }
        }
    }

    private SimSend firstUnexecuted()
    {
        for (final SimSend send : outstanding)
        {
            if (!send.executed)
            {
                return send;
            }
        }
        return null;
    }

    private boolean isReadable(final SimSend send)
    {
        return send.hasOwnBytes() || owner.mayRead(send);
    }

    private boolean isOver()
    {
        return owner.isClosed() || owner.state() == QpState.ERR || !device.isAlive();
    }

    private boolean canReach()
    {
        return !hangs && source.equals(device.address()) && device.fabric().reaches(device, peer);
    }

    /**
     * Who takes a request: the partner; or a queue pair that has its number in a later life of its device, if the
     * packet sequence number happens to fit, which is let happen to messages alone, as they tell whose they are.
     */
    private SimQueuePair target(final SimSend send)
    {
        final SimQueuePair target = device.fabric().device(peer).queuePair(partner.number());
        if (target == null || !target.isListening())
        {
            return null;
        }
        if (target.equals(partner))
        {
            return target;
        }
        final boolean fits = send.kind == SimSend.Kind.SEND && device.fabric().profile().writeWithImm;
        return fits && target.disturb() ? target : null;
    }

    /**
     * Lets the peer take one request.
     *
     * @return whether the next one may follow.
     */
    private boolean execute(final SimSend send)
    {
        final SimFabric fabric = device.fabric();
        if (!isOver() && !device.isPortUp())
        {
            onPortDown(send);
            return false;
        }
        if (!isReadable(send))
        {
            fail(send, WcStatus.LOC_PROT_ERR);
            return false;
        }
        final SimQueuePair target = canReach() ? target(send) : null;
        if (target == null || fabric.chance(fabric.profile().messageLoss))
        {
            retry(send);
            return false;
        }
        final SimResponder.Outcome outcome = SimResponder.execute(fabric, target, send);
        switch (outcome)
        {
            case DONE ->
            {
                send.executed = true;
                fabric.after(fabric.wireTime(), () -> acknowledge(send));
            }
            case NOT_READY -> retryNotReady(send, target);
            case ACCESS_ERROR -> fail(send, WcStatus.REM_ACCESS_ERR);
            case INVALID -> fail(send, WcStatus.REM_INV_REQ_ERR);
        }
        return outcome == SimResponder.Outcome.DONE;
    }

    private void onPortDown(final SimSend send)
    {
        if (hangs || device.fabric().chance(device.fabric().profile().portDownHangs))
        {
            hangs = true;
        }
        else
        {
            fail(send, WcStatus.LOC_QP_OP_ERR);
        }
    }

    private void retry(final SimSend send)
    {
        if (isOver())
        {
            outstanding.clear();
        }
        else if (send.retries++ >= retryCount && !(retryCount == 7 && device.fabric().profile().infiniteRetries))
        {
            fail(send, WcStatus.RETRY_EXC_ERR);
        }
        else
        {
            send.arrived = false;
            device.fabric().after(ackTimeout + device.fabric().wireTime(), () -> arrive(send));
        }
    }

    private void retryNotReady(final SimSend send, final SimQueuePair target)
    {
        if (isOver())
        {
            outstanding.clear();
        }
        else if (send.rnrRetries++ >= rnrRetry && rnrRetry != 7)
        {
            fail(send, WcStatus.RNR_RETRY_EXC_ERR);
        }
        else
        {
            send.arrived = false;
            device.note("rnr", owner.number(), send.rnrRetries);
            device.fabric().after(
                SimResponder.rnrDelay(target.minRnrTimer()) + device.fabric().wireTime(), () -> arrive(send));
        }
    }

    private void acknowledge(final SimSend send)
    {
        if (isOver() || !outstanding.contains(send))
        {
            return;
        }
        if (!canReach())
        {
            if (send.retries++ >= retryCount && !(retryCount == 7 && device.fabric().profile().infiniteRetries))
            {
                fail(send, WcStatus.RETRY_EXC_ERR);
            }
            else if (!hangs)
            {
                device.fabric().after(ackTimeout, () -> acknowledge(send));
            }
            return;
        }
        completeUpTo(send);
    }

    private void completeUpTo(final SimSend last)
    {
        SimSend send;
        do
        {
            send = outstanding.poll();
            if (send.isSignaled())
            {
                final int opcode = send.kind == SimSend.Kind.SEND ? WcOpcode.SEND : WcOpcode.RDMA_WRITE;
                final int flags = send.kind == SimSend.Kind.WRITE_WITH_IMM ? WorkCompletions.FLAG_WITH_IMM : 0;
                owner.completeSend(send, WcStatus.SUCCESS, opcode, flags, 0);
            }
        }
        while (send != last);
    }

    /** Ends the queue pair with this request, or the oldest before it that no acknowledgement covers. */
    private void fail(final SimSend send, final int status)
    {
        if (isOver())
        {
            outstanding.clear();
            return;
        }
        final boolean answered = status == WcStatus.REM_ACCESS_ERR || status == WcStatus.REM_INV_REQ_ERR;
        if (answered)
        {
            final SimSend before = lastBefore(send);
            if (before != null)
            {
                completeUpTo(before);
            }
        }
        final SimSend failed = outstanding.poll();
        owner.completeSend(failed, status, 0, 0, 0);
        owner.breakDown();
        // The peer takes nothing behind a gap.
        outstanding.clear();
    }

    private SimSend lastBefore(final SimSend send)
    {
        SimSend before = null;
        for (final SimSend other : outstanding)
        {
            if (other == send)
            {
                return before;
            }
            before = other;
        }
        return before;
    }

    /** Completes everything with a flush; what is on the wire may still land. */
    void flush()
    {
        for (final SimSend send : outstanding)
        {
            owner.completeSend(send, WcStatus.WR_FLUSH_ERR, 0, 0, owner.flushDelay());
        }
        abandon();
    }

    /** Forgets what has not left; what is on the wire may still land. */
    void abandon()
    {
        final long now = device.fabric().now();
        final Iterator<SimSend> each = outstanding.iterator();
        while (each.hasNext())
        {
            final SimSend send = each.next();
            if (send.executed || send.startsAt > now || hangs || !isReadable(send))
            {
                each.remove();
            }
            else
            {
                send.materialize();
            }
        }
    }
}

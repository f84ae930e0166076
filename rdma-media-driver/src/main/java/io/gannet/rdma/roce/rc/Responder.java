package io.gannet.rdma.roce.rc;

import io.gannet.rdma.Access;
import io.gannet.rdma.AsyncEventType;
import io.gannet.rdma.QpState;
import io.gannet.rdma.WcOpcode;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.WorkCompletions;
import io.gannet.rdma.roce.wire.Aeth;
import io.gannet.rdma.roce.wire.Bth;
import io.gannet.rdma.roce.wire.CreditCode;
import io.gannet.rdma.roce.wire.ImmDt;
import io.gannet.rdma.roce.wire.Opcode;
import io.gannet.rdma.roce.wire.Packets;
import io.gannet.rdma.roce.wire.Psn;
import io.gannet.rdma.roce.wire.Reth;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The receiving half of a queue pair: executes requests in order, each exactly once, and answers. Checks come in this
 * order, and only a request that passes all has any effect: sequence, opcode order, a receive where one is needed,
 * lengths, key and range.
 */
final class Responder
{
    private static final int NONE = 0;
    private static final int SEND = 1;
    private static final int WRITE = 2;
    private static final int NOTHING = -1;
    /** Nanoseconds for which requests are kept for one that should have come earlier. */
    private static final long LONGEST_HOLD = 200_000;
    /** Of a window of 128, and fewer than Soft-RoCE's 64 on the way. */
    private static final int URGENT_PACKETS = 8;

    private final RcQueuePair queuePair;
    private final ReceiveQueue queue;
    private final CompletionRing completions;
    private final Regions regions;
    private final Object domain;
    private final Counters counters;
    private final Tuning tuning;
    private final int minRnrTimer;

    private PacketSink sink;
    private int mtu;
    private int peerQpn;

    private long expectedPsn;
    private long messages;
    private int inProgress;
    private Region target;
    private long address;
    private long remaining;
    private long received;
    private boolean resynchronizing;
    private HeldPackets held;
    private boolean gap;
    private long gapSince;

    private long acknowledgedPsn;
    private boolean fresh;
    private int acksDue;
    private int pendingSyndrome = NOTHING;
    private long pendingPsn;

    Responder(
        final RcQueuePair queuePair,
        final ReceiveQueue queue,
        final CompletionRing completions,
        final Regions regions,
        final Object domain,
        final Counters counters,
        final Tuning tuning,
        final int minRnrTimer)
    {
        this.queuePair = queuePair;
        this.queue = queue;
        this.completions = completions;
        this.regions = regions;
        this.domain = domain;
        this.counters = counters;
        this.tuning = tuning;
        this.minRnrTimer = minRnrTimer;
    }

    void connect(final QpSettings settings, final PacketSink peer)
    {
        sink = peer;
        mtu = settings.pathMtu();
        peerQpn = settings.peerQpn();
        expectedPsn = settings.receivePsn();
        acknowledgedPsn = expectedPsn;
    }

    int expectedPsn()
    {
        return Psn.onWire(expectedPsn);
    }

    /** Takes a well-formed RC request. */
    void onRequest(final UnsafeBuffer packet, final int offset, final int length, final long now)
    {
        final long psn = Psn.extend(expectedPsn, Bth.psn(packet, offset));
        if (psn < expectedPsn)
        {
            counters.increment(Counter.DUPLICATE_REQUESTS);
            acknowledge();
            return;
        }
        if (psn > expectedPsn)
        {
            counters.increment(Counter.OUT_OF_SEQUENCE);
            onEarly(psn, packet, offset, length, now);
            return;
        }
        resynchronizing = false;
        execute(packet, offset, length);
        if (gap)
        {
            executeHeld(now);
        }
    }

    private void onEarly(
        final long psn, final UnsafeBuffer packet, final int offset, final int length, final long now)
    {
        if (resynchronizing)
        {
            return;
        }
        if (!tuning.reorders() || psn - expectedPsn > HeldPackets.MOST)
        {
            askAgain();
            return;
        }
        if (!gap)
        {
            held = held == null ? new HeldPackets() : held;
            gap = true;
            gapSince = now;
        }
        held.add(psn, packet, offset, length);
    }

    private void askAgain()
    {
        gap = held != null && !held.isEmpty();          // still good for when the missing one comes
        gapSince = Long.MAX_VALUE;
        resynchronizing = true;
        negative(Aeth.NAK_SEQUENCE);
    }

    private void executeHeld(final long now)
    {
        while (!resynchronizing && queuePair.state() == QpState.RTS && held.take(expectedPsn))
        {
            final long psn = expectedPsn;
            execute(held.buffer(), held.offset(psn), held.length(psn));
        }
        if (resynchronizing)
        {
            held.clear();               // no receive for one of them: the peer sends all of them again
        }
        gap = !held.isEmpty();
        gapSince = now;
    }

    /** Looks at the clock: a request that did not come may be lost. */
    void onTime(final long now)
    {
        if (gap && !resynchronizing && now - gapSince >= LONGEST_HOLD)
        {
            askAgain();
        }
    }

    /** Whether it waits for a request that others have overtaken. */
    boolean hasGap()
    {
        return gap && !resynchronizing;
    }

    /**
     * Whether nothing waits for a turn.
     *
     * @param failed whether what is posted is flushed.
     */
    boolean isSettled(final boolean failed)
    {
        return !fresh && acksDue == 0 && pendingSyndrome == NOTHING && !hasGap() && (!failed || queue.available() == 0);
    }

    private void execute(final UnsafeBuffer packet, final int offset, final int length)
    {
        final int opcode = Bth.opcode(packet, offset);
        if (Opcode.isWrite(opcode))
        {
            onWrite(opcode, packet, offset, length);
        }
        else if (Opcode.isSend(opcode))
        {
            onSend(opcode, packet, offset, length);
        }
        else
        {
            refuse(Aeth.NAK_INVALID_REQUEST, AsyncEventType.QP_REQ_ERR);
        }
    }

    /**
     * Sends the answer that is due, unless it is an acknowledge of a few packets that came since the last call: it can
     * wait until the next call, so that what they brought is delivered first, and longer while more keep coming.
     */
    void flushUnlessFresh()
    {
        if (!fresh || pendingSyndrome != NOTHING || expectedPsn - acknowledgedPsn >= URGENT_PACKETS)
        {
            flush();
        }
        fresh = false;
    }

    /** Sends the answer that is due, if there is room. */
    void flush()
    {
        if (pendingSyndrome != NOTHING)
        {
            if (answer(pendingSyndrome, pendingPsn))
            {
                countNegative(pendingSyndrome);
                pendingSyndrome = NOTHING;
                acksDue = 0;
            }
        }
        else if (acksDue != 0)
        {
            final int syndrome = tuning.advertise() ? CreditCode.codeFor(queue.available()) : Aeth.ACK;
            if (answer(syndrome, expectedPsn - 1))
            {
                counters.increment(Counter.ACKS_SENT);
                acksDue = 0;
                acknowledgedPsn = expectedPsn;
            }
        }
    }

    /** Completes all posted receives with a flush error. */
    void flushReceives()
    {
        while (queue.available() != 0 && complete(WcStatus.WR_FLUSH_ERR, 0, 0, 0, 0))
        {
            queue.consume();
        }
    }

    private void onWrite(final int opcode, final UnsafeBuffer packet, final int offset, final int length)
    {
        final boolean isStart = Opcode.isStart(opcode);
        if (inProgress != (isStart ? NONE : WRITE))
        {
            refuse(Aeth.NAK_INVALID_REQUEST, AsyncEventType.QP_REQ_ERR);
            return;
        }
        final boolean isEnd = Opcode.isEnd(opcode);
        final boolean hasImm = Opcode.hasImm(opcode);
        if (hasImm && queue.available() == 0)
        {
            notReady();
            return;
        }
        final int payload = Packets.payloadLength(packet, offset, length);
        final int reth = offset + Bth.SIZE;
        final long left = isStart ? Reth.length(packet, reth) : remaining;
        if (!lengthFits(payload, Bth.pad(packet, offset), isEnd) || (isEnd ? payload != left : payload >= left))
        {
            refuse(Aeth.NAK_INVALID_REQUEST, AsyncEventType.QP_REQ_ERR);
            return;
        }
        if (isStart)
        {
            address = Reth.address(packet, reth);
            received = 0;
            target = left == 0 ? null : regions.find(Reth.rkey(packet, reth));
            if (left != 0 && (target == null || !target.permits(domain, Access.REMOTE_WRITE, address, left)))
            {
                refuse(Aeth.NAK_REMOTE_ACCESS, AsyncEventType.QP_ACCESS_ERR);
                return;
            }
        }
        else if (!target.isValid())
        {
            refuse(Aeth.NAK_REMOTE_ACCESS, AsyncEventType.QP_ACCESS_ERR);
            return;
        }
        if (payload != 0)
        {
            Region.place(packet, offset + Opcode.headerLength(opcode), payload, address);
        }
        address += payload;
        received += payload;
        remaining = left - payload;
        inProgress = isEnd ? NONE : WRITE;
        if (hasImm)
        {
            final int imm = ImmDt.value(packet, offset + Opcode.headerLength(opcode) - ImmDt.SIZE);
            completeReceive(WcOpcode.RECV_RDMA_WITH_IMM, imm, WorkCompletions.FLAG_WITH_IMM);
        }
        executed(isEnd, Bth.ackRequest(packet, offset));
    }

    private void onSend(final int opcode, final UnsafeBuffer packet, final int offset, final int length)
    {
        final boolean isStart = Opcode.isStart(opcode);
        if (inProgress != (isStart ? NONE : SEND))
        {
            refuse(Aeth.NAK_INVALID_REQUEST, AsyncEventType.QP_REQ_ERR);
            return;
        }
        if (queue.available() == 0)
        {
            notReady();
            return;
        }
        final boolean isEnd = Opcode.isEnd(opcode);
        final int payload = Packets.payloadLength(packet, offset, length);
        if (!lengthFits(payload, Bth.pad(packet, offset), isEnd) || (isEnd && !isStart && payload == 0))
        {
            refuse(Aeth.NAK_INVALID_REQUEST, AsyncEventType.QP_REQ_ERR);
            return;
        }
        if (isStart)
        {
            received = 0;
        }
        final long receive = queue.head();
        if (received + payload > queue.length(receive))
        {
            failReceive(WcStatus.LOC_LEN_ERR);
            return;
        }
        if (payload != 0)
        {
            final long at = queue.address(receive) + received;
            final Region region = regions.find(queue.lkey(receive));
            if (region == null || !region.permits(domain, Access.LOCAL_WRITE, at, payload))
            {
                failReceive(WcStatus.LOC_PROT_ERR);
                return;
            }
            Region.place(packet, offset + Opcode.headerLength(opcode), payload, at);
        }
        received += payload;
        inProgress = isEnd ? NONE : SEND;
        if (isEnd)
        {
            final boolean hasImm = Opcode.hasImm(opcode);
            final int imm = hasImm ? ImmDt.value(packet, offset + Bth.SIZE) : 0;
            completeReceive(WcOpcode.RECV, imm, hasImm ? WorkCompletions.FLAG_WITH_IMM : 0);
        }
        executed(isEnd, Bth.ackRequest(packet, offset));
    }

    /** Only the last packet of a message may be shorter than the path MTU, and only it may be padded. */
    private boolean lengthFits(final int payload, final int pad, final boolean isEnd)
    {
        return isEnd ? payload <= mtu && pad == Packets.padFor(payload) : payload == mtu && pad == 0;
    }

    private void executed(final boolean isEnd, final boolean ackRequest)
    {
        fresh = true;
        expectedPsn++;
        if (isEnd)
        {
            messages++;
        }
        if (ackRequest)
        {
            acknowledge();
        }
    }

    private void acknowledge()
    {
        acksDue++;
        if (acksDue >= tuning.ackEvery())
        {
            flush();
        }
    }

    private void notReady()
    {
        resynchronizing = true;                 // what follows is dropped without a word until this comes again
        negative(Aeth.RNR_NAK | minRnrTimer);
    }

    /** A SEND that the receive cannot take: an error of this side's making, in the peer's eyes. */
    private void failReceive(final int status)
    {
        if (complete(status, 0, 0, 0, 0))
        {
            queue.consume();
        }
        refuse(Aeth.NAK_REMOTE_OPERATION, AsyncEventType.QP_FATAL);
    }

    private void refuse(final int syndrome, final AsyncEventType event)
    {
        negative(syndrome);
        queuePair.raise(event);
        queuePair.toError();
    }

    private void negative(final int syndrome)
    {
        pendingSyndrome = syndrome;
        pendingPsn = expectedPsn;
        flush();
    }

    private void countNegative(final int syndrome)
    {
        counters.increment(switch (syndrome)
        {
            case Aeth.NAK_SEQUENCE -> Counter.NAK_SEQUENCE_SENT;
            case Aeth.NAK_INVALID_REQUEST -> Counter.NAK_INVALID_REQUEST_SENT;
            case Aeth.NAK_REMOTE_ACCESS -> Counter.NAK_REMOTE_ACCESS_SENT;
            case Aeth.NAK_REMOTE_OPERATION -> Counter.NAK_REMOTE_OPERATION_SENT;
            default -> Counter.RNR_NAK_SENT;
        });
    }

    private boolean answer(final int syndrome, final long psn)
    {
        final int at = sink.claim(Packets.ACK_SIZE);
        if (at < 0)
        {
            return false;
        }
        final UnsafeBuffer packet = sink.buffer();
        Bth.write(packet, at, Opcode.ACKNOWLEDGE, 0, peerQpn, false, Psn.onWire(psn));
        Aeth.write(packet, at + Bth.SIZE, syndrome, Psn.onWire(messages));
        sink.commit();
        return true;
    }

    private void completeReceive(final int opcode, final int imm, final int flags)
    {
        if (complete(WcStatus.SUCCESS, opcode, (int) received, imm, flags))
        {
            queue.consume();
        }
    }

    private boolean complete(final int status, final int opcode, final int length, final int imm, final int flags)
    {
        if (!completions.addReceive(queue, queue.head(), queuePair.number(), status, opcode, length, imm, flags))
        {
            queuePair.onOverrun(completions);
            return false;
        }
        return true;
    }
}

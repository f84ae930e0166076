package io.gannet.rdma.roce.rc;

import io.gannet.rdma.Access;
import io.gannet.rdma.WcOpcode;
import io.gannet.rdma.WcStatus;
import io.gannet.rdma.roce.wire.AckTimeout;
import io.gannet.rdma.roce.wire.Aeth;
import io.gannet.rdma.roce.wire.Bth;
import io.gannet.rdma.roce.wire.CreditCode;
import io.gannet.rdma.roce.wire.ImmDt;
import io.gannet.rdma.roce.wire.Opcode;
import io.gannet.rdma.roce.wire.Packets;
import io.gannet.rdma.roce.wire.Psn;
import io.gannet.rdma.roce.wire.Reth;
import io.gannet.rdma.roce.wire.RnrTimer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The sending half of a queue pair: cuts requests into packets, keeps a window of them on the way and goes back to the
 * oldest unacknowledged one after a NAK or a time-out.
 * <pre>
 *  requests   ... completed | head ... cursor ... numbered | published, not numbered
 *  packets              unackedPsn ... cursorPsn ... sentPsn
 * </pre>
 * PSNs are 64 bits here. A packet's request and offset follow from its PSN, so going back is setting {@code cursorPsn}.
 */
final class Requester
{
    /** Packets without an acknowledge request before one must carry it, as Soft-RoCE counts. */
    private static final int ACK_REQUEST_INTERVAL = 65;
    /** Nanoseconds for which packets may be on the way without asking for an acknowledge: little beside a time-out. */
    private static final long LONGEST_UNASKED = 200_000;

    private final RcQueuePair queuePair;
    private final SendQueue queue;
    private final CompletionRing completions;
    private final Regions regions;
    private final Object domain;
    private final Counters counters;
    private final Tuning tuning;
    private final CongestionWindow window;
    private final RetransmitTimer timer;
    private final long[] firstPsns;
    private final long[] lastPsns;
    private final int mask;

    private PacketSink sink;
    private int mtu;
    private int peerQpn;
    private int retryCount;
    private int rnrRetry;

    private long head;
    private long cursor;
    private long numbered;
    private long nextPsn;
    private long unackedPsn;
    private long cursorPsn;
    private long sentPsn;
    private int sinceAckRequest;
    /** When a packet last asked for an acknowledge, or the first one that did not left after nothing was on the way. */
    private long askedAt;
    private boolean mustAsk;
    private int retriesLeft;
    private int rnrRetriesLeft;
    private boolean waitingForReceiver;
    private long receiverReadyAt;
    private boolean creditLimited;
    private long creditLimit;
    private Region source;

    Requester(
        final RcQueuePair queuePair,
        final SendQueue queue,
        final CompletionRing completions,
        final Regions regions,
        final Object domain,
        final Counters counters,
        final Tuning tuning)
    {
        this.queuePair = queuePair;
        this.queue = queue;
        this.completions = completions;
        this.regions = regions;
        this.domain = domain;
        this.counters = counters;
        this.tuning = tuning;
        window = new CongestionWindow(tuning.maxWindow());
        timer = new RetransmitTimer(tuning.earlyResend());
        firstPsns = new long[queue.depth()];
        lastPsns = new long[queue.depth()];
        mask = queue.depth() - 1;
    }

    void connect(final QpSettings settings, final PacketSink peer)
    {
        sink = peer;
        mtu = settings.pathMtu();
        peerQpn = settings.peerQpn();
        retryCount = settings.retryCount();
        rnrRetry = settings.rnrRetry();
        nextPsn = settings.sendPsn();
        unackedPsn = nextPsn;
        cursorPsn = nextPsn;
        sentPsn = nextPsn;
        retriesLeft = retryCount;
        rnrRetriesLeft = rnrRetry;
        timer.timeout(AckTimeout.nanos(settings.ackTimeout()));
        if (!tuning.congestion())
        {
            window.open();
        }
    }

    int unacknowledgedPsn()
    {
        return Psn.onWire(unackedPsn);
    }

    int window()
    {
        return window.packets();
    }

    /** Whether everything posted is acknowledged. */
    boolean isIdle()
    {
        return head == queue.published();
    }

    /** Whether something was posted that no turn has seen yet. */
    boolean hasNews()
    {
        return queue.published() != numbered;
    }

    /**
     * Sends what window and sink allow, at most {@code budget} packets.
     *
     * @return packets sent.
     */
    int transmit(final long now, final int budget)
    {
        if (waitingForReceiver)
        {
            if (now - receiverReadyAt < 0)
            {
                return 0;
            }
            waitingForReceiver = false;
            timer.restart(now);
        }
        number();
        int sent = 0;
        while (sent < budget && cursor < numbered && cursorPsn - unackedPsn < window.packets() && send(now))
        {
            sent++;
        }
        return sent;
    }

    /** Looks at the clock. */
    void onTime(final long now)
    {
        if (sentPsn == unackedPsn || waitingForReceiver)
        {
            return;
        }
        switch (timer.expired(now))
        {
            case RetransmitTimer.TIMEOUT ->
            {
                counters.increment(Counter.TIMEOUTS);
                if (retriesLeft == 0)
                {
                    counters.increment(Counter.RETRY_EXCEEDED);
                    fail(WcStatus.RETRY_EXC_ERR);
                    return;
                }
                retriesLeft--;
                afterSilence();
            }
            case RetransmitTimer.EARLY -> afterSilence();
            default -> askIfSilent(now);
        }
    }

    /** Nothing was sent behind packets that did not ask: the last one is sent again, and asks. */
    private void askIfSilent(final long now)
    {
        if (sinceAckRequest != 0 && cursorPsn == sentPsn && cursor == queue.published() &&
            now - askedAt >= LONGEST_UNASKED)
        {
            cursor--;
            cursorPsn--;
            mustAsk = true;
        }
    }

    /** Takes an acknowledge of either kind. */
    void onAcknowledge(final UnsafeBuffer packet, final int offset, final long now)
    {
        final long psn = Psn.extend(unackedPsn, Bth.psn(packet, offset));
        final int syndrome = Aeth.syndrome(packet, offset + Bth.SIZE);
        if (psn < unackedPsn || psn >= sentPsn)
        {
            counters.increment(Counter.DROP_STALE_ACK);
            return;
        }
        switch (syndrome & Aeth.KIND_MASK)
        {
            case 0 ->
            {
                acknowledge(psn + 1, now);
                credits(syndrome & Aeth.VALUE_MASK, Aeth.msn(packet, offset + Bth.SIZE));
            }
            case Aeth.RNR_NAK -> onReceiverNotReady(psn, syndrome & Aeth.VALUE_MASK, now);
            case Aeth.NAK_SEQUENCE & Aeth.KIND_MASK -> onNak(psn, syndrome, now);
            default -> counters.increment(Counter.DROP_MALFORMED);
        }
    }

    /** A congestion notification. */
    void onCongestion()
    {
        if (tuning.congestion())
        {
            window.onCongestion(unackedPsn, sentPsn);
        }
    }

    /** Completes everything published with a flush error. */
    void flush()
    {
        final long end = queue.published();
        while (head < end && complete(WcStatus.WR_FLUSH_ERR, true))
        {
            head++;
        }
        cursor = head;
        numbered = head;
        unackedPsn = nextPsn;
        cursorPsn = nextPsn;
        sentPsn = nextPsn;
    }

    private void onNak(final long psn, final int syndrome, final long now)
    {
        if (syndrome == Aeth.NAK_SEQUENCE)
        {
            counters.increment(Counter.NAK_SEQUENCE_RECEIVED);
            if (waitingForReceiver && psn == unackedPsn)
            {
                return;                 // Soft-RoCE complains about what follows a packet it wasn't ready for
            }
            if (psn == unackedPsn && retriesLeft-- == 0)
            {
                counters.increment(Counter.RETRY_EXCEEDED);
                fail(WcStatus.RETRY_EXC_ERR);
                return;
            }
            acknowledge(psn, now);
            onCongestion();
            timer.restart(now);
            goBack();
            return;
        }
        final int status = switch (syndrome)
        {
            case Aeth.NAK_INVALID_REQUEST -> WcStatus.REM_INV_REQ_ERR;
            case Aeth.NAK_REMOTE_ACCESS -> WcStatus.REM_ACCESS_ERR;
            default -> WcStatus.REM_OP_ERR;
        };
        counters.increment(Counter.NAK_FATAL_RECEIVED);
        acknowledge(psn, now);
        fail(status);
    }

    private void onReceiverNotReady(final long psn, final int timerCode, final long now)
    {
        counters.increment(Counter.RNR_NAK_RECEIVED);
        acknowledge(psn, now);
        if (rnrRetry != 7 && rnrRetriesLeft-- == 0)
        {
            counters.increment(Counter.RNR_RETRY_EXCEEDED);
            fail(WcStatus.RNR_RETRY_EXC_ERR);
            return;
        }
        waitingForReceiver = true;
        receiverReadyAt = now + RnrTimer.nanos(timerCode);
        goBack();
    }

    private void acknowledge(final long upTo, final long now)
    {
        if (upTo == unackedPsn)
        {
            return;
        }
        timer.acknowledged(upTo, now);
        window.onAcknowledged((int) (upTo - unackedPsn));
        unackedPsn = upTo;
        while (head < numbered && lastPsns[(int) head & mask] < upTo && complete(WcStatus.SUCCESS, false))
        {
            head++;
        }
        if (cursorPsn < upTo)
        {
            cursorPsn = upTo;
            cursor = head;
        }
        retriesLeft = retryCount;
        rnrRetriesLeft = rnrRetry;
        waitingForReceiver = false;
        timer.restart(now);
    }

    private void credits(final int code, final int msn)
    {
        creditLimited = code != CreditCode.NONE;
        if (creditLimited)
        {
            creditLimit = Psn.extend(head, msn) + CreditCode.credits(code);
        }
    }

    private void afterSilence()
    {
        if (tuning.congestion())
        {
            window.onTimeout(sentPsn);
        }
        goBack();
    }

    private void goBack()
    {
        timer.resending();
        cursorPsn = unackedPsn;
        cursor = head;
        sinceAckRequest = 0;
    }

    private void number()
    {
        final long published = queue.published();
        while (numbered < published)
        {
            final int slot = (int) numbered & mask;
            final int packets = Math.max(1, (int) (((long) queue.length(numbered) + mtu - 1) / mtu));
            firstPsns[slot] = nextPsn;
            nextPsn += packets;
            lastPsns[slot] = nextPsn - 1;
            numbered++;
        }
    }

    private boolean send(final long now)
    {
        final int slot = (int) cursor & mask;
        final long first = firstPsns[slot];
        final boolean isFirst = cursorPsn == first;
        final boolean isLast = cursorPsn == lastPsns[slot];
        final int kind = queue.kind(cursor);
        if (isFirst && creditLimited && kind != SendQueue.WRITE && cursor >= creditLimit && cursorPsn != unackedPsn)
        {
            return false;               // without credit, one message at a time finds out whether there is some again
        }
        final int length = queue.length(cursor);
        final long start = (cursorPsn - first) * mtu;
        final int payload = (int) Math.min(mtu, length - start);
        final long address = queue.localAddress(cursor) + start;
        if (payload != 0 && !queue.isInline(cursor) && !mayRead(queue.lkey(cursor), address, payload))
        {
            if (cursor == head)
            {
                fail(WcStatus.LOC_PROT_ERR);
            }
            return false;
        }
        final int opcode = opcode(kind, isFirst, isLast);
        final int header = Opcode.headerLength(opcode);
        final int pad = Packets.padFor(payload);
        final int at = sink.claim(header + payload + pad + Packets.ICRC_SIZE);
        if (at < 0)
        {
            return false;
        }
        final boolean ackRequest = (isLast && asksAtEnd(now)) || asksForAck();
        final UnsafeBuffer packet = sink.buffer();
        final boolean solicited = isLast && queue.isSolicited(cursor);
        Bth.write(packet, at, opcode, Bth.flags(solicited, pad), peerQpn, ackRequest, Psn.onWire(cursorPsn));
        int next = at + Bth.SIZE;
        if (Opcode.hasReth(opcode))
        {
            Reth.write(packet, next, queue.remoteAddress(cursor), queue.rkey(cursor), length);
            next += Reth.SIZE;
        }
        if (Opcode.hasImm(opcode))
        {
            ImmDt.write(packet, next, queue.imm(cursor));
            next += ImmDt.SIZE;
        }
        if (payload != 0)
        {
            UnsafeApi.copyMemory(null, address, packet.byteArray(), packet.addressOffset() + next, payload);
            for (int i = 0; i < pad; i++)
            {
                packet.putByte(next + payload + i, (byte) 0);
            }
        }
        sink.commit();
        onSent(ackRequest, isLast, now);
        return true;
    }

    private void onSent(final boolean ackRequest, final boolean isLast, final long now)
    {
        if (sentPsn == unackedPsn)
        {
            timer.restart(now);
            askedAt = now;
        }
        if (ackRequest)
        {
            sinceAckRequest = 0;
            askedAt = now;
            mustAsk = false;
        }
        else
        {
            sinceAckRequest++;
        }
        cursorPsn++;
        if (cursorPsn > sentPsn)
        {
            sentPsn = cursorPsn;
            if (ackRequest)
            {
                timer.sample(cursorPsn - 1, now);
            }
        }
        else
        {
            counters.increment(Counter.PACKETS_RESENT);
        }
        if (isLast)
        {
            cursor++;
        }
    }

    /** At the end of a message. */
    private boolean asksAtEnd(final long now)
    {
        return tuning.askEachMessage() || mustAsk || queue.isSignaled(cursor) ||
            (sentPsn != unackedPsn && now - askedAt >= LONGEST_UNASKED);
    }

    /** Anywhere: after many packets without, and before a small window is full. */
    private boolean asksForAck()
    {
        final int packets = window.packets();
        // a quarter of the window: the peer acknowledges the first while the others are still on their way
        final int most = tuning.askEachMessage() ? Math.min(ACK_REQUEST_INTERVAL, packets * 2 / 3) : packets / 4 - 1;
        return sinceAckRequest >= most || cursorPsn + 1 - unackedPsn >= packets;
    }

    private boolean mayRead(final int lkey, final long address, final int count)
    {
        if (source == null || source.lkey() != lkey || !source.isValid())
        {
            source = regions.find(lkey);
        }
        return source != null && source.permits(domain, Access.LOCAL_READ, address, count);
    }

    private static int opcode(final int kind, final boolean isFirst, final boolean isLast)
    {
        final boolean write = kind == SendQueue.WRITE || kind == SendQueue.WRITE_WITH_IMM;
        final boolean imm = kind == SendQueue.WRITE_WITH_IMM || kind == SendQueue.SEND_WITH_IMM;
        final int base = write ? Opcode.WRITE_FIRST : Opcode.SEND_FIRST;
        if (isFirst)
        {
            return base + (isLast ? imm ? Opcode.SEND_ONLY_IMM : Opcode.SEND_ONLY : Opcode.SEND_FIRST);
        }
        return base + (isLast ? imm ? Opcode.SEND_LAST_IMM : Opcode.SEND_LAST : Opcode.SEND_MIDDLE);
    }

    private void fail(final int status)
    {
        if (complete(status, true))
        {
            head++;
        }
        queuePair.toError();
    }

    private boolean complete(final int status, final boolean always)
    {
        if (!always && !queue.isSignaled(head))
        {
            return true;
        }
        final boolean ok = status == WcStatus.SUCCESS;
        final int kind = queue.kind(head);
        final boolean write = kind == SendQueue.WRITE || kind == SendQueue.WRITE_WITH_IMM;
        final int opcode = ok && write ? WcOpcode.RDMA_WRITE : WcOpcode.SEND;
        if (!completions.addSend(queue, head, queuePair.number(), status, opcode, ok ? queue.length(head) : 0))
        {
            queuePair.onOverrun(completions);
            return false;
        }
        return true;
    }
}

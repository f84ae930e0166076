package io.gannet.rdma.roce.rc;

import io.gannet.rdma.AsyncEventType;
import io.gannet.rdma.QpState;
import io.gannet.rdma.roce.wire.Bth;
import io.gannet.rdma.roce.wire.Opcode;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One reliable connected queue pair: state, requester and responder.
 */
public final class RcQueuePair
{
    private final int number;
    private final Events events;
    private final Counters counters;
    private final Requester requester;
    private final Responder responder;
    private volatile QpState state = QpState.INIT;
    private boolean heard;

    /**
     * Makes a queue pair in INIT.
     *
     * @param number      24 bits.
     * @param domain      its protection domain, compared by identity.
     * @param minRnrTimer code that this side answers without a receive.
     */
    public RcQueuePair(
        final int number,
        final Object domain,
        final Regions regions,
        final SendQueue sends,
        final CompletionRing sendCompletions,
        final ReceiveQueue receives,
        final CompletionRing receiveCompletions,
        final int minRnrTimer,
        final Tuning tuning,
        final Counters counters,
        final Events events)
    {
        this.number = number;
        this.events = events;
        this.counters = counters;
        requester = new Requester(this, sends, sendCompletions, regions, domain, counters, tuning);
        responder = new Responder(
            this, receives, receiveCompletions, regions, domain, counters, tuning, minRnrTimer);
    }

    /** 24 bit number. */
    public int number()
    {
        return number;
    }

    /** State; any thread may ask. */
    public QpState state()
    {
        return state;
    }

    /** To ready-to-send, if it is not in error already. */
    public void connect(final QpSettings settings, final PacketSink peer)
    {
        if (state == QpState.INIT)
        {
            requester.connect(settings, peer);
            responder.connect(settings, peer);
            state = QpState.RTS;
        }
    }

    /** To the error state: nothing is placed any more, everything posted is flushed. */
    public void toError()
    {
        if (state != QpState.ERR)
        {
            state = QpState.ERR;
            flush();
        }
    }

    /** To the error state for good: nothing is placed any more, and nothing completes. */
    public void destroy()
    {
        if (state == QpState.RTS)
        {
            responder.flush();                  // the peer's last requests were executed
        }
        state = QpState.ERR;
    }

    /** Whether a request of the peer was executed or answered: it knows that we are connected. */
    public boolean hasHeard()
    {
        return heard;
    }

    /** PSN that the peer must use next, 24 bits. */
    public int expectedPsn()
    {
        return responder.expectedPsn();
    }

    /** PSN of the oldest packet that the peer has not acknowledged, 24 bits. */
    public int unacknowledgedPsn()
    {
        return requester.unacknowledgedPsn();
    }

    /** Packets that may be unacknowledged now. */
    public int window()
    {
        return requester.window();
    }

    /** Whether all requests are acknowledged. */
    public boolean isDrained()
    {
        return requester.isIdle();
    }

    /** Whether nothing here waits for the clock. */
    public boolean isQuiet()
    {
        return requester.isIdle() && !responder.hasGap();
    }

    /** Whether a turn would do nothing, as long as no packet comes and nothing is posted. */
    public boolean isSettled()
    {
        return requester.isIdle() && responder.isSettled(state == QpState.ERR);
    }

    /**
     * Sends what was posted since the last turn, and looks at nothing else.
     *
     * @return packets sent.
     */
    public int post(final long now, final int budget)
    {
        return requester.hasNews() && state == QpState.RTS ? requester.transmit(now, budget) : 0;
    }

    /**
     * Takes a packet: RC and well-formed, from the peer, ICRC and partition checked.
     *
     * @param now nanoseconds of a monotonic clock.
     */
    public void onPacket(final UnsafeBuffer packet, final int offset, final int length, final long now)
    {
        if (state != QpState.RTS)
        {
            counters.increment(Counter.DROP_QP_STATE);
            return;
        }
        final int opcode = Bth.opcode(packet, offset);
        if (Opcode.isRequest(opcode))
        {
            heard = true;
            responder.onRequest(packet, offset, length, now);
        }
        else if (opcode == Opcode.ACKNOWLEDGE)
        {
            requester.onAcknowledge(packet, offset, now);
        }
        else
        {
            counters.increment(Counter.DROP_STALE_ACK);
        }
    }

    /** Takes a congestion notification. */
    public void onCongestion()
    {
        counters.increment(Counter.CNP_RECEIVED);
        if (state == QpState.RTS)
        {
            requester.onCongestion();
        }
    }

    /**
     * A turn of the NIC: answers, time-outs, sends.
     *
     * @param budget packets that it may send in this turn.
     * @return packets sent.
     */
    public int work(final long now, final int budget)
    {
        return work(now, budget, false);
    }

    /**
     * The same.
     *
     * @param mayWait whether acknowledges of a few packets may wait for the next turn.
     */
    public int work(final long now, final int budget, final boolean mayWait)
    {
        if (state == QpState.RTS)
        {
            responder.onTime(now);
            if (mayWait)
            {
                responder.flushUnlessFresh();
            }
            else
            {
                responder.flush();
            }
            requester.onTime(now);
        }
        if (state == QpState.ERR)
        {
            responder.flush();
            flush();
        }
        return state == QpState.RTS ? requester.transmit(now, budget) : 0;
    }

    /** Sends the acknowledge that is due. Called at the end of a batch of packets. */
    public void flushAnswers()
    {
        responder.flush();
    }

    void raise(final AsyncEventType event)
    {
        events.onEvent(event, number, null);
    }

    void onOverrun(final CompletionRing ring)
    {
        state = QpState.ERR;
        if (ring.reportOverrun())
        {
            counters.increment(Counter.CQ_OVERRUNS);
            events.onEvent(AsyncEventType.CQ_ERR, number, ring);
        }
    }

    private void flush()
    {
        requester.flush();
        responder.flushReceives();
    }

    /** Where the protocol reports what no completion tells. */
    @FunctionalInterface
    public interface Events
    {
        /** Called on the NIC's thread; {@code ring} is null unless it is the subject. */
        void onEvent(AsyncEventType type, int qpn, CompletionRing ring);
    }
}

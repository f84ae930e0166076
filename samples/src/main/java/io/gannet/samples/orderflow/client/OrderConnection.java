package io.gannet.samples.orderflow.client;

import io.gannet.orderflow.BusinessMessageRejectDecoder;
import io.gannet.orderflow.EstablishmentAckDecoder;
import io.gannet.orderflow.EstablishmentRejectDecoder;
import io.gannet.orderflow.ExecutionReportDecoder;
import io.gannet.orderflow.ExecutionReportRejectDecoder;
import io.gannet.orderflow.ExecutionReportTradeDecoder;
import io.gannet.orderflow.LinkEstablishedDecoder;
import io.gannet.orderflow.MassCancelRequestEncoder;
import io.gannet.orderflow.MessageHeaderDecoder;
import io.gannet.orderflow.MessageHeaderEncoder;
import io.gannet.orderflow.NewOrderSingleEncoder;
import io.gannet.orderflow.NotAppliedDecoder;
import io.gannet.orderflow.OrderCancelRejectDecoder;
import io.gannet.orderflow.OrderCancelReplaceRequestEncoder;
import io.gannet.orderflow.OrderCancelRequestEncoder;
import io.gannet.orderflow.OrderMassActionReportDecoder;
import io.gannet.orderflow.OutboundHeaderDecoder;
import io.gannet.orderflow.RetransmissionDecoder;
import io.gannet.orderflow.SecurityStatusRequestEncoder;
import io.gannet.orderflow.SequenceDecoder;
import io.gannet.orderflow.TerminateDecoder;
import io.gannet.orderflow.TerminationCode;
import io.gannet.samples.UtcClock;
import io.gannet.samples.orderflow.link.Inlet;
import io.gannet.samples.orderflow.link.MessageLog;
import io.gannet.samples.orderflow.link.ReportCheck;
import io.gannet.samples.orderflow.link.Sender;
import io.gannet.samples.orderflow.link.SequenceIndex;
import io.gannet.samples.orderflow.link.Streams;
import io.gannet.samples.orderflow.link.Transport;
import io.gannet.samples.orderflow.link.Waiting;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.IdleStrategy;

/**
 * A client's connection to a gateway: one stream out, one in, any number of sessions. Establishes sessions and
 * establishes them again when the gateway comes back; sends again what the gateway lacks, asks for reports that are
 * missing. For one thread; does not allocate once its sessions are there.
 */
public final class OrderConnection implements AutoCloseable
{
    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final long ASK_NANOS = 200_000_000L;
    private static final long TICK_NANOS = 20_000_000L;
    private static final int MISSES = 3;
    private static final int BATCH = 64;

    final MessageHeaderEncoder header = new MessageHeaderEncoder();
    final NewOrderSingleEncoder newOrder = new NewOrderSingleEncoder();
    final OrderCancelReplaceRequestEncoder replace = new OrderCancelReplaceRequestEncoder();
    final OrderCancelRequestEncoder cancel = new OrderCancelRequestEncoder();
    final MassCancelRequestEncoder massCancel = new MassCancelRequestEncoder();
    final SecurityStatusRequestEncoder status = new SecurityStatusRequestEncoder();

    private final Sender sender;
    private final Inlet inlet;
    private final int reportStream;
    private final ReportListener listener;
    private final MessageLog log;
    private final long keepAliveMillis;
    private final boolean cancelOnDisconnect;
    private final UtcClock clock = new UtcClock();
    private final Inlet.Handler handler = this::onMessage;
    private final Int2ObjectHashMap<OrderSession> byId = new Int2ObjectHashMap<>();
    private final List<OrderSession> sessions = new ArrayList<>();
    private final ArrayList<OrderSession> waiting = new ArrayList<>();
    private final SessionMessages messages = new SessionMessages();
    private final MessageHeaderDecoder decoder = new MessageHeaderDecoder();
    private final ReportCheck check = new ReportCheck();
    private final OutboundHeaderDecoder outbound = new OutboundHeaderDecoder();
    private final ExecutionReportDecoder report = new ExecutionReportDecoder();
    private final ExecutionReportTradeDecoder trade = new ExecutionReportTradeDecoder();
    private final ExecutionReportRejectDecoder reject = new ExecutionReportRejectDecoder();
    private final OrderCancelRejectDecoder cancelReject = new OrderCancelRejectDecoder();
    private final OrderMassActionReportDecoder massAction = new OrderMassActionReportDecoder();
    private final BusinessMessageRejectDecoder businessReject = new BusinessMessageRejectDecoder();
    private long nextTick;
    /** For intervals, in nanoseconds: never jumps, unlike the clock. */
    private long now;
    /** Where the log ended when requests began to wait, or the oldest is that is sent again. */
    private long waitingFrom;
    private long foreign;
    private boolean looked;
    private long lookedFor;
    private boolean there;

    /**
     * @param connection      number of this client among those of the gateway: no two may have the same.
     * @param logSize         bytes kept of requests, a power of two.
     * @param keepAliveMillis how often either side shows that it is there.
     */
    public OrderConnection(
        final Transport transport, final Streams streams, final int connection, final int logSize,
        final long keepAliveMillis, final boolean cancelOnDisconnect, final ReportListener listener)
    {
        reportStream = streams.toClient(connection);
        inlet = transport.inlet(reportStream);
        sender = transport.sender(streams.toGateway());
        log = MessageLog.allocate(logSize);
        this.keepAliveMillis = keepAliveMillis;
        this.cancelOnDisconnect = cancelOnDisconnect;
        this.listener = listener;
        now = System.nanoTime();
        nextTick = now;
    }

    /** Adds a session, which will be established while this connection is polled. */
    public OrderSession session(final int id)
    {
        final OrderSession session = new OrderSession(this, id);
        byId.put(id, session);
        sessions.add(session);
        waiting.ensureCapacity(sessions.size());
        return session;
    }

    MessageLog log()
    {
        return log;
    }

    int claim(final OrderSession session, final int length)
    {
        if (!session.established)
        {
            throw new IllegalStateException("session " + Integer.toUnsignedString(session.id) +
                " is not established");
        }
        return session.hasRoom() ? log.claim(length) : -1;
    }

    /** What waits to be sent stays in the log: nothing new comes when it fills half of it. */
    boolean hasRoom()
    {
        return waiting.isEmpty() || log.end() - waitingFrom < log.capacity() / 2;
    }

    long commit(final OrderSession session)
    {
        final long end = log.commit();
        final long number = session.next++;
        session.sent.put(number, end - log.lastLength());
        if (session.waiting || !sendKept(session))
        {
            await(session, end - log.lastLength());
        }
        return number;
    }

    /** The session sends from this position of the log on when there is room. */
    private void await(final OrderSession session, final long position)
    {
        waitingFrom = waiting.isEmpty() ? position : Math.min(waitingFrom, position);
        if (!session.waiting)
        {
            session.waiting = true;
            waiting.add(session);
        }
    }

    /** Sends the session's next kept request; false if there is no room. */
    private boolean sendKept(final OrderSession session)
    {
        final long position = session.sent.position(session.nextToSend, log);
        if (position == SequenceIndex.UNKNOWN)
        {
            throw new IllegalStateException("request " + session.nextToSend + " of session " +
                Integer.toUnsignedString(session.id) + " is to be sent again, but is not kept any more");
        }
        final int length = log.length(position);
        if (sender.claim(length) <= 0)
        {
            return false;
        }
        sender.buffer().putBytes(sender.offset(), log.buffer(), log.offset(position), length);
        sender.commit();
        session.nextToSend++;
        session.lastSent = now;
        return true;
    }

    /** Takes reports, sends what waits, keeps sessions alive. Returns how much was done. */
    public int poll(final int limit)
    {
        int work = inlet.poll(handler, limit);
        for (int i = waiting.size() - 1; i >= 0; i--)
        {
            work += sendWaiting(waiting.get(i), i);
        }
        final long time = System.nanoTime();
        if (time - nextTick >= 0)
        {
            now = time;
            nextTick = time + TICK_NANOS;
            looked = false;
            for (int i = 0; i < sessions.size(); i++)
            {
                tick(sessions.get(i));
            }
        }
        return work;
    }

    private int sendWaiting(final OrderSession session, final int index)
    {
        int sent = 0;
        while (session.established && session.nextToSend < session.next && sent < BATCH && sendKept(session))
        {
            sent++;
        }
        if (!session.established || session.nextToSend == session.next)
        {
            if (session.established && session.rewound)
            {
                // If the last of them got lost again, the gateway asks for it at once.
                messages.sequence(sender, session);
            }
            session.rewound = false;
            session.waiting = false;
            final OrderSession last = waiting.removeLast();
            if (index < waiting.size())
            {
                waiting.set(index, last);
            }
        }
        return sent;
    }

    private void tick(final OrderSession session)
    {
        if (!session.established)
        {
            if (!session.closed && now - session.asked >= ASK_NANOS && sender.isConnected())
            {
                session.asked = now;
                messages.establish(sender, session, reportStream, keepAliveMillis, cancelOnDisconnect, clock.nanos());
            }
            return;
        }
        if (!isThere(session.source) || now - session.lastReceived > keepAliveMillis * 1_000_000L * MISSES)
        {
            drop(session, TerminationCode.KeepAliveExpired);
        }
        else if (now - session.lastSent > keepAliveMillis * 1_000_000L)
        {
            session.lastSent = now;
            messages.sequence(sender, session);
        }
        if (session.recovering && now - session.asked >= ASK_NANOS)
        {
            askForReports(session);
        }
    }

    /** Whether a gateway is there; looked up once for all sessions. */
    private boolean isThere(final long source)
    {
        if (!looked || lookedFor != source)
        {
            looked = true;
            lookedFor = source;
            there = inlet.isConnected(source);
        }
        return there;
    }

    private void drop(final OrderSession session, final TerminationCode code)
    {
        session.established = false;
        session.recovering = false;
        session.asked = now;
        listener.onTerminated(session, code);
    }

    /** This number shows whether reports before it are missing. */
    private void askIfMissing(final OrderSession session, final long number)
    {
        if (session.established && number > session.nextReport)
        {
            // Where numbers go back they are sent again, and what was asked for is lost again.
            if (!session.recovering || number <= session.outOfOrder)
            {
                askForReports(session);
            }
            session.outOfOrder = number;
        }
    }

    private void askForReports(final OrderSession session)
    {
        session.recovering = true;
        session.asked = now;
        messages.retransmitRequest(sender, session.id, session.nextReport);
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length, final long source)
    {
        final int template = check.template(buffer, offset, length);
        if (template == -1 || template == LinkEstablishedDecoder.TEMPLATE_ID)
        {
            foreign++;
            return;
        }
        decoder.wrap(buffer, offset);
        if (template < ReportCheck.FIRST_SESSION_TEMPLATE)
        {
            onNumbered(buffer, offset + HEADER, source);
        }
        else
        {
            onSessionMessage(buffer, offset + HEADER, source);
        }
    }

    private void onNumbered(final DirectBuffer buffer, final int body, final long source)
    {
        outbound.wrap(buffer, body);
        final OrderSession session = byId.get((int) outbound.sessionID());
        // Also while the session is not established: a report that waited here meanwhile may not be kept elsewhere.
        if (session == null || !session.known || session.source != source)
        {
            return;
        }
        session.lastReceived = now;
        final long number = outbound.msgSeqNum();
        session.highest = Math.max(session.highest, number);
        askIfMissing(session, number);
        if (number == session.nextReport)
        {
            session.nextReport++;
            session.recovering = false;
            session.answered = Math.max(session.answered, outbound.refSeqNum());
            dispatch(session, buffer, body);
        }
    }

    private void dispatch(final OrderSession session, final DirectBuffer buffer, final int body)
    {
        final int block = decoder.blockLength();
        final int version = decoder.version();
        switch (decoder.templateId())
        {
            case ExecutionReportDecoder.TEMPLATE_ID ->
                listener.onReport(session, report.wrap(buffer, body, block, version));
            case ExecutionReportTradeDecoder.TEMPLATE_ID ->
                listener.onTrade(session, trade.wrap(buffer, body, block, version));
            case ExecutionReportRejectDecoder.TEMPLATE_ID ->
                listener.onReject(session, reject.wrap(buffer, body, block, version));
            case OrderCancelRejectDecoder.TEMPLATE_ID ->
                listener.onCancelReject(session, cancelReject.wrap(buffer, body, block, version));
            case OrderMassActionReportDecoder.TEMPLATE_ID ->
                listener.onMassAction(session, massAction.wrap(buffer, body, block, version));
            default -> listener.onBusinessReject(session, businessReject.wrap(buffer, body, block, version));
        }
    }

    private void onSessionMessage(final DirectBuffer buffer, final int body, final long source)
    {
        final OrderSession session = byId.get(messages.wrap(buffer, body, decoder));
        if (session == null)
        {
            return;
        }
        if (!session.established)
        {
            switch (decoder.templateId())
            {
                case EstablishmentAckDecoder.TEMPLATE_ID -> onAck(session, source);
                case EstablishmentRejectDecoder.TEMPLATE_ID -> onEstablishmentReject(session);
                default -> foreign++;
            }
        }
        else if (session.source == source)
        {
            session.lastReceived = now;
            switch (decoder.templateId())
            {
                case NotAppliedDecoder.TEMPLATE_ID -> goBack(session, messages.notApplied.fromSeqNo());
                case RetransmissionDecoder.TEMPLATE_ID -> onRetransmission(session);
                case TerminateDecoder.TEMPLATE_ID -> drop(session, messages.terminate.terminationCode());
                case SequenceDecoder.TEMPLATE_ID -> onSequence(session);
                default -> foreign++;
            }
        }
    }

    /** It may be meant for another client on the same stream, but that has no use for it either. */
    private void onEstablishmentReject(final OrderSession session)
    {
        if (!session.closed)
        {
            session.asked = now;
            listener.onEstablishmentReject(session, messages.reject.establishRejectReason());
        }
    }

    private void onAck(final OrderSession session, final long source)
    {
        if (session.closed)
        {
            return;
        }
        final long expected = messages.ack.nextSeqNo();
        if (hasForgotten(session, expected))
        {
            session.closed = true;
            messages.terminate(sender, session.id, TerminationCode.Requested);
            listener.onForgotten(session);
            return;
        }
        session.established = true;
        session.source = source;
        session.lastReceived = now;
        session.lastSent = now;
        if (expected >= session.next)
        {
            // An earlier run of this client had the session.
            session.next = expected;
            session.nextToSend = expected;
        }
        else
        {
            goBack(session, expected);
        }
        if (!session.known)
        {
            session.known = true;
            session.nextReport = messages.ack.nextOutSeqNo();
        }
        session.highest = messages.ack.nextOutSeqNo() - 1;
        if (messages.ack.nextOutSeqNo() > session.nextReport)
        {
            askForReports(session);
        }
        listener.onEstablished(session);
    }

    /**
     * Whether the gateway has not the store that it had, or wants requests that are not kept here. What it forgot may
     * have been done: to send it again could do it twice.
     */
    private boolean hasForgotten(final OrderSession session, final long expected)
    {
        return expected <= session.answered || messages.ack.nextOutSeqNo() < session.nextReport ||
            (expected < session.next && session.sent.position(expected, log) == SequenceIndex.UNKNOWN);
    }

    /**
     * Goes on with a session that {@link ReportListener#onForgotten} told of, with the gateway's numbers. What became
     * of its orders is the caller's to find out; {@link OrderSession#cancelAll} ends those that the engine still has.
     */
    public void restart(final OrderSession session)
    {
        session.next = 1;
        session.nextToSend = 1;
        session.nextReport = 1;
        session.answered = 0;
        session.known = false;
        session.closed = false;
    }

    private void goBack(final OrderSession session, final long from)
    {
        if (from >= session.next)
        {
            return;
        }
        final long position = session.sent.position(from, log);
        if (position == SequenceIndex.UNKNOWN)
        {
            session.closed = true;
            drop(session, TerminationCode.TooFarBehind);
            return;
        }
        session.nextToSend = from;
        session.rewound = true;
        await(session, position);
    }

    private void onSequence(final OrderSession session)
    {
        session.highest = Math.max(session.highest, messages.sequence.nextSeqNo() - 1);
        askIfMissing(session, messages.sequence.nextSeqNo());
    }

    private void onRetransmission(final OrderSession session)
    {
        final long from = messages.retransmission.fromSeqNo();
        if (session.recovering && from == session.nextReport && messages.retransmission.msgCount() == 0)
        {
            final long first = session.nextReport;
            session.recovering = false;
            session.nextReport = session.highest + 1;
            listener.onReportsLost(session, first, session.nextReport - first);
        }
    }

    /** Whether a gateway reads what this sends. */
    public boolean isRead()
    {
        return sender.isConnected();
    }

    /** Whether a gateway has a stream to this client, which it opens for the first Establish. */
    public boolean isAnswered()
    {
        return inlet.isConnected();
    }

    /** How the thread that polls this waits: a report ends its sleep, where the transport can. */
    public IdleStrategy idle(final Waiting how)
    {
        return how.strategy(inlet);
    }

    /** Messages that no client expects. */
    public long foreign()
    {
        return foreign;
    }

    /** Ends a session; its orders are canceled if the connection was made so. */
    public void end(final OrderSession session)
    {
        session.closed = true;
        if (session.established)
        {
            messages.terminate(sender, session.id, TerminationCode.Requested);
        }
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(sender, inlet);
    }
}

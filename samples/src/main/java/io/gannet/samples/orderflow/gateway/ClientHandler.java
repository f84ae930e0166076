package io.gannet.samples.orderflow.gateway;

import io.gannet.orderflow.BusinessRejectReason;
import io.gannet.orderflow.EstablishDecoder;
import io.gannet.orderflow.EstablishRejectReason;
import io.gannet.orderflow.InboundHeaderDecoder;
import io.gannet.orderflow.MassCancelCause;
import io.gannet.orderflow.MassCancelRequestDecoder;
import io.gannet.orderflow.MassCancelScope;
import io.gannet.orderflow.MessageHeaderDecoder;
import io.gannet.orderflow.NewOrderSingleDecoder;
import io.gannet.orderflow.OrdRejReason;
import io.gannet.orderflow.OrderCancelReplaceRequestDecoder;
import io.gannet.orderflow.OrderCancelRequestDecoder;
import io.gannet.orderflow.RetransmitRequestDecoder;
import io.gannet.orderflow.SecurityStatusRequestDecoder;
import io.gannet.orderflow.SecurityTradingStatus;
import io.gannet.orderflow.SequenceDecoder;
import io.gannet.orderflow.TerminateDecoder;
import io.gannet.orderflow.TerminationCode;
import io.gannet.samples.orderflow.link.Streams;
import io.gannet.samples.orderflow.matching.CommandCheck;
import io.gannet.samples.orderflow.matching.OrderCheck;
import io.gannet.samples.orderflow.matching.Tradables;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * What becomes of each message from a client: checked, numbered, throttled, forwarded or refused. A message that no
 * session could have sent is counted and dropped. For the gateway's thread.
 */
final class ClientHandler
{
    /** The connections of the gateway. */
    interface Connections
    {
        /** Finds or begins the connection of a source. */
        Connection of(long source, int reportStream);

        /** The connection of a source, or null. */
        Connection find(long source);

        /** Whether its client is not there any more. */
        boolean isGone(Connection connection);

        /** Whether another connection that is in use has this stream. */
        boolean isTaken(int reportStream, Connection by);
    }

    private static final int HEADER = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int CL_ORD_ID = InboundHeaderDecoder.ENCODED_LENGTH;
    private static final long MIN_KEEP_ALIVE = 10;
    private static final long MAX_KEEP_ALIVE = 600_000;
    private static final long NANOS = 1_000_000L;
    private static final long REPEAT_NANOS = 200_000_000L;

    private final Sessions sessions;
    private final ClientMessages messages;
    private final EngineLink link;
    private final GatewayCounters counters;
    private final Connections connections;
    private final Tradables tradables;
    private final OrderCheck orderCheck;
    private final Throttle throttle;
    private final int operator;
    private final Streams streams;
    private final CommandCheck commandCheck = new CommandCheck();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final InboundHeaderDecoder inbound = new InboundHeaderDecoder();
    private final NewOrderSingleDecoder newOrder = new NewOrderSingleDecoder();
    private final MassCancelRequestDecoder massCancel = new MassCancelRequestDecoder();
    private final SecurityStatusRequestDecoder status = new SecurityStatusRequestDecoder();
    private final EstablishDecoder establish = new EstablishDecoder();
    private final SequenceDecoder sequence = new SequenceDecoder();
    private final RetransmitRequestDecoder retransmit = new RetransmitRequestDecoder();
    private final TerminateDecoder terminate = new TerminateDecoder();

    ClientHandler(
        final GatewaySettings settings, final Sessions sessions, final ClientMessages messages, final EngineLink link,
        final GatewayCounters counters, final Connections connections)
    {
        this.sessions = sessions;
        this.messages = messages;
        this.link = link;
        this.counters = counters;
        this.connections = connections;
        tradables = settings.tradables();
        orderCheck = new OrderCheck(tradables);
        throttle = new Throttle(settings.ordersPerSecond(), settings.burst());
        operator = settings.operator();
        streams = settings.streams();
    }

    void onMessage(
        final DirectBuffer buffer, final int offset, final int length, final long source, final long now)
    {
        if (length < HEADER)
        {
            counters.refused.increment();
            return;
        }
        header.wrap(buffer, offset);
        if (header.schemaId() != MessageHeaderDecoder.SCHEMA_ID || length < HEADER + header.blockLength())
        {
            counters.refused.increment();
            return;
        }
        switch (header.templateId())
        {
            case NewOrderSingleDecoder.TEMPLATE_ID, OrderCancelReplaceRequestDecoder.TEMPLATE_ID,
                OrderCancelRequestDecoder.TEMPLATE_ID, MassCancelRequestDecoder.TEMPLATE_ID,
                SecurityStatusRequestDecoder.TEMPLATE_ID -> onCommand(buffer, offset, length, source, now);
            case SequenceDecoder.TEMPLATE_ID -> onSequence(buffer, offset, source);
            case EstablishDecoder.TEMPLATE_ID -> onEstablish(buffer, offset, source, now);
            case RetransmitRequestDecoder.TEMPLATE_ID -> onRetransmit(buffer, offset, source);
            case TerminateDecoder.TEMPLATE_ID -> onTerminate(buffer, offset, source);
            default -> counters.refused.increment();
        }
    }

    private Session established(final long sessionId, final long source)
    {
        final Session session = sessions.find(sessionId);
        if (session == null || session.connection == null || session.connection.source != source)
        {
            counters.refused.increment();
            tellThatItEnded(session, source);
            return null;
        }
        return session;
    }

    /** The client had no room for the message that said so, or it was lost. */
    private void tellThatItEnded(final Session session, final long source)
    {
        if (session != null && session.connection == null)
        {
            final Connection connection = connections.find(source);
            if (connection != null && connection.sender != null)
            {
                messages.terminate(connection.sender, session, session.end);
            }
        }
    }

    private void onCommand(
        final DirectBuffer buffer, final int offset, final int length, final long source, final long now)
    {
        final int template = commandCheck.template(buffer, offset, length);
        if (template == -1)
        {
            counters.refused.increment();
            return;
        }
        inbound.wrap(buffer, offset + HEADER);
        final Session session = established(inbound.sessionID(), source);
        if (session == null)
        {
            return;
        }
        session.lastReceived = sessions.time();
        final long number = inbound.msgSeqNum();
        if (number != session.nextIn)
        {
            outOfOrder(session, number);
            return;
        }
        session.gapSignaled = false;
        counters.received.increment();
        take(session, buffer, offset, length, template, now);
        // Behind what tells of it in the store: see Sessions.restore.
        sessions.took(session);
    }

    private void outOfOrder(final Session session, final long number)
    {
        if (number < session.nextIn)
        {
            counters.duplicates.increment();
            return;
        }
        // Where numbers go back they are sent again, and the first of them is lost again.
        if (!session.gapSignaled || number <= session.outOfOrder ||
            sessions.time() - session.gapSignaledAt > REPEAT_NANOS)
        {
            counters.gaps.increment();
            session.gapSignaled = messages.notApplied(session.connection.sender, session, number - session.nextIn);
            session.gapSignaledAt = sessions.time();
        }
        session.outOfOrder = number;
    }

    private void take(
        final Session session, final DirectBuffer buffer, final int offset, final int length, final int template,
        final long now)
    {
        final long clOrdId = template == SecurityStatusRequestDecoder.TEMPLATE_ID ? 0 :
            buffer.getLong(offset + HEADER + CL_ORD_ID, ByteOrder.LITTLE_ENDIAN);
        if (template == NewOrderSingleDecoder.TEMPLATE_ID || template == OrderCancelReplaceRequestDecoder.TEMPLATE_ID)
        {
            final long next = throttle.next(session.throttle, sessions.time());
            if (next < 0)
            {
                counters.throttled.increment();
                sessions.businessReject(session, inbound, clOrdId, template,
                    BusinessRejectReason.ThrottleLimitExceeded, now);
                return;
            }
            session.throttle = next;
        }
        if (!link.isAvailable())
        {
            counters.unavailable.increment();
            sessions.businessReject(session, inbound, clOrdId, template,
                BusinessRejectReason.ApplicationNotAvailable, now);
            return;
        }
        if (template == NewOrderSingleDecoder.TEMPLATE_ID)
        {
            final OrdRejReason reason = orderCheck.check(
                newOrder.wrap(buffer, offset + HEADER, header.blockLength(), header.version()));
            if (reason != null)
            {
                sessions.reject(session, inbound, clOrdId, reason, now);
                return;
            }
        }
        else if (template == SecurityStatusRequestDecoder.TEMPLATE_ID && session.number != operator)
        {
            sessions.businessReject(session, inbound, clOrdId, template, BusinessRejectReason.UnsupportedMessageType,
                now);
            return;
        }
        else if ((template == MassCancelRequestDecoder.TEMPLATE_ID && !isMassCancel(buffer, offset)) ||
            (template == SecurityStatusRequestDecoder.TEMPLATE_ID && !isStatus(buffer, offset)))
        {
            sessions.businessReject(session, inbound, clOrdId, template, BusinessRejectReason.Malformed, now);
            return;
        }
        if (session.cancelPending)
        {
            // What was sent before the client went, not what it sends now that it is back.
            link.cancelAll(session.id, now);
            sessions.canceled(session);
        }
        link.forward(buffer, offset, length, now);
        link.send();
    }

    /** What is to be canceled is not guessed, and why is the gateway's to say. */
    private boolean isMassCancel(final DirectBuffer buffer, final int offset)
    {
        massCancel.wrap(buffer, offset + HEADER, header.blockLength(), header.version());
        final MassCancelScope scope = massCancel.massCancelScope();
        return massCancel.massCancelCause() == MassCancelCause.Request && (scope == MassCancelScope.Session ||
            (scope == MassCancelScope.Security && tradables.index((int) inbound.securityID()) != Tradables.UNKNOWN));
    }

    private boolean isStatus(final DirectBuffer buffer, final int offset)
    {
        final SecurityTradingStatus wanted =
            status.wrap(buffer, offset + HEADER, header.blockLength(), header.version()).securityTradingStatus();
        return wanted != SecurityTradingStatus.NULL_VAL && wanted != SecurityTradingStatus.SBE_UNKNOWN &&
            tradables.index((int) inbound.securityID()) != Tradables.UNKNOWN;
    }

    private void onSequence(final DirectBuffer buffer, final int offset, final long source)
    {
        if (header.blockLength() < SequenceDecoder.BLOCK_LENGTH)
        {
            counters.refused.increment();
            return;
        }
        sequence.wrap(buffer, offset + HEADER, header.blockLength(), header.version());
        final Session session = established(sequence.sessionID(), source);
        if (session != null)
        {
            session.lastReceived = sessions.time();
            if (sequence.nextSeqNo() > session.nextIn)
            {
                // The tail of what it sent got lost.
                outOfOrder(session, sequence.nextSeqNo());
            }
        }
    }

    private void onEstablish(final DirectBuffer buffer, final int offset, final long source, final long now)
    {
        if (header.blockLength() < EstablishDecoder.BLOCK_LENGTH)
        {
            counters.refused.increment();
            return;
        }
        establish.wrap(buffer, offset + HEADER, header.blockLength(), header.version());
        if (!streams.isToClient(establish.reportStream()))
        {
            counters.refused.increment();
            return;
        }
        final Connection connection = connections.of(source, establish.reportStream());
        if (connection.sender == null || !connection.sender.isConnected() || !link.isSettled())
        {
            // The client asks again. Another gateway may have the sessions, as the engine is about to tell.
            return;
        }
        final Session session = sessions.find(establish.sessionID());
        final EstablishRejectReason reason = refusal(session, connection);
        if (reason != null)
        {
            messages.establishReject(connection.sender, establish.sessionID(), session == null ? 0 : session.nextIn,
                reason);
            return;
        }
        final long keepAlive = establish.keepAliveInterval();
        if (session.connection != connection)
        {
            sessions.establish(session, connection, establish.sessionFlags().cancelOnDisconnect());
        }
        session.keepAliveNanos = keepAlive * NANOS;
        session.lastReceived = sessions.time();
        session.lastSent = sessions.time();
        messages.ack(connection.sender, session, keepAlive, now);
    }

    private EstablishRejectReason refusal(final Session session, final Connection connection)
    {
        final long keepAlive = establish.keepAliveInterval();
        return session == null ? EstablishRejectReason.UnknownSession :
            keepAlive < MIN_KEEP_ALIVE || keepAlive > MAX_KEEP_ALIVE ? EstablishRejectReason.InvalidKeepAlive :
            connection.reportStream != establish.reportStream() ||
            connections.isTaken(connection.reportStream, connection) ? EstablishRejectReason.NoReportStream :
            session.connection != null && session.connection != connection && !connections.isGone(session.connection) ?
            EstablishRejectReason.AlreadyEstablished : link.isRefused() ? EstablishRejectReason.NotLinked : null;
    }

    private void onRetransmit(final DirectBuffer buffer, final int offset, final long source)
    {
        if (header.blockLength() < RetransmitRequestDecoder.BLOCK_LENGTH)
        {
            counters.refused.increment();
            return;
        }
        retransmit.wrap(buffer, offset + HEADER, header.blockLength(), header.version());
        final Session session = established(retransmit.sessionID(), source);
        if (session == null)
        {
            return;
        }
        session.lastReceived = sessions.time();
        final long from = retransmit.fromSeqNo();
        final boolean kept = from >= 1 && from < session.nextOut && sessions.isKept(session, from);
        if (messages.retransmission(session.connection.sender, session, from, kept ? session.nextOut - from : 0) &&
            kept)
        {
            sessions.resend(session, from);
        }
    }

    private void onTerminate(final DirectBuffer buffer, final int offset, final long source)
    {
        if (header.blockLength() < TerminateDecoder.BLOCK_LENGTH)
        {
            counters.refused.increment();
            return;
        }
        terminate.wrap(buffer, offset + HEADER, header.blockLength(), header.version());
        final Session session = established(terminate.sessionID(), source);
        if (session != null)
        {
            sessions.terminate(session, TerminationCode.Requested);
        }
    }
}

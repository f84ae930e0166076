package io.gannet.samples.orderflow.gateway;

import io.gannet.orderflow.BusinessRejectReason;
import io.gannet.orderflow.InboundHeaderDecoder;
import io.gannet.orderflow.MessageHeaderEncoder;
import io.gannet.orderflow.OrdRejReason;
import io.gannet.orderflow.OutboundHeaderDecoder;
import io.gannet.orderflow.OutboundHeaderEncoder;
import io.gannet.orderflow.TerminationCode;
import io.gannet.samples.UtcClock;
import io.gannet.samples.orderflow.link.MessageLog;
import io.gannet.samples.orderflow.link.SequenceIndex;
import io.gannet.samples.orderflow.matching.LinkNumbers;
import org.agrona.DirectBuffer;

/**
 * The sessions and what they are owed: every report gets the session's next number, is kept, and is sent when the
 * session is there and its client has room. For the gateway's thread.
 */
final class Sessions
{
    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int BATCH = 64;

    private final Session[] all;
    private final SessionStore store;
    private final MessageLog log;
    private final GatewayCounters counters;
    private final ClientMessages messages;
    private final int gateway;
    private final UtcClock clock;
    private final OutboundHeaderDecoder outbound = new OutboundHeaderDecoder();
    private final OutboundHeaderEncoder stamp = new OutboundHeaderEncoder();
    private final Session[] behind;
    private int behindCount;
    private long time;

    Sessions(
        final GatewaySettings settings, final SessionStore store, final ClientMessages messages,
        final GatewayCounters counters, final UtcClock clock)
    {
        this.clock = clock;
        this.store = store;
        this.messages = messages;
        this.counters = counters;
        gateway = settings.id();
        log = store.reports();
        all = new Session[settings.maxSessions() + 1];
        behind = new Session[all.length];
        for (int i = 1; i < all.length; i++)
        {
            all[i] = new Session(i, gateway << 16 | i);
            all[i].nextIn = store.nextIn(i);
            all[i].nextOut = store.nextOut(i);
        }
        restore();
    }

    /** Numbers are stored behind the messages that use them: a death in between is made good from the messages. */
    private void restore()
    {
        for (long at = log.first(); at < log.end();)
        {
            at = log.messageAt(at);
            if (at < log.end())
            {
                outbound.wrap(log.buffer(), log.offset(at) + HEADER);
                final Session session = find(outbound.sessionID());
                if (session != null)
                {
                    session.sent.put(outbound.msgSeqNum(), at);
                    session.nextOut = Math.max(session.nextOut, outbound.msgSeqNum() + 1);
                    session.nextIn = Math.max(session.nextIn, outbound.refSeqNum() + 1);
                }
                at = log.next(at);
            }
        }
        final InboundHeaderDecoder inbound = new InboundHeaderDecoder();
        final MessageLog commands = store.commands();
        for (long at = commands.first(); at < commands.end();)
        {
            at = commands.messageAt(at);
            if (at < commands.end())
            {
                inbound.wrap(commands.buffer(), commands.offset(at) + HEADER);
                final Session session = find(inbound.sessionID());
                if (session != null)
                {
                    session.nextIn = Math.max(session.nextIn, inbound.msgSeqNum() + 1);
                }
                at = commands.next(at);
            }
        }
    }

    /** For intervals, see {@link Gateway}; set once for each round of its thread. */
    void time(final long value)
    {
        time = value;
    }

    /** The round's time. */
    long time()
    {
        return time;
    }

    /** The session with this id, or null. */
    Session find(final long sessionId)
    {
        final int number = (int) sessionId & 0xFFFF;
        return LinkNumbers.gatewayOf((int) sessionId) == gateway && number > 0 && number < all.length ? all[number] :
            null;
    }

    /** Sessions are numbered from 1 to this less 1. */
    int limit()
    {
        return all.length;
    }

    Session get(final int number)
    {
        return all[number];
    }

    /** A message of the client was taken. */
    void took(final Session session)
    {
        session.nextIn++;
        store.nextIn(session.number, session.nextIn);
    }

    /** A report of the engine; of no interest if it is another gateway's. */
    void onReport(final DirectBuffer buffer, final int offset, final int length, final long now)
    {
        final Session session = find(outbound.wrap(buffer, offset + HEADER).sessionID());
        if (session == null)
        {
            return;
        }
        final int at = log.claim(length);
        log.buffer().putBytes(at, buffer, offset, length);
        stamp.wrap(log.buffer(), at + HEADER).msgSeqNum(session.nextOut);
        counters.reports.increment();
        keep(session, now);
    }

    void reject(
        final Session session, final InboundHeaderDecoder in, final long clOrdId, final OrdRejReason reason,
        final long now)
    {
        messages.reject(log, in, clOrdId, reason, session.nextOut, now);
        counters.rejected.increment();
        keep(session, now);
    }

    void businessReject(
        final Session session, final InboundHeaderDecoder in, final long clOrdId, final int template,
        final BusinessRejectReason reason, final long now)
    {
        messages.businessReject(log, in, clOrdId, template, reason, session.nextOut, now);
        keep(session, now);
    }

    /** Commits the report that was claimed, and sends it if nothing waits before it. */
    private void keep(final Session session, final long now)
    {
        final long end = log.commit();
        final long number = session.nextOut++;
        session.sent.put(number, end - log.lastLength());
        store.nextOut(session.number, session.nextOut);
        if (session.connection == null)
        {
            return;
        }
        if (!session.behind && session.nextToSend == number &&
            ClientMessages.send(session.connection.sender, log, session.sent.position(number, log), stamp, now))
        {
            session.nextToSend++;
            session.lastSent = time;
        }
        else
        {
            fallBehind(session);
        }
    }

    /** The session's client gets what it lacks when it has room. */
    void fallBehind(final Session session)
    {
        if (!session.behind)
        {
            session.behind = true;
            behind[behindCount++] = session;
        }
    }

    /** Whether a report can be sent again. */
    boolean isKept(final Session session, final long number)
    {
        return session.sent.position(number, log) != SequenceIndex.UNKNOWN;
    }

    /** Sends again from this report on, which is kept. */
    void resend(final Session session, final long from)
    {
        counters.retransmitted.add(Math.max(0, session.nextToSend - from));
        session.nextToSend = Math.min(session.nextToSend, from);
        session.resending = true;
        fallBehind(session);
    }

    /** Sends what waits for room; returns how many reports. */
    int doWork()
    {
        int sent = 0;
        for (int i = behindCount - 1; i >= 0; i--)
        {
            final Session session = behind[i];
            sent += catchUp(session);
            if (session.connection == null || session.nextToSend == session.nextOut)
            {
                if (session.connection != null && session.resending)
                {
                    // If the last of them got lost, it is asked for at once.
                    messages.sequence(session.connection.sender, session);
                }
                session.resending = false;
                session.behind = false;
                behind[i] = behind[--behindCount];
                behind[behindCount] = null;
            }
        }
        return sent;
    }

    private int catchUp(final Session session)
    {
        int sent = 0;
        while (session.connection != null && session.nextToSend < session.nextOut && sent < BATCH)
        {
            final long position = session.sent.position(session.nextToSend, log);
            if (position == SequenceIndex.UNKNOWN)
            {
                terminate(session, TerminationCode.TooFarBehind);
                break;
            }
            if (!ClientMessages.send(session.connection.sender, log, position, stamp, clock.nanos()))
            {
                break;
            }
            session.nextToSend++;
            session.lastSent = time;
            sent++;
        }
        return sent;
    }

    void establish(final Session session, final Connection connection, final boolean cancelOnDisconnect)
    {
        if (session.connection == null)
        {
            counters.established.increment();
        }
        else
        {
            session.connection.sessions--;
        }
        session.connection = connection;
        connection.sessions++;
        session.nextToSend = session.nextOut;
        session.gapSignaled = false;
        session.graceEnd = 0;
        session.cancelOnDisconnect = cancelOnDisconnect;
        store.flags(session.number, SessionStore.ACTIVE | (cancelOnDisconnect ? SessionStore.CANCEL_ON_DISCONNECT :
            0));
    }

    /** Tells the client that its session ends, and ends it. */
    void terminate(final Session session, final TerminationCode code)
    {
        messages.terminate(session.connection.sender, session, code);
        session.end = code;
        disconnect(session);
    }

    /** The client is gone; its orders go too, if it wanted that. */
    void disconnect(final Session session)
    {
        if (session.connection != null)
        {
            session.connection.sessions--;
            session.connection = null;
            counters.established.add(-1);
        }
        session.cancelPending |= session.cancelOnDisconnect;
        if (!session.cancelOnDisconnect)
        {
            store.flags(session.number, 0);
        }
    }

    /** The session's orders are on their way out. */
    void canceled(final Session session)
    {
        session.cancelPending = false;
        counters.disconnects.increment();
        store.flags(session.number, session.connection == null ? 0 : store.flags(session.number));
    }

    /** Which sessions were there before a restart. */
    boolean wasActive(final int number)
    {
        return (store.flags(number) & SessionStore.ACTIVE) != 0;
    }

    boolean wasToCancel(final int number)
    {
        return (store.flags(number) & SessionStore.CANCEL_ON_DISCONNECT) != 0;
    }
}

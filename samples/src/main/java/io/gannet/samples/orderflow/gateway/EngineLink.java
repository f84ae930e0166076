package io.gannet.samples.orderflow.gateway;

import io.gannet.orderflow.InboundHeaderDecoder;
import io.gannet.orderflow.InboundHeaderEncoder;
import io.gannet.orderflow.LinkEstablishEncoder;
import io.gannet.orderflow.LinkEstablishedDecoder;
import io.gannet.orderflow.MassCancelCause;
import io.gannet.orderflow.MassCancelRequestEncoder;
import io.gannet.orderflow.MassCancelScope;
import io.gannet.orderflow.MessageHeaderDecoder;
import io.gannet.orderflow.MessageHeaderEncoder;
import io.gannet.orderflow.OutboundHeaderDecoder;
import io.gannet.samples.marketdata.publisher.Outlet;
import io.gannet.samples.orderflow.link.Inlet;
import io.gannet.samples.orderflow.link.MessageLog;
import org.agrona.DirectBuffer;

/**
 * The gateway's side of the link to the engine. Commands get the link's numbers and stay in a log, from which the
 * engine gets again what it had not journaled when it died; reports are taken once and in order. For the gateway's
 * thread.
 */
final class EngineLink
{
    /** Takes the reports. */
    interface Listener
    {
        /** A report, each once, in order; {@code number} is the engine's. */
        void onReport(DirectBuffer buffer, int offset, int length, int template, long number);

        /** Reports below {@code first} can't be had any more. */
        void onReportsLost(long from, long first);
    }

    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final long RETRY_NANOS = 200_000_000L;
    private static final long SILENCE_NANOS = 500_000_000L;
    private static final int BATCH = 256;
    private static final int POLL_LIMIT = 256;

    private final SessionStore store;
    private final MessageLog log;
    private final Outlet outlet;
    private final Inlet inlet;
    private final Listener listener;
    private final GatewayCounters counters;
    private final int gateway;
    private final Inlet.Handler handler = this::onMessage;
    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final InboundHeaderEncoder inbound = new InboundHeaderEncoder();
    private final InboundHeaderDecoder inboundDecoder = new InboundHeaderDecoder();
    private final OutboundHeaderDecoder outbound = new OutboundHeaderDecoder();
    private final LinkEstablishEncoder establish = new LinkEstablishEncoder();
    private final LinkEstablishedDecoder established = new LinkEstablishedDecoder();
    private final MassCancelRequestEncoder massCancel = new MassCancelRequestEncoder();
    private long lastCommand;
    private long lastReport;
    private long sentPosition;
    private long nonce;
    private long askedAt;
    private long heardAt;
    private long source;
    private boolean up;
    private boolean asked;
    /** A report is missing; commands go on meanwhile. */
    private boolean missing;
    /** Whether it is known which report comes next: not for a store that never had a link. */
    private boolean known;

    EngineLink(
        final int gateway, final SessionStore store, final Outlet outlet, final Inlet inlet, final Listener listener,
        final GatewayCounters counters)
    {
        this.gateway = gateway;
        this.store = store;
        this.outlet = outlet;
        this.inlet = inlet;
        this.listener = listener;
        this.counters = counters;
        log = store.commands();
        sentPosition = log.end();
        lastReport = store.lastOfEngine();
        restore();
    }

    private void restore()
    {
        final long end = log.end();
        for (long at = log.first(); at < end;)
        {
            at = log.messageAt(at);
            if (at < end)
            {
                lastCommand = numberAt(at);
                at = log.next(at);
            }
        }
        final MessageLog reports = store.reports();
        for (long at = reports.first(); at < reports.end();)
        {
            at = reports.messageAt(at);
            if (at < reports.end())
            {
                lastReport = Math.max(lastReport,
                    outbound.wrap(reports.buffer(), reports.offset(at) + HEADER).applSeqNum());
                at = reports.next(at);
            }
        }
        known = lastReport > 0 || lastCommand > 0;
    }

    /** The first report that is needed; 0 for whatever comes. */
    private long nextReport()
    {
        return known ? lastReport + 1 : 0;
    }

    private long numberAt(final long at)
    {
        return inboundDecoder.wrap(log.buffer(), log.offset(at) + HEADER).applSeqNum();
    }

    /** Whether commands are taken: the engine is there and not half a log behind. */
    boolean isAvailable()
    {
        return up && log.end() - sentPosition < log.capacity() / 4;
    }

    /** Takes a command over into the log, with the link's number, and sends it if there is room. */
    void forward(final DirectBuffer buffer, final int offset, final int length, final long now)
    {
        final int at = log.claim(length);
        log.buffer().putBytes(at, buffer, offset, length);
        inbound.wrap(log.buffer(), at + HEADER).applSeqNum(++lastCommand).receivedTime(now);
        log.commit();
        counters.forwarded.increment();
    }

    /** Has the engine cancel all orders of a session that is gone. */
    void cancelAll(final int sessionId, final long now)
    {
        final int at = log.claim(HEADER + MassCancelRequestEncoder.BLOCK_LENGTH);
        massCancel.wrapAndApplyHeader(log.buffer(), at, headerEncoder);
        massCancel.header().msgSeqNum(0).sendingTime(now).applSeqNum(++lastCommand).receivedTime(now)
            .sessionID(Integer.toUnsignedLong(sessionId)).securityID(0);
        massCancel.clOrdID(0).massCancelScope(MassCancelScope.Session).massCancelCause(MassCancelCause.Disconnect);
        log.buffer().setMemory(at + HEADER + 50, MassCancelRequestEncoder.BLOCK_LENGTH - 50, (byte) 0);
        log.commit();
        counters.forwarded.increment();
    }

    /** Sends and takes what it can; returns how much. */
    int doWork(final long now)
    {
        final int polled = inlet.poll(handler, POLL_LIMIT);
        if (up && !inlet.isConnected(source))
        {
            up = false;
            asked = false;
        }
        if (polled > 0)
        {
            heardAt = now;
        }
        if (!up || missing || now - heardAt > SILENCE_NANOS)
        {
            // In silence the answer tells whether the last command or report got lost.
            ask(now);
        }
        return polled + send();
    }

    /** Sends what waits in the log. */
    int send()
    {
        if (!up)
        {
            return 0;
        }
        final long end = log.end();
        long at = sentPosition;
        int sent = 0;
        while (at < end && sent < BATCH)
        {
            at = log.messageAt(at);
            if (at == end)
            {
                break;
            }
            final int length = log.length(at);
            if (outlet.claim(length) <= 0)
            {
                break;
            }
            outlet.buffer().putBytes(outlet.offset(), log.buffer(), log.offset(at), length);
            outlet.commit();
            sent++;
            at = log.next(at);
        }
        sentPosition = at;
        return sent;
    }

    private void ask(final long now)
    {
        if ((asked && now - askedAt < RETRY_NANOS) || !outlet.isConnected() || !inlet.isConnected())
        {
            return;
        }
        if (outlet.claim(HEADER + LinkEstablishEncoder.BLOCK_LENGTH) > 0)
        {
            establish.wrapAndApplyHeader(outlet.buffer(), outlet.offset(), headerEncoder)
                .epoch(store.epoch()).fromSeqNo(nextReport()).nonce(++nonce)
                .gatewayID(gateway);
            outlet.commit();
            asked = true;
            askedAt = now;
        }
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length, final long from)
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
        if (header.templateId() == LinkEstablishedDecoder.TEMPLATE_ID)
        {
            onEstablished(established.wrap(buffer, offset + HEADER, header.blockLength(), header.version()), from);
        }
        else if (up && from == source && header.blockLength() >= OutboundHeaderDecoder.ENCODED_LENGTH)
        {
            onReport(buffer, offset, length, outbound.wrap(buffer, offset + HEADER).applSeqNum());
        }
    }

    private void onReport(final DirectBuffer buffer, final int offset, final int length, final long number)
    {
        if (number == lastReport + 1)
        {
            listener.onReport(buffer, offset, length, header.templateId(), number);
            lastReport = number;
            store.lastOfEngine(number);
        }
        else if (number > lastReport + 1 && !missing)
        {
            // Asked for at once. What follows is not taken until the answer, behind which it all comes again.
            missing = true;
            asked = false;
        }
    }

    private void onEstablished(final LinkEstablishedDecoder answer, final long from)
    {
        if (answer.gatewayID() != gateway || (answer.nonce() != 0 && answer.nonce() != nonce))
        {
            return;
        }
        if (answer.nonce() == 0)
        {
            if (up && from == source)
            {
                rewind(answer.nextSeqNo());
            }
            return;
        }
        missing = false;
        if (!up || from != source || answer.nextSeqNo() <= lastCommand)
        {
            source = from;
            rewind(answer.nextSeqNo());
            up = true;
            counters.links.increment();
        }
        if (!known)
        {
            known = true;
            lastReport = answer.nextOutSeqNo() - 1;
            store.lastOfEngine(lastReport);
        }
        else if (answer.firstSeqNo() > lastReport + 1)
        {
            listener.onReportsLost(lastReport + 1, answer.firstSeqNo());
            lastReport = answer.firstSeqNo() - 1;
            store.lastOfEngine(lastReport);
        }
    }

    /** Goes on with this command, or the oldest that is left. */
    private void rewind(final long number)
    {
        final long end = log.end();
        long at = log.first();
        while (at < end)
        {
            at = log.messageAt(at);
            if (at < end)
            {
                if (numberAt(at) >= number)
                {
                    break;
                }
                at = log.next(at);
            }
        }
        sentPosition = at;
    }

    boolean isUp()
    {
        return up;
    }
}

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
import io.gannet.samples.orderflow.link.ReportCheck;
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

        /** Engine and gateway do not fit, for this reason; nothing is sent or taken until they do. */
        void onRefused(Mismatch mismatch, String reason);

        /** The engine takes commands, of which none did before. */
        void onLinked();
    }

    /** Why a link is refused; a reason's text has numbers in it, which change. */
    enum Mismatch
    {
        /** Another process has the gateway's number, or had it with a newer store. */
        TAKEN,
        /** The store is behind the engine. */
        OLD_STORE,
        /** The engine is behind the store. */
        OTHER_JOURNAL,
        /** What the engine lacks is not kept any more. */
        OLD_JOURNAL
    }

    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final long RETRY_NANOS = 200_000_000L;
    private static final long SILENCE_NANOS = 500_000_000L;
    private static final long SETTLE_NANOS = 1_000_000_000L;
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
    private final ReportCheck check = new ReportCheck();
    private final InboundHeaderEncoder inbound = new InboundHeaderEncoder();
    private final InboundHeaderDecoder inboundDecoder = new InboundHeaderDecoder();
    private final OutboundHeaderDecoder outbound = new OutboundHeaderDecoder();
    private final LinkEstablishEncoder establish = new LinkEstablishEncoder();
    private final LinkEstablishedDecoder established = new LinkEstablishedDecoder();
    private final MassCancelRequestEncoder massCancel = new MassCancelRequestEncoder();
    private long lastCommand;
    private long lastReport;
    /** Number of the last report that is known to be there. */
    private long knownReport;
    private long sentPosition;
    /** Number of the last command that was sent. */
    private long sentCommand;
    /** The same when the engine was asked: its answer comes behind it. */
    private long askedCommand;
    /** Where that ends in the log. */
    private long askedPosition;
    /** Number of the last command that the engine is known to have. */
    private long takenCommand;
    /** Where that ends in the log: what is behind it may have to be sent again. */
    private long takenPosition;
    /** Unlike those of an earlier run, whose answers may still come. */
    private long nonce = System.nanoTime();
    private long askedAt;
    private long time;
    /** When the last report came that was expected, or an answer. */
    private long heardAt;
    private long source;
    private boolean up;
    /** The engine that is there does not fit. */
    private boolean refused;
    private long startedAt;
    private boolean settled;
    private boolean asked;
    /** It was asked for the reports that are missing, too. */
    private boolean askedForReports;
    /** It sends again what the engine lacks, or has not yet heard that the engine has it. */
    private boolean rewound;
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
        takenPosition = sentPosition;
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

    /**
     * Whether commands are taken: the engine is there, a quarter of the log does not wait for it, and what it is not
     * known to have journaled stays in the log, from which the next engine gets it should this one die.
     */
    boolean isAvailable()
    {
        return up && log.end() - sentPosition < log.capacity() / 4 &&
            log.end() - takenPosition < log.capacity() / 4 * 3L;
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
        time = now;
        final int polled = inlet.poll(handler, POLL_LIMIT);
        if (up && !inlet.isConnected(source))
        {
            up = false;
            asked = false;
        }
        if (refused && !inlet.isConnected())
        {
            refused = false;
        }
        if (startedAt == 0)
        {
            startedAt = now;
        }
        settled = settled || up || refused || now - startedAt > SETTLE_NANOS;
        // Behind what was sent again comes the question whether it is there.
        final boolean lacksReports = !up || missing ||
            now - heardAt > (lastReport < knownReport ? RETRY_NANOS : SILENCE_NANOS);
        if (lacksReports || (rewound && sentPosition == log.end()) || needsAnswer(now))
        {
            ask(lacksReports);
        }
        return polled + send();
    }

    /**
     * The answer tells of a command that was lost, though reports of others go on; and how much of the log is not
     * needed any more.
     */
    private boolean needsAnswer(final long now)
    {
        return takenCommand < sentCommand && (now - askedAt > SILENCE_NANOS ||
            log.end() - takenPosition > log.capacity() / 4);
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
        long last = at;
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
            last = at;
            at = log.next(at);
        }
        if (sent > 0)
        {
            sentCommand = numberAt(last);
        }
        sentPosition = at;
        return sent;
    }

    /**
     * Asks which command comes next.
     *
     * @param forReports also for the reports behind the last that is here; those on the way would come twice.
     */
    private void ask(final boolean forReports)
    {
        if ((asked && time - askedAt < RETRY_NANOS) || !outlet.isConnected() || !inlet.isConnected())
        {
            return;
        }
        if (outlet.claim(HEADER + LinkEstablishEncoder.BLOCK_LENGTH) > 0)
        {
            establish.wrapAndApplyHeader(outlet.buffer(), outlet.offset(), headerEncoder)
                .epoch(store.epoch()).fromSeqNo(forReports ? nextReport() : 0).nonce(++nonce)
                .gatewayID(gateway);
            outlet.commit();
            asked = true;
            askedAt = time;
            askedCommand = sentCommand;
            askedPosition = sentPosition;
            askedForReports = forReports;
        }
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length, final long from)
    {
        final int template = check.template(buffer, offset, length);
        if (template == LinkEstablishedDecoder.TEMPLATE_ID)
        {
            header.wrap(buffer, offset);
            onEstablished(established.wrap(buffer, offset + HEADER, header.blockLength(), header.version()), from);
        }
        else if (template == -1 || template >= ReportCheck.FIRST_SESSION_TEMPLATE)
        {
            counters.refused.increment();
        }
        else if (up && from == source)
        {
            onReport(buffer, offset, length, template, outbound.wrap(buffer, offset + HEADER).applSeqNum());
        }
    }

    private void onReport(
        final DirectBuffer buffer, final int offset, final int length, final int template, final long number)
    {
        if (number == lastReport + 1)
        {
            listener.onReport(buffer, offset, length, template, number);
            lastReport = number;
            heardAt = time;
            store.lastOfEngine(number);
        }
        else if (number > lastReport + 1 && !missing)
        {
            knownReport = Math.max(knownReport, number);
            // Asked for at once. What follows is not taken until the answer, behind which it all comes again.
            missing = true;
            asked = false;
            counters.missing.increment();
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
        final Mismatch mismatch = mismatch(answer);
        if (mismatch != null)
        {
            // One that fits is not given up for another that was started beside it.
            up &= from != source;
            refused = !up;
            listener.onRefused(mismatch, reason(mismatch, answer));
            return;
        }
        refused = false;
        asked = false;
        missing &= !askedForReports;
        heardAt = time;
        takenCommand = answer.nextSeqNo() - 1;
        takenPosition = takenCommand >= askedCommand ? askedPosition : takenPosition;
        rewound &= takenCommand < askedCommand;
        knownReport = Math.max(knownReport, answer.nextOutSeqNo() - 1);
        if (!up || from != source || takenCommand < askedCommand)
        {
            source = from;
            rewind(answer.nextSeqNo());
            if (!up)
            {
                listener.onLinked();
            }
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

    /**
     * Why the engine can't be this gateway's, or null. To go on in spite of it would lose commands or reports, or do
     * commands twice.
     */
    private Mismatch mismatch(final LinkEstablishedDecoder answer)
    {
        final long next = answer.nextSeqNo();
        return next == LinkEstablishedDecoder.nextSeqNoNullValue() ? Mismatch.TAKEN :
            next > lastCommand + 1 ? Mismatch.OLD_STORE :
            known && answer.nextOutSeqNo() <= lastReport ? Mismatch.OTHER_JOURNAL :
            next < oldest(next) ? Mismatch.OLD_JOURNAL : null;
    }

    /** Number of the oldest command that is left, or what is said. */
    private long oldest(final long none)
    {
        return log.first() < log.end() ? numberAt(log.messageAt(log.first())) : none;
    }

    private String reason(final Mismatch mismatch, final LinkEstablishedDecoder answer)
    {
        final long next = answer.nextSeqNo();
        return switch (mismatch)
        {
            case TAKEN -> "the engine has gateway " + gateway + " by another process that runs, or by a newer store. " +
                "Give each gateway an --id and a --store of its own; if there is but one, its clock was ahead when " +
                "the other store was made: remove this --store when it has caught up";
            case OLD_STORE -> "the engine has " + (next - 1) + " commands of gateway " + gateway + ", whose store " +
                "knows of " + lastCommand + ": it is an old copy. Remove the --store to begin anew";
            case OTHER_JOURNAL -> "the engine has made " + (answer.nextOutSeqNo() - 1) + " reports, and gateway " +
                gateway + " has " + lastReport + " of it: its --journal is not the one that it had. Bring that back, " +
                "or remove the gateway's --store to begin anew";
            case OLD_JOURNAL -> "the engine lacks commands from " + next + ", and gateway " + gateway + " has them " +
                "from " + oldest(next) + ": the engine's --journal is an old copy. Bring back the newest, or remove " +
                "the gateway's --store to begin anew";
        };
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
        takenPosition = at;
        if (at < end)
        {
            rewound = true;
            asked = false;
        }
    }

    boolean isUp()
    {
        return up;
    }

    /** Whether the engine that is there does not take this gateway. */
    boolean isRefused()
    {
        return refused;
    }

    /**
     * Whether it is known if the engine takes this gateway: it has answered since the gateway began, or was given a
     * second to and is away.
     */
    boolean isSettled()
    {
        return settled;
    }
}

package io.gannet.samples.orderflow.engine;

import io.gannet.orderflow.LinkEstablishedEncoder;
import io.gannet.orderflow.MessageHeaderEncoder;
import io.gannet.orderflow.OutboundHeaderDecoder;
import io.gannet.orderflow.OutboundHeaderEncoder;
import io.gannet.samples.UtcClock;
import io.gannet.samples.marketdata.publisher.Outlet;
import io.gannet.samples.orderflow.link.BatchClock;
import io.gannet.samples.orderflow.link.MessageLog;
import io.gannet.samples.orderflow.link.ReportIndex;
import io.gannet.samples.orderflow.matching.LinkNumbers;

/**
 * Sends the engine's reports to its gateways and, when one asks, those that it lacks again. Never waits for a gateway:
 * what finds no room stays in the log, and a sender that falls half a log behind skips to its end; a gateway that sees
 * the gap asks. What it then lacks of the log's last three eighths it gets, so that the sender does not skip at once
 * again; of older reports it is told that they are lost. For one thread, but for {@link #position()}.
 */
final class ReportSender
{
    private static final int BATCH = 256;
    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;

    private final MessageLog log;
    private final ReportIndex index;
    private final Outlet outlet;
    private final EngineCounters counters;
    private final BatchClock clock = new BatchClock(new UtcClock());
    private final OutboundHeaderEncoder stamp = new OutboundHeaderEncoder();
    private final OutboundHeaderDecoder outbound = new OutboundHeaderDecoder();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final LinkEstablishedEncoder established = new LinkEstablishedEncoder();
    private final long[] answerNext = new long[LinkNumbers.MAX_GATEWAYS];
    private final long[] answerNonce = new long[LinkNumbers.MAX_GATEWAYS];
    private int firstAnswer = LinkNumbers.MAX_GATEWAYS;
    private volatile long position;
    /** Number of the report that comes next. */
    private long nextSequence;

    /**
     * @param next number of the report that comes next.
     */
    ReportSender(
        final MessageLog log, final ReportIndex index, final Outlet outlet, final EngineCounters counters,
        final long next)
    {
        this.log = log;
        this.index = index;
        this.outlet = outlet;
        this.counters = counters;
        position = log.end();
        nextSequence = next;
    }

    /** Everything below was sent or skipped; for any thread. */
    long position()
    {
        return position;
    }

    /** Tells a gateway which of its numbers is expected, and goes back to what it lacks. */
    void answer(final CommandEvent event)
    {
        final int gateway = event.answerGateway;
        answerNext[gateway] = event.answerNext;
        answerNonce[gateway] = event.answerNonce;
        firstAnswer = Math.min(firstAnswer, gateway);
        if (event.answerFrom > 0 && event.answerFrom < nextSequence)
        {
            final long from = Math.max(event.answerFrom, firstKept());
            if (from < nextSequence)
            {
                position = Math.min(position, index.position(from));
            }
        }
    }

    /** Number of the oldest report that can be sent again. */
    private long firstKept()
    {
        return index.firstFrom(Math.max(log.first(), log.end() - log.capacity() * 3L / 8), nextSequence);
    }

    private long sequenceAt(final long at)
    {
        return outbound.wrap(log.buffer(), log.offset(at) + HEADER).applSeqNum();
    }

    /** Sends what can be sent; returns how many reports. */
    int doWork()
    {
        // Before the answers, which may find no room either: whoever matches waits for this position.
        skip();
        if (firstAnswer < LinkNumbers.MAX_GATEWAYS && !sendAnswers())
        {
            return 0;
        }
        final long end = log.end();
        long at = position;
        if (at == end)
        {
            return 0;
        }
        int sent = 0;
        long last = at;
        clock.begin();
        while (at < end && sent < BATCH)
        {
            at = log.messageAt(at);
            if (at == end)
            {
                break;
            }
            final int length = log.length(at);
            final int result = outlet.claim(length);
            if (result == Outlet.BACK_PRESSURED)
            {
                counters.backPressured.increment();
                break;
            }
            if (result <= 0)
            {
                // Nobody listens: who comes will ask.
                at = end;
                break;
            }
            outlet.buffer().putBytes(outlet.offset(), log.buffer(), log.offset(at), length);
            stamp.wrap(outlet.buffer(), outlet.offset() + HEADER).applSendingTime(clock.nanos());
            outlet.commit();
            sent++;
            last = at;
            at = log.next(at);
        }
        if (sent > 0)
        {
            // What was matched meanwhile is sent before its command comes to this stage.
            nextSequence = Math.max(nextSequence, sequenceAt(last) + 1);
        }
        position = at;
        counters.reports.add(sent);
        return sent;
    }

    private void skip()
    {
        final long end = log.end();
        if (position < log.first() || end - position > log.capacity() / 2)
        {
            counters.skipped.increment();
            position = end;
        }
    }

    private boolean sendAnswers()
    {
        for (; firstAnswer < LinkNumbers.MAX_GATEWAYS; firstAnswer++)
        {
            if (answerNext[firstAnswer] == 0)
            {
                continue;
            }
            final int length = HEADER + LinkEstablishedEncoder.BLOCK_LENGTH;
            final int result = outlet.claim(length);
            if (result == Outlet.BACK_PRESSURED)
            {
                return false;
            }
            if (result > 0)
            {
                established.wrapAndApplyHeader(outlet.buffer(), outlet.offset(), header)
                    .nextSeqNo(answerNext[firstAnswer]).nextOutSeqNo(nextSequence)
                    .firstSeqNo(firstKept()).nonce(answerNonce[firstAnswer])
                    .gatewayID(firstAnswer);
                outlet.commit();
            }
            answerNext[firstAnswer] = 0;
        }
        return true;
    }

    /** The matching has answered up to here. */
    void matched(final long lastSequence)
    {
        nextSequence = Math.max(nextSequence, lastSequence + 1);
    }
}

package io.gannet.samples.orderflow.gateway;

import io.gannet.orderflow.BusinessMessageRejectEncoder;
import io.gannet.orderflow.BusinessRejectReason;
import io.gannet.orderflow.EstablishRejectReason;
import io.gannet.orderflow.EstablishmentAckEncoder;
import io.gannet.orderflow.EstablishmentRejectEncoder;
import io.gannet.orderflow.ExecutionReportRejectEncoder;
import io.gannet.orderflow.InboundHeaderDecoder;
import io.gannet.orderflow.MessageHeaderEncoder;
import io.gannet.orderflow.NotAppliedEncoder;
import io.gannet.orderflow.OrdRejReason;
import io.gannet.orderflow.OutboundHeaderEncoder;
import io.gannet.orderflow.RetransmissionEncoder;
import io.gannet.orderflow.SequenceEncoder;
import io.gannet.orderflow.TerminateEncoder;
import io.gannet.orderflow.TerminationCode;
import io.gannet.samples.marketdata.publisher.Outlet;
import io.gannet.samples.orderflow.link.MessageLog;
import io.gannet.samples.orderflow.matching.Texts;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes the messages that come from the gateway itself. For its thread.
 */
final class ClientMessages
{
    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int TEXT_HEADER = 2;
    private static final byte[] THROTTLED = ascii("more orders than the session's limit allows; send later");
    private static final byte[] UNAVAILABLE = ascii("the matching engine is not available; send later");
    private static final byte[] MALFORMED = ascii("the message has a value that is none");
    private static final byte[] NOT_ALLOWED = ascii("the session may not send this message");

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final BusinessMessageRejectEncoder business = new BusinessMessageRejectEncoder();
    private final ExecutionReportRejectEncoder reject = new ExecutionReportRejectEncoder();
    private final EstablishmentAckEncoder ack = new EstablishmentAckEncoder();
    private final EstablishmentRejectEncoder establishReject = new EstablishmentRejectEncoder();
    private final SequenceEncoder sequence = new SequenceEncoder();
    private final NotAppliedEncoder notApplied = new NotAppliedEncoder();
    private final RetransmissionEncoder retransmission = new RetransmissionEncoder();
    private final TerminateEncoder terminate = new TerminateEncoder();
    private final Texts texts = new Texts();

    private static byte[] ascii(final String text)
    {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void answer(
        final OutboundHeaderEncoder out, final InboundHeaderDecoder in, final long number, final long now)
    {
        out.msgSeqNum(number).sendingTime(now).applSeqNum(0).applSendingTime(0).transactTime(now).receivedTime(now)
            .refSendingTime(in.sendingTime()).refSeqNum(in.msgSeqNum()).sessionID(in.sessionID())
            .securityID(in.securityID());
    }

    /** Claims a reject of an order in the log; the caller commits. */
    void reject(
        final MessageLog log, final InboundHeaderDecoder in, final long clOrdId, final OrdRejReason reason,
        final long number, final long now)
    {
        final byte[] text = texts.of(reason);
        final int block = ExecutionReportRejectEncoder.BLOCK_LENGTH;
        final int at = log.claim(HEADER + block + TEXT_HEADER + text.length);
        reject.wrapAndApplyHeader(log.buffer(), at, header);
        answer(reject.header(), in, number, now);
        reject.execID(0).clOrdID(clOrdId).ordRejReason(reason);
        log.buffer().setMemory(at + HEADER + 90, block - 90, (byte) 0);
        reject.putText(text, 0, text.length);
    }

    /** Claims a reject of any message in the log; the caller commits. */
    void businessReject(
        final MessageLog log, final InboundHeaderDecoder in, final long clOrdId, final int template,
        final BusinessRejectReason reason, final long number, final long now)
    {
        final byte[] text = reason == BusinessRejectReason.ThrottleLimitExceeded ? THROTTLED :
            reason == BusinessRejectReason.ApplicationNotAvailable ? UNAVAILABLE :
            reason == BusinessRejectReason.Malformed ? MALFORMED : NOT_ALLOWED;
        final int block = BusinessMessageRejectEncoder.BLOCK_LENGTH;
        final int at = log.claim(HEADER + block + TEXT_HEADER + text.length);
        business.wrapAndApplyHeader(log.buffer(), at, header);
        answer(business.header(), in, number, now);
        business.businessRejectRefID(clOrdId).refMsgType(template).businessRejectReason(reason);
        log.buffer().setMemory(at + HEADER + 83, block - 83, (byte) 0);
        business.putText(text, 0, text.length);
    }

    boolean ack(final Outlet outlet, final Session session, final long keepAliveMillis, final long now)
    {
        if (outlet.claim(HEADER + EstablishmentAckEncoder.BLOCK_LENGTH) <= 0)
        {
            return false;
        }
        ack.wrapAndApplyHeader(outlet.buffer(), outlet.offset(), header).sessionID(id(session))
            .keepAliveInterval(keepAliveMillis).nextSeqNo(session.nextIn).nextOutSeqNo(session.nextOut)
            .sendingTime(now);
        outlet.commit();
        return true;
    }

    void establishReject(
        final Outlet outlet, final long sessionId, final long nextSeqNo, final EstablishRejectReason reason)
    {
        if (outlet.claim(HEADER + EstablishmentRejectEncoder.BLOCK_LENGTH) > 0)
        {
            establishReject.wrapAndApplyHeader(outlet.buffer(), outlet.offset(), header).nextSeqNo(nextSeqNo)
                .sessionID(sessionId).establishRejectReason(reason);
            outlet.commit();
        }
    }

    void sequence(final Outlet outlet, final Session session)
    {
        if (outlet.claim(HEADER + SequenceEncoder.BLOCK_LENGTH) > 0)
        {
            sequence.wrapAndApplyHeader(outlet.buffer(), outlet.offset(), header).nextSeqNo(session.nextOut)
                .sessionID(id(session));
            outlet.commit();
        }
    }

    boolean notApplied(final Outlet outlet, final Session session, final long count)
    {
        if (outlet.claim(HEADER + NotAppliedEncoder.BLOCK_LENGTH) <= 0)
        {
            return false;
        }
        notApplied.wrapAndApplyHeader(outlet.buffer(), outlet.offset(), header).fromSeqNo(session.nextIn)
            .msgCount(count).sessionID(id(session));
        outlet.commit();
        return true;
    }

    boolean retransmission(final Outlet outlet, final Session session, final long from, final long count)
    {
        if (outlet.claim(HEADER + RetransmissionEncoder.BLOCK_LENGTH) <= 0)
        {
            return false;
        }
        retransmission.wrapAndApplyHeader(outlet.buffer(), outlet.offset(), header).fromSeqNo(from).msgCount(count)
            .sessionID(id(session));
        outlet.commit();
        return true;
    }

    void terminate(final Outlet outlet, final Session session, final TerminationCode code)
    {
        if (outlet.claim(HEADER + TerminateEncoder.BLOCK_LENGTH) > 0)
        {
            terminate.wrapAndApplyHeader(outlet.buffer(), outlet.offset(), header).sessionID(id(session))
                .terminationCode(code);
            outlet.commit();
        }
    }

    private static long id(final Session session)
    {
        return Integer.toUnsignedLong(session.id);
    }

    /** Sends a stored report; its time of sending is that of this copy. */
    static boolean send(
        final Outlet outlet, final MessageLog log, final long position, final OutboundHeaderEncoder stamp,
        final long now)
    {
        final int length = log.length(position);
        if (outlet.claim(length) <= 0)
        {
            return false;
        }
        final UnsafeBuffer from = log.buffer();
        outlet.buffer().putBytes(outlet.offset(), from, log.offset(position), length);
        stamp.wrap(outlet.buffer(), outlet.offset() + HEADER).sendingTime(now);
        outlet.commit();
        return true;
    }
}

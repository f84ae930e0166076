package io.gannet.samples.orderflow.client;

import io.gannet.orderflow.EstablishEncoder;
import io.gannet.orderflow.EstablishmentAckDecoder;
import io.gannet.orderflow.EstablishmentRejectDecoder;
import io.gannet.orderflow.MessageHeaderDecoder;
import io.gannet.orderflow.MessageHeaderEncoder;
import io.gannet.orderflow.NotAppliedDecoder;
import io.gannet.orderflow.RetransmissionDecoder;
import io.gannet.orderflow.RetransmitRequestEncoder;
import io.gannet.orderflow.SequenceDecoder;
import io.gannet.orderflow.SequenceEncoder;
import io.gannet.orderflow.TerminateDecoder;
import io.gannet.orderflow.TerminateEncoder;
import io.gannet.orderflow.TerminationCode;
import io.gannet.samples.marketdata.publisher.Outlet;
import org.agrona.DirectBuffer;

/**
 * Writes and reads the messages of sessions. One that finds no room is not sent: all of them are repeated by time.
 */
final class SessionMessages
{
    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;

    final EstablishmentAckDecoder ack = new EstablishmentAckDecoder();
    final EstablishmentRejectDecoder reject = new EstablishmentRejectDecoder();
    final SequenceDecoder sequence = new SequenceDecoder();
    final NotAppliedDecoder notApplied = new NotAppliedDecoder();
    final RetransmissionDecoder retransmission = new RetransmissionDecoder();
    final TerminateDecoder terminate = new TerminateDecoder();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final EstablishEncoder establish = new EstablishEncoder();
    private final SequenceEncoder sequenceEncoder = new SequenceEncoder();
    private final RetransmitRequestEncoder retransmit = new RetransmitRequestEncoder();
    private final TerminateEncoder terminateEncoder = new TerminateEncoder();

    /** Readies the decoder of the message's kind; returns the session's id. */
    int wrap(final DirectBuffer buffer, final int body, final MessageHeaderDecoder decoder)
    {
        final int block = decoder.blockLength();
        final int version = decoder.version();
        return (int) switch (decoder.templateId())
        {
            case EstablishmentAckDecoder.TEMPLATE_ID -> ack.wrap(buffer, body, block, version).sessionID();
            case EstablishmentRejectDecoder.TEMPLATE_ID -> reject.wrap(buffer, body, block, version).sessionID();
            case SequenceDecoder.TEMPLATE_ID -> sequence.wrap(buffer, body, block, version).sessionID();
            case NotAppliedDecoder.TEMPLATE_ID -> notApplied.wrap(buffer, body, block, version).sessionID();
            case RetransmissionDecoder.TEMPLATE_ID -> retransmission.wrap(buffer, body, block, version).sessionID();
            default -> terminate.wrap(buffer, body, block, version).sessionID();
        };
    }

    void establish(
        final Outlet outlet, final OrderSession session, final int reportStream, final long keepAliveMillis,
        final boolean cancelOnDisconnect, final long now)
    {
        if (outlet.claim(HEADER + EstablishEncoder.BLOCK_LENGTH) > 0)
        {
            establish.wrapAndApplyHeader(outlet.buffer(), outlet.offset(), header)
                .sessionID(Integer.toUnsignedLong(session.id)).reportStream(reportStream).nextSeqNo(session.next)
                .sendingTime(now).keepAliveInterval(keepAliveMillis)
                .sessionFlags().clear().cancelOnDisconnect(cancelOnDisconnect);
            outlet.commit();
        }
    }

    void sequence(final Outlet outlet, final OrderSession session)
    {
        if (outlet.claim(HEADER + SequenceEncoder.BLOCK_LENGTH) > 0)
        {
            sequenceEncoder.wrapAndApplyHeader(outlet.buffer(), outlet.offset(), header).nextSeqNo(session.nextToSend)
                .sessionID(Integer.toUnsignedLong(session.id));
            outlet.commit();
        }
    }

    void retransmitRequest(final Outlet outlet, final int sessionId, final long from)
    {
        if (outlet.claim(HEADER + RetransmitRequestEncoder.BLOCK_LENGTH) > 0)
        {
            retransmit.wrapAndApplyHeader(outlet.buffer(), outlet.offset(), header).fromSeqNo(from).msgCount(0)
                .sessionID(Integer.toUnsignedLong(sessionId));
            outlet.commit();
        }
    }

    void terminate(final Outlet outlet, final int sessionId, final TerminationCode code)
    {
        if (outlet.claim(HEADER + TerminateEncoder.BLOCK_LENGTH) > 0)
        {
            terminateEncoder.wrapAndApplyHeader(outlet.buffer(), outlet.offset(), header)
                .sessionID(Integer.toUnsignedLong(sessionId)).terminationCode(code);
            outlet.commit();
        }
    }
}

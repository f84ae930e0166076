package io.gannet.samples.orderflow.link;

import io.gannet.orderflow.BusinessMessageRejectDecoder;
import io.gannet.orderflow.EstablishmentAckDecoder;
import io.gannet.orderflow.EstablishmentRejectDecoder;
import io.gannet.orderflow.ExecutionReportDecoder;
import io.gannet.orderflow.ExecutionReportRejectDecoder;
import io.gannet.orderflow.ExecutionReportTradeDecoder;
import io.gannet.orderflow.LinkEstablishedDecoder;
import io.gannet.orderflow.MessageHeaderDecoder;
import io.gannet.orderflow.NotAppliedDecoder;
import io.gannet.orderflow.OrderCancelRejectDecoder;
import io.gannet.orderflow.OrderMassActionReportDecoder;
import io.gannet.orderflow.RetransmissionDecoder;
import io.gannet.orderflow.SequenceDecoder;
import io.gannet.orderflow.TerminateDecoder;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * Whether bytes are a message to a client or a gateway that can be decoded without reading beyond its end. Not
 * thread-safe.
 */
public final class ReportCheck
{
    /** Below it are reports, which have numbers; from it on messages of sessions and links. */
    public static final int FIRST_SESSION_TEMPLATE = 30;

    private static final int HEADER = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int TEXT_HEADER = 2;

    private final MessageHeaderDecoder header = new MessageHeaderDecoder();

    /** Template of a message, or -1 if it is none of these or is cut short. */
    public int template(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < HEADER)
        {
            return -1;
        }
        header.wrap(buffer, offset);
        final int template = header.templateId();
        final int block = header.blockLength();
        final int least = leastBlock(template);
        if (header.schemaId() != MessageHeaderDecoder.SCHEMA_ID || least < 0 || block < least ||
            HEADER + block > length)
        {
            return -1;
        }
        return hasText(template) && !isWhole(buffer, offset + HEADER + block, length - HEADER - block) ? -1 : template;
    }

    private static boolean isWhole(final DirectBuffer buffer, final int offset, final int length)
    {
        return length >= TEXT_HEADER &&
            TEXT_HEADER + (buffer.getShort(offset, ByteOrder.LITTLE_ENDIAN) & 0xFFFF) <= length;
    }

    private static boolean hasText(final int template)
    {
        return template == ExecutionReportRejectDecoder.TEMPLATE_ID ||
            template == OrderCancelRejectDecoder.TEMPLATE_ID || template == BusinessMessageRejectDecoder.TEMPLATE_ID;
    }

    private static int leastBlock(final int template)
    {
        return switch (template)
        {
            case ExecutionReportDecoder.TEMPLATE_ID -> ExecutionReportDecoder.BLOCK_LENGTH;
            case ExecutionReportTradeDecoder.TEMPLATE_ID -> ExecutionReportTradeDecoder.BLOCK_LENGTH;
            case ExecutionReportRejectDecoder.TEMPLATE_ID -> ExecutionReportRejectDecoder.BLOCK_LENGTH;
            case OrderCancelRejectDecoder.TEMPLATE_ID -> OrderCancelRejectDecoder.BLOCK_LENGTH;
            case OrderMassActionReportDecoder.TEMPLATE_ID -> OrderMassActionReportDecoder.BLOCK_LENGTH;
            case BusinessMessageRejectDecoder.TEMPLATE_ID -> BusinessMessageRejectDecoder.BLOCK_LENGTH;
            case EstablishmentAckDecoder.TEMPLATE_ID -> EstablishmentAckDecoder.BLOCK_LENGTH;
            case EstablishmentRejectDecoder.TEMPLATE_ID -> EstablishmentRejectDecoder.BLOCK_LENGTH;
            case SequenceDecoder.TEMPLATE_ID -> SequenceDecoder.BLOCK_LENGTH;
            case NotAppliedDecoder.TEMPLATE_ID -> NotAppliedDecoder.BLOCK_LENGTH;
            case RetransmissionDecoder.TEMPLATE_ID -> RetransmissionDecoder.BLOCK_LENGTH;
            case TerminateDecoder.TEMPLATE_ID -> TerminateDecoder.BLOCK_LENGTH;
            case LinkEstablishedDecoder.TEMPLATE_ID -> LinkEstablishedDecoder.BLOCK_LENGTH;
            default -> -1;
        };
    }
}

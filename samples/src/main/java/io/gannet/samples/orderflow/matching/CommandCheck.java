package io.gannet.samples.orderflow.matching;

import io.gannet.orderflow.LinkEstablishDecoder;
import io.gannet.orderflow.MassCancelRequestDecoder;
import io.gannet.orderflow.MessageHeaderDecoder;
import io.gannet.orderflow.NewOrderSingleDecoder;
import io.gannet.orderflow.OrderCancelReplaceRequestDecoder;
import io.gannet.orderflow.OrderCancelRequestDecoder;
import io.gannet.orderflow.SecurityStatusRequestDecoder;
import org.agrona.DirectBuffer;

/**
 * Whether bytes are a message of the order-flow schema that can be decoded without reading beyond its end. Not
 * thread-safe.
 */
public final class CommandCheck
{
    /** Longest command that is taken, header included; leaves room for blocks of later versions. */
    public static final int MAX_LENGTH = 248;

    /** Blocks of version 0: a shorter one can't be of this schema. */
    private static final int NEW_ORDER_LEAST = 80;

    private final MessageHeaderDecoder header = new MessageHeaderDecoder();

    /** Template of a command, or -1 if it is none, is cut short or too long. */
    public int template(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < MessageHeaderDecoder.ENCODED_LENGTH || length > MAX_LENGTH)
        {
            return -1;
        }
        header.wrap(buffer, offset);
        final int template = header.templateId();
        final int block = header.blockLength();
        final int least = leastBlock(template);
        return header.schemaId() != MessageHeaderDecoder.SCHEMA_ID || least < 0 || block < least ||
            MessageHeaderDecoder.ENCODED_LENGTH + block > length ||
            (template == NewOrderSingleDecoder.TEMPLATE_ID && header.version() > 0 &&
                block < NewOrderSingleDecoder.BLOCK_LENGTH) ? -1 : template;
    }

    private static int leastBlock(final int template)
    {
        return switch (template)
        {
            case NewOrderSingleDecoder.TEMPLATE_ID -> NEW_ORDER_LEAST;
            case OrderCancelReplaceRequestDecoder.TEMPLATE_ID -> OrderCancelReplaceRequestDecoder.BLOCK_LENGTH;
            case OrderCancelRequestDecoder.TEMPLATE_ID -> OrderCancelRequestDecoder.BLOCK_LENGTH;
            case MassCancelRequestDecoder.TEMPLATE_ID -> MassCancelRequestDecoder.BLOCK_LENGTH;
            case SecurityStatusRequestDecoder.TEMPLATE_ID -> SecurityStatusRequestDecoder.BLOCK_LENGTH;
            case LinkEstablishDecoder.TEMPLATE_ID -> LinkEstablishDecoder.BLOCK_LENGTH;
            default -> -1;
        };
    }
}

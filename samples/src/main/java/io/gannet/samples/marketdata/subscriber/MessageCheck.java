package io.gannet.samples.marketdata.subscriber;

import io.gannet.marketdata.ChannelResetDecoder;
import io.gannet.marketdata.HeartbeatDecoder;
import io.gannet.marketdata.MDIncrementalRefreshBookDecoder;
import io.gannet.marketdata.MDIncrementalRefreshOrderBookDecoder;
import io.gannet.marketdata.MDIncrementalRefreshTradeSummaryDecoder;
import io.gannet.marketdata.MessageHeaderDecoder;
import io.gannet.marketdata.SecurityDefinitionDecoder;
import io.gannet.marketdata.SecurityStatusDecoder;
import io.gannet.marketdata.SnapshotFullRefreshDecoder;
import io.gannet.marketdata.TopOfBookDecoder;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * Decides from header, block lengths and group dimensions whether a message can be decoded without reading outside of
 * its frame. The buffer is the whole ring, so that its own bounds checks would not notice. Messages of older and newer
 * versions pass, with the block lengths that they say.
 */
final class MessageCheck
{
    /** What is wrong, or OK. */
    enum Result
    {
        OK, TRUNCATED, WRONG_SCHEMA, UNKNOWN_TEMPLATE, BAD_BLOCK_LENGTH, BAD_GROUP
    }

    private static final int HEADER = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int GROUP_HEADER = 8;
    private static final int COUNT_OFFSET = 7;

    /** Block lengths of version 0; later versions only append. */
    private static final int DEFINITION_V0 = 80;
    private static final int TRADE_V0 = 40;

    private MessageCheck()
    {
    }

    static Result check(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < HEADER)
        {
            return Result.TRUNCATED;
        }
        final int blockLength = uint16(buffer, offset);
        final int template = uint16(buffer, offset + 2);
        final int version = uint16(buffer, offset + 6);
        if (uint16(buffer, offset + 4) != MessageHeaderDecoder.SCHEMA_ID)
        {
            return Result.WRONG_SCHEMA;
        }
        final int block = blockLength(template, version);
        if (block == 0)
        {
            return Result.UNKNOWN_TEMPLATE;
        }
        if (blockLength < block)
        {
            return Result.BAD_BLOCK_LENGTH;
        }
        if (HEADER + blockLength > length)
        {
            return Result.TRUNCATED;
        }
        final int end = offset + length;
        int at = offset + HEADER + blockLength;
        for (int group = 0, groups = groups(template); group < groups; group++)
        {
            if (at + GROUP_HEADER > end)
            {
                return Result.TRUNCATED;
            }
            final int entryLength = uint16(buffer, at);
            final int count = buffer.getByte(at + COUNT_OFFSET) & 0xFF;
            if (entryLength < entryLength(template, group, version) || count == 255)
            {
                return Result.BAD_GROUP;
            }
            at += GROUP_HEADER + entryLength * count;
            if (at > end)
            {
                return Result.TRUNCATED;
            }
        }
        return Result.OK;
    }

    private static int blockLength(final int template, final int version)
    {
        return switch (template)
        {
            case SecurityDefinitionDecoder.TEMPLATE_ID ->
                version == 0 ? DEFINITION_V0 : SecurityDefinitionDecoder.BLOCK_LENGTH;
            case SecurityStatusDecoder.TEMPLATE_ID -> SecurityStatusDecoder.BLOCK_LENGTH;
            case MDIncrementalRefreshBookDecoder.TEMPLATE_ID -> MDIncrementalRefreshBookDecoder.BLOCK_LENGTH;
            case MDIncrementalRefreshOrderBookDecoder.TEMPLATE_ID -> MDIncrementalRefreshOrderBookDecoder.BLOCK_LENGTH;
            case MDIncrementalRefreshTradeSummaryDecoder.TEMPLATE_ID ->
                MDIncrementalRefreshTradeSummaryDecoder.BLOCK_LENGTH;
            case SnapshotFullRefreshDecoder.TEMPLATE_ID -> SnapshotFullRefreshDecoder.BLOCK_LENGTH;
            case ChannelResetDecoder.TEMPLATE_ID -> ChannelResetDecoder.BLOCK_LENGTH;
            case HeartbeatDecoder.TEMPLATE_ID -> HeartbeatDecoder.BLOCK_LENGTH;
            case TopOfBookDecoder.TEMPLATE_ID -> TopOfBookDecoder.BLOCK_LENGTH;
            default -> 0;
        };
    }

    private static int groups(final int template)
    {
        return switch (template)
        {
            case MDIncrementalRefreshTradeSummaryDecoder.TEMPLATE_ID -> 2;
            case SecurityDefinitionDecoder.TEMPLATE_ID, MDIncrementalRefreshBookDecoder.TEMPLATE_ID,
                MDIncrementalRefreshOrderBookDecoder.TEMPLATE_ID, SnapshotFullRefreshDecoder.TEMPLATE_ID -> 1;
            default -> 0;
        };
    }

    private static int entryLength(final int template, final int group, final int version)
    {
        return switch (template)
        {
            case SecurityDefinitionDecoder.TEMPLATE_ID ->
                SecurityDefinitionDecoder.NoMDFeedTypesDecoder.sbeBlockLength();
            case MDIncrementalRefreshBookDecoder.TEMPLATE_ID ->
                MDIncrementalRefreshBookDecoder.NoMDEntriesDecoder.sbeBlockLength();
            case MDIncrementalRefreshOrderBookDecoder.TEMPLATE_ID ->
                MDIncrementalRefreshOrderBookDecoder.NoMDEntriesDecoder.sbeBlockLength();
            case SnapshotFullRefreshDecoder.TEMPLATE_ID ->
                SnapshotFullRefreshDecoder.NoMDEntriesDecoder.sbeBlockLength();
            case MDIncrementalRefreshTradeSummaryDecoder.TEMPLATE_ID ->
                group == 1 ? MDIncrementalRefreshTradeSummaryDecoder.NoOrderIDEntriesDecoder.sbeBlockLength() :
                    version == 0 ? TRADE_V0 :
                    MDIncrementalRefreshTradeSummaryDecoder.NoMDEntriesDecoder.sbeBlockLength();
            default -> 0;
        };
    }

    private static int uint16(final DirectBuffer buffer, final int index)
    {
        return buffer.getShort(index, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }
}

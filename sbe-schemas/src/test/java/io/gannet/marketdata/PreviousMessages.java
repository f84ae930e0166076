package io.gannet.marketdata;

import io.gannet.marketdata.previous.MDBookType;
import io.gannet.marketdata.previous.MDIncrementalRefreshTradeSummaryEncoder;
import io.gannet.marketdata.previous.MessageHeaderEncoder;
import io.gannet.marketdata.previous.SecurityDefinitionEncoder;
import io.gannet.marketdata.previous.SecurityTradingStatus;
import io.gannet.marketdata.previous.Side;
import java.util.Map;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** An example of each message that this version changed, by the codecs of the version before. */
final class PreviousMessages
{
    private PreviousMessages()
    {
    }

    static Map<String, byte[]> changed()
    {
        return Map.of("SecurityDefinition", definition(), "MDIncrementalRefreshTradeSummary", trades());
    }

    private static byte[] definition()
    {
        final MutableDirectBuffer buffer = new UnsafeBuffer(new byte[1024]);
        final SecurityDefinitionEncoder encoder = new SecurityDefinitionEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).msgSeqNum(1).transactTime(2).sendingTime(3);
        encoder.minPriceIncrement().mantissa(10_000_000);
        encoder.displayFactor().mantissa(1_000_000_000);
        encoder.minLotSize(1).securityID(0xFFFF_FFF0L).symbol("GANNET").securityExchange("XGNT").totNumReports(4)
            .securityTradingStatus(SecurityTradingStatus.ReadyToTrade).matchEventIndicator().clear().endOfEvent(true);
        encoder.noMDFeedTypesCount(1).next().marketDepth(10).mDBookType(MDBookType.OrderDepth);
        return bytes(buffer, encoder.encodedLength());
    }

    private static byte[] trades()
    {
        final MutableDirectBuffer buffer = new UnsafeBuffer(new byte[1024]);
        final MDIncrementalRefreshTradeSummaryEncoder encoder = new MDIncrementalRefreshTradeSummaryEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).msgSeqNum(1).transactTime(2).sendingTime(3)
            .matchEventIndicator().clear().lastTradeMsg(true);
        final MDIncrementalRefreshTradeSummaryEncoder.NoMDEntriesEncoder trade = encoder.noMDEntriesCount(2);
        for (int i = 0; i < 2; i++)
        {
            trade.next().mDEntryPx().mantissa(100 + i);
            trade.rptSeq(20 + i).mDTradeEntryID(30 + i).mDEntrySize(5).securityID(7).numberOfOrders(2)
                .aggressorSide(Side.Buy);
        }
        final MDIncrementalRefreshTradeSummaryEncoder.NoOrderIDEntriesEncoder fill =
            encoder.noOrderIDEntriesCount(1).next();
        fill.orderID(77).lastPx().mantissa(100);
        fill.rptSeq(22).lastQty(5).securityID(7).side(Side.Sell);
        return bytes(buffer, encoder.encodedLength());
    }

    private static byte[] bytes(final MutableDirectBuffer buffer, final int bodyLength)
    {
        final byte[] bytes = new byte[MessageHeaderEncoder.ENCODED_LENGTH + bodyLength];
        buffer.getBytes(0, bytes);
        return bytes;
    }
}

package io.gannet.marketdata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages of this version and of the one before understand each other. The golden files are the bytes on the wire:
 * one that changes breaks every recording and every peer of that version.
 */
final class EvolutionTest
{
    static Stream<Map.Entry<String, byte[]>> current()
    {
        return CurrentMessages.all().entrySet().stream();
    }

    static Stream<Map.Entry<String, byte[]>> previous()
    {
        return PreviousMessages.changed().entrySet().stream();
    }

    @ParameterizedTest
    @MethodSource("current")
    void theBytesOfThisVersionAreThoseOfTheGoldenFile(final Map.Entry<String, byte[]> message) throws IOException
    {
        assertThat(hex(message.getValue())).isEqualTo(golden(message.getKey() + "-1.hex"));
    }

    @ParameterizedTest
    @MethodSource("previous")
    void theBytesOfTheVersionBeforeAreThoseOfTheGoldenFile(final Map.Entry<String, byte[]> message) throws IOException
    {
        assertThat(hex(message.getValue())).isEqualTo(golden(message.getKey() + "-0.hex"));
    }

    @Test
    void thisVersionReadsADefinitionOfTheVersionBefore() throws IOException
    {
        final SecurityDefinitionDecoder decoder = new SecurityDefinitionDecoder();
        decoder.wrapAndApplyHeader(bytes("SecurityDefinition-0.hex"), 0, new MessageHeaderDecoder());
        assertThat(decoder.sbeSchemaVersion()).isEqualTo(1);
        assertThat(decoder.msgSeqNum()).isEqualTo(1);
        assertThat(decoder.minPriceIncrement().mantissa()).isEqualTo(10_000_000);
        assertThat(decoder.symbol()).isEqualTo("GANNET");
        assertThat(decoder.lowLimitPrice()).as("a composite that the sender doesn't know").isNull();
        assertThat(decoder.maxTradeVol()).isEqualTo(SecurityDefinitionDecoder.maxTradeVolNullValue());
        final SecurityDefinitionDecoder.NoMDFeedTypesDecoder types = decoder.noMDFeedTypes();
        assertThat(types.count()).isEqualTo(1);
        assertThat(types.next().marketDepth()).isEqualTo(10);
        assertThat(types.mDBookType()).isEqualTo(MDBookType.OrderDepth);
    }

    @Test
    void thisVersionReadsTradesOfTheVersionBefore() throws IOException
    {
        final MDIncrementalRefreshTradeSummaryDecoder decoder = new MDIncrementalRefreshTradeSummaryDecoder();
        decoder.wrapAndApplyHeader(bytes("MDIncrementalRefreshTradeSummary-0.hex"), 0, new MessageHeaderDecoder());
        final MDIncrementalRefreshTradeSummaryDecoder.NoMDEntriesDecoder trades = decoder.noMDEntries();
        assertThat(trades.count()).isEqualTo(2);
        for (int i = 0; i < 2; i++)
        {
            assertThat(trades.next().mDEntryPx().mantissa()).isEqualTo(100 + i);
            assertThat(trades.rptSeq()).isEqualTo(20 + i);
            assertThat(trades.aggressorOrderID()).isEqualTo(
                MDIncrementalRefreshTradeSummaryDecoder.NoMDEntriesDecoder.aggressorOrderIDNullValue());
        }
        final MDIncrementalRefreshTradeSummaryDecoder.NoOrderIDEntriesDecoder fills = decoder.noOrderIDEntries();
        assertThat(fills.next().orderID()).isEqualTo(77);
        assertThat(fills.side()).isEqualTo(Side.Sell);
    }

    @Test
    void theVersionBeforeReadsADefinitionOfThisVersion() throws IOException
    {
        final io.gannet.marketdata.previous.SecurityDefinitionDecoder decoder =
            new io.gannet.marketdata.previous.SecurityDefinitionDecoder();
        decoder.wrapAndApplyHeader(bytes("SecurityDefinition-1.hex"), 0,
            new io.gannet.marketdata.previous.MessageHeaderDecoder());
        assertThat(decoder.symbol()).isEqualTo("GANNET");
        assertThat(decoder.securityID()).isEqualTo(0xFFFF_FFF0L);
        // The group is found behind fields that this version doesn't know.
        assertThat(decoder.noMDFeedTypes().next().marketDepth()).isEqualTo(10);
    }

    @Test
    void theVersionBeforeReadsTradesOfThisVersion() throws IOException
    {
        final io.gannet.marketdata.previous.MDIncrementalRefreshTradeSummaryDecoder decoder =
            new io.gannet.marketdata.previous.MDIncrementalRefreshTradeSummaryDecoder();
        decoder.wrapAndApplyHeader(bytes("MDIncrementalRefreshTradeSummary-1.hex"), 0,
            new io.gannet.marketdata.previous.MessageHeaderDecoder());
        final io.gannet.marketdata.previous.MDIncrementalRefreshTradeSummaryDecoder.NoMDEntriesDecoder trades =
            decoder.noMDEntries();
        for (int i = 0; i < 2; i++)
        {
            assertThat(trades.next().mDEntryPx().mantissa()).isEqualTo(100 + i);
            assertThat(trades.mDTradeEntryID()).isEqualTo(30 + i);
        }
        assertThat(decoder.noOrderIDEntries().next().orderID()).isEqualTo(77);
    }

    @Test
    void anEnumValueOfALaterVersionIsSaidToBeUnknown()
    {
        final byte[] bytes = CurrentMessages.all().get("ChannelReset");
        bytes[MessageHeaderDecoder.ENCODED_LENGTH + 28] = 99;
        final ChannelResetDecoder decoder = new ChannelResetDecoder();
        decoder.wrapAndApplyHeader(new UnsafeBuffer(bytes), 0, new MessageHeaderDecoder());
        assertThat(decoder.resetReason()).isEqualTo(ResetReason.SBE_UNKNOWN);
    }

    @Test
    void aGroupReadBeforeTheOneInFrontOfItIsRefusedWithTheCallsThatAreExpected()
    {
        final MDIncrementalRefreshTradeSummaryDecoder decoder = new MDIncrementalRefreshTradeSummaryDecoder();
        decoder.wrapAndApplyHeader(new UnsafeBuffer(CurrentMessages.all().get("MDIncrementalRefreshTradeSummary")), 0,
            new MessageHeaderDecoder());
        assertThatThrownBy(decoder::noOrderIDEntries).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("Illegal field access order").hasMessageContaining("NoMDEntriesCount(>0)");
    }

    private static String hex(final byte[] bytes)
    {
        return HexFormat.of().formatHex(bytes).replaceAll("(.{32})", "$1\n").strip() + "\n";
    }

    private static UnsafeBuffer bytes(final String file) throws IOException
    {
        return new UnsafeBuffer(HexFormat.of().parseHex(golden(file).replaceAll("\\s", "")));
    }

    private static String golden(final String file) throws IOException
    {
        try (var in = EvolutionTest.class.getResourceAsStream("/golden/" + file))
        {
            assertThat(in).as("golden file %s", file).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}

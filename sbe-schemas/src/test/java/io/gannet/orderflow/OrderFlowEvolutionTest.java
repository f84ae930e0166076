package io.gannet.orderflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages of this version and of the one before understand each other. The golden file is the bytes on the wire: a
 * line of it that changes breaks every journal and every peer of that version.
 */
final class OrderFlowEvolutionTest
{
    static Stream<Map.Entry<String, byte[]>> current()
    {
        return CurrentMessages.all().entrySet().stream();
    }

    @ParameterizedTest
    @MethodSource("current")
    void theBytesOfThisVersionAreThoseOfTheGoldenFile(final Map.Entry<String, byte[]> message) throws IOException
    {
        assertThat(HexFormat.of().formatHex(message.getValue())).isEqualTo(golden().get(message.getKey() + "-1"));
    }

    @Test
    void theBytesOfTheVersionBeforeAreThoseOfTheGoldenFile() throws IOException
    {
        assertThat(HexFormat.of().formatHex(previousOrder())).isEqualTo(golden().get("NewOrderSingle-0"));
    }

    @Test
    void theGoldenFileHasEveryMessage() throws IOException
    {
        assertThat(golden()).hasSize(CurrentMessages.all().size() + 1);
    }

    private static byte[] previousOrder()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
        final io.gannet.orderflow.previous.NewOrderSingleEncoder order =
            new io.gannet.orderflow.previous.NewOrderSingleEncoder().wrapAndApplyHeader(buffer, 0,
                new io.gannet.orderflow.previous.MessageHeaderEncoder());
        order.header().msgSeqNum(1).sendingTime(2).applSeqNum(3).receivedTime(4).sessionID(0xFFFF_FFF0L).securityID(6);
        order.clOrdID(11).price().mantissa(100_250_000_000L);
        order.account(12).orderQty(13).minQty(14).side(io.gannet.orderflow.previous.Side.Buy)
            .ordType(io.gannet.orderflow.previous.OrdType.Limit)
            .timeInForce(io.gannet.orderflow.previous.TimeInForce.ImmediateOrCancel)
            .execInst().clear().participateDontInitiate(true);
        final byte[] bytes = new byte[MessageHeaderEncoder.ENCODED_LENGTH + order.encodedLength()];
        buffer.getBytes(0, bytes);
        return bytes;
    }

    @Test
    void thisVersionReadsAnOrderOfTheVersionBefore() throws IOException
    {
        final NewOrderSingleDecoder order = new NewOrderSingleDecoder();
        order.wrapAndApplyHeader(bytes("NewOrderSingle-0"), 0, new MessageHeaderDecoder());
        assertThat(order.sbeSchemaVersion()).isEqualTo(1);
        assertThat(order.header().sessionID()).isEqualTo(0xFFFF_FFF0L);
        assertThat(order.price().mantissa()).isEqualTo(100_250_000_000L);
        assertThat(order.timeInForce()).isEqualTo(TimeInForce.ImmediateOrCancel);
        assertThat(order.execInst().participateDontInitiate()).isTrue();
        assertThat(order.selfMatchPreventionID()).as("a field that the sender doesn't know")
            .isEqualTo(NewOrderSingleDecoder.selfMatchPreventionIDNullValue());
        assertThat(order.selfMatchPreventionInstruction()).isEqualTo(SelfMatchPreventionInstruction.NULL_VAL);
    }

    @Test
    void theVersionBeforeReadsAnOrderOfThisVersion() throws IOException
    {
        final io.gannet.orderflow.previous.NewOrderSingleDecoder order =
            new io.gannet.orderflow.previous.NewOrderSingleDecoder();
        order.wrapAndApplyHeader(bytes("NewOrderSingle-1"), 0,
            new io.gannet.orderflow.previous.MessageHeaderDecoder());
        assertThat(order.clOrdID()).isEqualTo(11);
        assertThat(order.orderQty()).isEqualTo(13);
        assertThat(order.encodedLength()).as("the whole block, with what this version doesn't know")
            .isEqualTo(NewOrderSingleEncoder.BLOCK_LENGTH);
    }

    @Test
    void theVersionBeforeSaysThatAReasonOfThisVersionIsUnknown() throws IOException
    {
        final io.gannet.orderflow.previous.ExecutionReportDecoder report =
            new io.gannet.orderflow.previous.ExecutionReportDecoder();
        report.wrapAndApplyHeader(bytes("ExecutionReport-1"), 0,
            new io.gannet.orderflow.previous.MessageHeaderDecoder());
        assertThat(report.execRestatementReason())
            .isEqualTo(io.gannet.orderflow.previous.ExecRestatementReason.SBE_UNKNOWN);
        assertThat(report.execType()).isEqualTo(io.gannet.orderflow.previous.ExecType.Replaced);
    }

    @Test
    void aTextIsLastAndSurvives() throws IOException
    {
        final ExecutionReportRejectDecoder reject = new ExecutionReportRejectDecoder();
        reject.wrapAndApplyHeader(bytes("ExecutionReportReject-1"), 0, new MessageHeaderDecoder());
        assertThat(reject.ordRejReason()).isEqualTo(OrdRejReason.PriceExceedsBand);
        assertThat(reject.text()).isEqualTo("too far away");
    }

    private static UnsafeBuffer bytes(final String name) throws IOException
    {
        return new UnsafeBuffer(HexFormat.of().parseHex(golden().get(name)));
    }

    private static Map<String, String> golden() throws IOException
    {
        try (var in = OrderFlowEvolutionTest.class.getResourceAsStream("/golden/order-flow.hex"))
        {
            assertThat(in).isNotNull();
            final Map<String, String> lines = new LinkedHashMap<>();
            for (final String line : new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList())
            {
                final int colon = line.indexOf(':');
                lines.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
            return lines;
        }
    }
}

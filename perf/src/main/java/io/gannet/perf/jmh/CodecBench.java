package io.gannet.perf.jmh;

import io.gannet.marketdata.MessageHeaderDecoder;
import io.gannet.marketdata.MessageHeaderEncoder;
import io.gannet.marketdata.TopOfBookDecoder;
import io.gannet.marketdata.TopOfBookEncoder;
import io.gannet.orderflow.NewOrderSingleDecoder;
import io.gannet.orderflow.NewOrderSingleEncoder;
import io.gannet.orderflow.OrdType;
import io.gannet.orderflow.Side;
import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Encoding and decoding a message in place: market data, and an order.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {JmhFlags.EXPORTS, JmhFlags.NATIVE_ACCESS, JmhFlags.NO_BOUNDS_CHECKS})
public class CodecBench
{
    private final UnsafeBuffer buffer = new UnsafeBuffer(BufferUtil.allocateDirectAligned(1024, 64));
    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final TopOfBookEncoder encoder = new TopOfBookEncoder();
    private final TopOfBookDecoder decoder = new TopOfBookDecoder();
    private final UnsafeBuffer orderBuffer = new UnsafeBuffer(BufferUtil.allocateDirectAligned(1024, 64));
    private final io.gannet.orderflow.MessageHeaderEncoder orderHeaderEncoder =
        new io.gannet.orderflow.MessageHeaderEncoder();
    private final io.gannet.orderflow.MessageHeaderDecoder orderHeaderDecoder =
        new io.gannet.orderflow.MessageHeaderDecoder();
    private final NewOrderSingleEncoder orderEncoder = new NewOrderSingleEncoder();
    private final NewOrderSingleDecoder orderDecoder = new NewOrderSingleDecoder();
    private long number;

    /** Something to decode. */
    @Setup
    public void fill()
    {
        encodeBook();
        encodeOrder();
    }

    /** Header and fixed fields. */
    @Benchmark
    public int encodeBook()
    {
        encoder.wrapAndApplyHeader(buffer, 0, headerEncoder)
            .msgSeqNum(++number)
            .transactTime(number)
            .sendingTime(number)
            .rptSeq(number)
            .bidSize(number)
            .offerSize(number)
            .securityID(number);
        return encoder.encodedLength();
    }

    /** Header and fixed fields. */
    @Benchmark
    public long decodeBook()
    {
        decoder.wrapAndApplyHeader(buffer, 0, headerDecoder);
        return decoder.msgSeqNum() + decoder.transactTime() + decoder.sendingTime() + decoder.rptSeq() +
            decoder.bidSize() + decoder.offerSize() + decoder.securityID();
    }

    /** Header and the fields of a limit order. */
    @Benchmark
    public int encodeOrder()
    {
        orderEncoder.wrapAndApplyHeader(orderBuffer, 0, orderHeaderEncoder)
            .clOrdID(++number)
            .account(number)
            .orderQty(number)
            .side(Side.Buy)
            .ordType(OrdType.Limit)
            .price().mantissa(number);
        return orderEncoder.encodedLength();
    }

    /** Header and the same fields. */
    @Benchmark
    public long decodeOrder()
    {
        orderDecoder.wrapAndApplyHeader(orderBuffer, 0, orderHeaderDecoder);
        return orderDecoder.clOrdID() + orderDecoder.account() + orderDecoder.orderQty() +
            orderDecoder.side().value() + orderDecoder.price().mantissa();
    }
}

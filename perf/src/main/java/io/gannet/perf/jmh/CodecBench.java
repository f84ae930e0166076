package io.gannet.perf.jmh;

import io.gannet.marketdata.MessageHeaderDecoder;
import io.gannet.marketdata.MessageHeaderEncoder;
import io.gannet.marketdata.TopOfBookDecoder;
import io.gannet.marketdata.TopOfBookEncoder;
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
 * Encoding and decoding one market-data message in place.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 8, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {JmhFlags.EXPORTS, JmhFlags.NATIVE_ACCESS, JmhFlags.NO_BOUNDS_CHECKS})
public class CodecBench
{
    private final UnsafeBuffer buffer = new UnsafeBuffer(BufferUtil.allocateDirectAligned(1024, 64));
    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final TopOfBookEncoder encoder = new TopOfBookEncoder();
    private final TopOfBookDecoder decoder = new TopOfBookDecoder();
    private long number;

    /** Something to decode. */
    @Setup
    public void fill()
    {
        encode();
    }

    /** Header and fixed fields. */
    @Benchmark
    public int encode()
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
    public long decode()
    {
        decoder.wrapAndApplyHeader(buffer, 0, headerDecoder);
        return decoder.msgSeqNum() + decoder.transactTime() + decoder.sendingTime() + decoder.rptSeq() +
            decoder.bidSize() + decoder.offerSize() + decoder.securityID();
    }
}

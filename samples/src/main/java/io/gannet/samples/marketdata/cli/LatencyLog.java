package io.gannet.samples.marketdata.cli;

import java.nio.ByteBuffer;
import java.util.Base64;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * Latencies of the last interval and of the whole run, read from a recorder by the reporting thread.
 */
public final class LatencyLog
{
    private final SingleWriterRecorder recorder;
    private final Histogram total;
    private Histogram interval;

    public LatencyLog(final SingleWriterRecorder recorder)
    {
        this.recorder = recorder;
        this.interval = recorder.getIntervalHistogram();
        this.total = new Histogram(interval);
        total.add(interval);
    }

    /** Takes what was recorded since the last time. */
    public void update()
    {
        interval = recorder.getIntervalHistogram(interval);
        total.add(interval);
    }

    public Histogram interval()
    {
        return interval;
    }

    public Histogram total()
    {
        return total;
    }

    /** The whole run, to be merged by a parent process. */
    public String encoded()
    {
        final ByteBuffer buffer = ByteBuffer.allocate(total.getNeededByteBufferCapacity());
        final int length = total.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(java.util.Arrays.copyOf(buffer.array(), length));
    }
}

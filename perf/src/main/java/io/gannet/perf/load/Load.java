package io.gannet.perf.load;

import io.gannet.perf.peer.MessageHandler;
import io.gannet.perf.peer.Peer;
import io.gannet.perf.peer.Receiver;
import io.gannet.perf.peer.Sender;
import io.gannet.perf.worker.Board;
import io.gannet.perf.worker.Program;
import io.gannet.perf.worker.Scenario;
import io.gannet.perf.worker.WorkerSettings;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * What all loads share: the peer's client, numbers of streams, idling.
 */
abstract class Load implements Program
{
    /** Longest latency that is told apart. */
    static final long LONGEST_NANOS = 10_000_000_000L;

    /** Ring of the private warm-up streams: small, so that they wrap and meet back pressure, and cost little memory. */
    private static final int WARM_UP_RING_BYTES = 1 << 20;
    private static final int STREAMS_PER_SCENARIO = 16;
    private static final int WARM_UP_STREAM = 4;
    private static final int FIRST_STREAM = 1000;
    private static final int SIGNIFICANT_DIGITS = 3;

    protected Scenario scenario;
    protected Side side;
    protected Board board;
    protected Peer peer;
    protected Idling idling;
    protected int pollingThreads;

    @Override
    public void open(
        final Scenario what, final Side which, final WorkerSettings settings, final Board shared)
    {
        scenario = what;
        side = which;
        board = shared;
        pollingThreads = what.pollingThreads(settings.processors());
        idling = new Idling(what.isCrowded(settings.processors()));
        peer = Peer.connect(what, settings);
        openStreams();
    }

    protected abstract void openStreams();

    @Override
    public void service()
    {
        peer.service();
    }

    @Override
    public void close()
    {
        peer.close();
    }

    /** Number of one of the scenario's streams. */
    protected final int stream(final int which)
    {
        return FIRST_STREAM + scenario.id() * STREAMS_PER_SCENARIO + which;
    }

    /** Number of one of this worker's private streams. */
    protected final int warmUpStream(final int which)
    {
        return stream(WARM_UP_STREAM * (1 + side.number()) + which);
    }

    protected final int warmUpRingBytes()
    {
        final int bytes = scenario.ringBytes();
        return bytes == 0 ? WARM_UP_RING_BYTES : Math.min(bytes, WARM_UP_RING_BYTES);
    }

    protected final Sender newSender(final int stream, final int ringBytes)
    {
        return isWarmUp(stream) ? peer.warmUpSender(stream, ringBytes) : peer.sender(stream, ringBytes);
    }

    protected final Receiver newReceiver(final int stream, final int ringBytes, final MessageHandler handler)
    {
        return isWarmUp(stream) ? peer.warmUpReceiver(stream, ringBytes, handler) :
            peer.receiver(stream, ringBytes, handler);
    }

    private static boolean isWarmUp(final int stream)
    {
        return (stream - FIRST_STREAM) % STREAMS_PER_SCENARIO >= WARM_UP_STREAM;
    }

    protected final void awaitWarmUpStream(final java.util.function.BooleanSupplier connected)
    {
        final long deadline = System.nanoTime() + 60_000_000_000L;
        while (!connected.getAsBoolean())
        {
            peer.service();
            LockSupport.parkNanos(50_000);
            if (System.nanoTime() - deadline > 0)
            {
                throw new IllegalStateException("no connection over the warm-up stream of " + scenario);
            }
        }
    }

    protected static Histogram newHistogram()
    {
        return new PaddedHistogram(LONGEST_NANOS, SIGNIFICANT_DIGITS);
    }

    /** Encodes a histogram for the way to the coordinator. */
    protected static String encode(final Histogram histogram)
    {
        final ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        final int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }
}

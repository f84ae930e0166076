package io.gannet.samples.orderflow.client;

import io.gannet.samples.orderflow.link.Count;
import java.util.List;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * What a load measured. Counters and recorders are written by the load's thread; others read what may be a moment old.
 */
public final class LoadStatistics
{
    /** Names of the hops between two stamps of a report. */
    public static final List<String> HOPS = List.of("client to gateway", "gateway to engine", "engine",
        "engine to gateway", "gateway to client");

    private static final long LONGEST = 60_000_000_000L;

    /** Requests sent. */
    public final Count sent = new Count();
    /** Answers to them: accepted, replaced, canceled, refused. */
    public final Count answered = new Count();
    /** Cancels and replacements that came after their order had been filled. */
    public final Count late = new Count();
    /** Answers that were refusals by another rule: a price out of its band, a market that is closed, and the like. */
    public final Count refused = new Count();
    /** Refusals by the throttle, or as the engine was away. */
    public final Count business = new Count();
    /** Trades reported to whom took. */
    public final Count tradesTaken = new Count();
    /** Trades reported to whom was in the book. */
    public final Count tradesMade = new Count();
    /** Quantity bought. */
    public final Count bought = new Count();
    /** Quantity sold. */
    public final Count sold = new Count();
    /** Requests that were due while their session was not established. */
    public final Count skipped = new Count();
    /** Reports that can't be had any more. */
    public final Count lost = new Count();
    /** From the intended time of a request to its first answer. */
    public final SingleWriterRecorder orderToAck = recorder();
    /** From the intended time of an order to a trade by it. */
    public final SingleWriterRecorder orderToTrade = recorder();
    /** Between the stamps of an answer, see {@link #HOPS}. */
    public final List<SingleWriterRecorder> hops = HOPS.stream().map(name -> recorder()).toList();

    private static SingleWriterRecorder recorder()
    {
        return new SingleWriterRecorder(1, LONGEST, 3);
    }

    static void record(final SingleWriterRecorder to, final long nanos)
    {
        to.recordValue(Math.min(Math.max(nanos, 0), LONGEST));
    }
}

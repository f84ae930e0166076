package io.gannet.samples.orderflow.engine;

import io.gannet.samples.marketdata.publisher.FeedPublisher;
import io.gannet.samples.orderflow.matching.EngineOutput;
import java.io.IOException;
import org.agrona.concurrent.IdleStrategy;

/**
 * Who reads the engine's two logs, and whether they keep up.
 *
 * @param output of the matching.
 * @param sender of the reports.
 * @param source of the feed, or null.
 * @param feed   the feed, or null.
 */
record EngineOutputs(EngineOutput output, ReportSender sender, LiveSource source, FeedPublisher feed)
{
    /** Number of the last report. */
    long lastReport()
    {
        return output.sequence();
    }

    /**
     * Waits while a reader on another thread is in danger of being overtaken. The sender of reports skips before that,
     * and so never holds for long; the feed waits for its slowest subscriber.
     */
    void awaitRoom(final IdleStrategy idle)
    {
        while (lags())
        {
            idle.idle();
        }
        idle.reset();
    }

    /**
     * The same for readers on the calling thread: the feed publishes until there is room, and reports are sent as far
     * as gateways have room.
     */
    void makeRoom() throws IOException
    {
        while (feedLags())
        {
            feed.doWork();
        }
        while (output.reports().end() - sender.position() > output.reports().capacity() / 8 && sender.doWork() > 0)
        {
            Thread.onSpinWait();
        }
    }

    private boolean lags()
    {
        return output.reports().end() - sender.position() > output.reports().capacity() * 3L / 4 || feedLags();
    }

    private boolean feedLags()
    {
        return source != null && output.market().end() - source.position() > output.market().capacity() / 2;
    }
}

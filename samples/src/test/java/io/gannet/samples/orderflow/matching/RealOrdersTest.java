package io.gannet.samples.orderflow.matching;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.orderflow.ExecutionReportDecoder;
import io.gannet.orderflow.ExecutionReportTradeDecoder;
import io.gannet.orderflow.MessageHeaderDecoder;
import io.gannet.samples.marketdata.source.DbnSource;
import io.gannet.samples.marketdata.source.FeedEvent;
import io.gannet.samples.marketdata.source.TestData;
import io.gannet.samples.orderflow.link.MessageLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Real order flow, if it is there: the engine makes the file's trades and ends with the file's book. */
final class RealOrdersTest
{
    private static final long TICK = 250_000_000L;
    private static final long UNIT = 1_000_000_000L;
    /** Events until the market has opened; in its auction the book was crossed. */
    private static final int OPENING = 12_000;
    private static final int PATIENCE = 50;

    private final MessageLog reports = MessageLog.allocate(1 << 25);
    private final Tradables tradables =
        new Tradables(List.of(new Tradable(1, "ES", TICK, TICK, 1_000_000 * UNIT, 1_000_000)));
    private final MatchingEngine engine = new MatchingEngine(tradables, new EngineLimits(1 << 17, 1 << 17),
        new EngineOutput(reports, MessageLog.allocate(1 << 20)));
    private final RealOrders orders = new RealOrders(engine, 1);
    private final List<String> fills = new ArrayList<>();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final ExecutionReportDecoder report = new ExecutionReportDecoder();
    private final ExecutionReportTradeDecoder trade = new ExecutionReportTradeDecoder();
    private long position;
    private int compared;

    @Test
    void theEngineMakesTheTradesOfARealMarketAndEndsWithItsBook() throws IOException
    {
        orders.send(orders.commands.link(0, 1));
        try (DbnSource source = DbnSource.open(TestData.file("feeds/cme-es-mbo-20231225.dbn.zst")))
        {
            final FeedEvent event = new FeedEvent();
            long events = 0;
            int left = 0;
            while (source.next(event))
            {
                if (event.type == FeedEvent.Type.CLEAR)
                {
                    continue;
                }
                orders.onEvent(event);
                takeReports();
                events += event.endOfEvent ? 1 : 0;
                if (event.endOfEvent && events == OPENING)
                {
                    orders.goLive();
                    takeReports();
                }
                if (events > OPENING && event.endOfEvent && events % 2_000 == 0)
                {
                    left = PATIENCE;
                }
                // The file says some events later what a trade did to the orders that it filled.
                if (left > 0 && (booksAreEqual() || --left == 0))
                {
                    compareBooks("event " + events);
                    left = 0;
                    compared++;
                }
            }
        }
        compareBooks("the end");
        assertThat(compared).as("comparisons on the way").isGreaterThan(10);
        assertThat(orders.expectedFills).as("fills by price and time; trades %d, others %d", orders.matchedTrades,
            orders.otherTrades).hasSizeGreaterThan(1_000);
        assertThat(fills).as("each such trade fills the orders that the file names")
            .containsSubsequence(orders.expectedFills);
    }

    private boolean booksAreEqual()
    {
        return RealOrders.queue(engine.book(0), true, orders.fileIdByEngineId)
            .equals(RealOrders.queue(orders.fileBook, true, null)) &&
            RealOrders.queue(engine.book(0), false, orders.fileIdByEngineId)
            .equals(RealOrders.queue(orders.fileBook, false, null));
    }

    private void takeReports()
    {
        while (position < reports.end())
        {
            position = reports.messageAt(position);
            if (position >= reports.end())
            {
                return;
            }
            final int offset = reports.offset(position);
            header.wrap(reports.buffer(), offset);
            if (header.templateId() == ExecutionReportDecoder.TEMPLATE_ID)
            {
                report.wrapAndApplyHeader(reports.buffer(), offset, header);
                orders.fileIdByEngineId.put(report.orderID(), report.clOrdID());
            }
            else if (header.templateId() == ExecutionReportTradeDecoder.TEMPLATE_ID)
            {
                trade.wrapAndApplyHeader(reports.buffer(), offset, header);
                if (trade.aggressorIndicator() == 0)
                {
                    fills.add(trade.clOrdID() + " x " + trade.lastQty() + " at " + trade.lastPx().mantissa());
                }
            }
            position = reports.next(position);
        }
    }

    private void compareBooks(final String where)
    {
        for (final boolean buy : new boolean[]{true, false})
        {
            final List<String> ours = RealOrders.queue(engine.book(0), buy, orders.fileIdByEngineId);
            final List<String> theirs = RealOrders.queue(orders.fileBook, buy, null);
            final List<String> tooMany = new ArrayList<>(ours);
            tooMany.removeAll(theirs);
            final List<String> missing = new ArrayList<>(theirs);
            missing.removeAll(ours);
            assertThat(tooMany).as("%s: not in the file's book; missing %s", where, missing).isEmpty();
            assertThat(missing).as("%s: missing in the engine's book", where).isEmpty();
            assertThat(ours).as("%s: order of service", where).isEqualTo(theirs);
        }
    }
}

package io.gannet.samples.orderflow.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.orderflow.MessageHeaderDecoder;
import io.gannet.orderflow.NewOrderSingleDecoder;
import io.gannet.orderflow.OrderCancelReplaceRequestDecoder;
import io.gannet.orderflow.OrderCancelRequestDecoder;
import io.gannet.samples.marketdata.source.DbnSource;
import io.gannet.samples.marketdata.source.FeedEvent;
import io.gannet.samples.marketdata.source.TestData;
import io.gannet.samples.orderflow.client.OrderFields;
import io.gannet.samples.orderflow.client.OrderSession;
import io.gannet.samples.orderflow.engine.Layout;
import io.gannet.samples.orderflow.link.MessageLog;
import io.gannet.samples.orderflow.matching.EngineLimits;
import io.gannet.samples.orderflow.matching.EngineOutput;
import io.gannet.samples.orderflow.matching.MatchingEngine;
import io.gannet.samples.orderflow.matching.RealOrders;
import io.gannet.samples.orderflow.matching.Tradable;
import io.gannet.samples.orderflow.matching.Tradables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real order flow through client, gateway and pipeline: the book and the trades are those of an engine that was given
 * the same commands directly, which RealOrdersTest compares with the file's.
 */
final class RealOrdersVenueTest
{
    private static final long TICK = 250_000_000L;
    /** Events until the market has opened; in its auction the book was crossed. */
    private static final int OPENING = 12_000;
    private static final int WINDOW = 256;

    @TempDir
    private Path directory;

    private final Tradables tradables =
        new Tradables(List.of(new Tradable(1, "ES", TICK, TICK, 1_000_000 * Venue.UNIT, 1_000_000)));
    private final EngineLimits limits = new EngineLimits(1 << 15, 1 << 15);
    private final MatchingEngine direct = new MatchingEngine(tradables, limits,
        new EngineOutput(MessageLog.allocate(1 << 25), MessageLog.allocate(1 << 20)));
    private final RealOrders orders = new RealOrders(direct, 1);
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[0]);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final NewOrderSingleDecoder newOrder = new NewOrderSingleDecoder();
    private final OrderCancelReplaceRequestDecoder replace = new OrderCancelReplaceRequestDecoder();
    private final OrderCancelRequestDecoder cancel = new OrderCancelRequestDecoder();
    private final OrderFields fields = new OrderFields();

    @Test
    void gatewayAndEngineMakeTheTradesAndTheBookOfARealMarket() throws IOException
    {
        readFile();
        try (Venue venue = new Venue(directory, Layout.ONE))
        {
            venue.tradables = tradables;
            venue.limits = limits;
            venue.reportLog = 32 << 20;
            venue.keepAliveMillis = 60_000;
            venue.startEngine().startGateway();
            final Venue.Client client =
                venue.new Client(0, false, RealOrders.RESTING, RealOrders.AGGRESSOR).establish();
            venue.until(venue.gateway::isLinked, "the link is there");
            int sent = 0;
            for (final byte[] bytes : orders.sent)
            {
                send(client, bytes);
                if (++sent % WINDOW == 0 || sent == orders.sent.size())
                {
                    final long commands = sent + 1L;
                    venue.until(() -> venue.engine.counters().commands.get() == commands, commands + " commands");
                }
            }
            final long trades = direct.trades();
            venue.until(() -> client.told.stream().filter(line -> line.startsWith("Trade")).count() == 2 * trades,
                "both sides of all trades are told");
            venue.engine.close();
            final MatchingEngine engine = venue.engine.matching();
            assertThat(engine.trades()).isEqualTo(trades).isGreaterThan(1_000);
            for (final boolean buy : new boolean[]{true, false})
            {
                assertThat(RealOrders.queue(engine.book(0), buy, null)).isNotEmpty()
                    .isEqualTo(RealOrders.queue(direct.book(0), buy, null));
            }
        }
    }

    private void readFile() throws IOException
    {
        try (DbnSource source = DbnSource.open(TestData.file("feeds/cme-es-mbo-20231225.dbn.zst")))
        {
            final FeedEvent event = new FeedEvent();
            for (long events = 0; source.next(event);)
            {
                if (event.type != FeedEvent.Type.CLEAR)
                {
                    orders.onEvent(event);
                    events += event.endOfEvent ? 1 : 0;
                    if (event.endOfEvent && events == OPENING)
                    {
                        orders.goLive();
                    }
                }
            }
        }
    }

    private void send(final Venue.Client client, final byte[] bytes)
    {
        command.wrap(bytes);
        header.wrap(command, 0);
        switch (header.templateId())
        {
            case NewOrderSingleDecoder.TEMPLATE_ID ->
            {
                newOrder.wrapAndApplyHeader(command, 0, header);
                session(client, newOrder.header().sessionID()).send(fields.limit(newOrder.clOrdID(), 1,
                    newOrder.side(), newOrder.price().mantissa(), (int) newOrder.orderQty())
                    .with(newOrder.timeInForce()), 1);
            }
            case OrderCancelReplaceRequestDecoder.TEMPLATE_ID ->
            {
                replace.wrapAndApplyHeader(command, 0, header);
                session(client, replace.header().sessionID()).replace(replace.clOrdID(), replace.origClOrdID(), 1,
                    replace.side(), replace.price().mantissa(), (int) replace.orderQty(), 1);
            }
            default ->
            {
                cancel.wrapAndApplyHeader(command, 0, header);
                session(client, cancel.header().sessionID()).cancel(cancel.clOrdID(), cancel.origClOrdID(), 1,
                    cancel.side(), 1);
            }
        }
    }

    private static OrderSession session(final Venue.Client client, final long id)
    {
        return client.sessions.get(id == RealOrders.RESTING ? 0 : 1);
    }
}

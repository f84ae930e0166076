package io.gannet.samples.orderflow.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.orderflow.ExecutionReportDecoder;
import io.gannet.orderflow.NewOrderSingleDecoder;
import io.gannet.orderflow.Side;
import io.gannet.samples.orderflow.client.OrderFields;
import io.gannet.samples.orderflow.engine.Layout;
import io.gannet.samples.orderflow.link.Inlet;
import io.gannet.samples.orderflow.link.Sender;
import io.gannet.samples.orderflow.matching.Commands;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages that a stream loses are asked for: between others, and where nothing follows them. */
final class LostMessagesTest
{
    @TempDir
    private Path directory;

    private final OrderFields order = new OrderFields();

    private OrderFields buy(final long id, final int quantity)
    {
        return order.limit(id, Venue.SECURITY, Side.Buy, 100 * Venue.UNIT, quantity);
    }

    private static String accepted(final long id, final int quantity)
    {
        return "New " + id + " leaves " + quantity + " cum 0 None";
    }

    private static IntPredicate once(final int template)
    {
        final boolean[] done = {false};
        return found ->
        {
            final boolean loses = found == template && !done[0];
            done[0] |= loses;
            return loses;
        };
    }

    @Test
    void reportsThatAreLostAreSentAgainInOrder() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE))
        {
            venue.keepAliveMillis = 300;
            venue.startEngine().startGateway();
            final Venue.Client client = venue.new Client(0, false, 2).establishAndLink();
            // By chance: each fifth would be the same one again whenever a multiple of five is sent again.
            final Random random = new Random(1);
            venue.transport.lose(Venue.STREAMS.toClient(0), template ->
                template == ExecutionReportDecoder.TEMPLATE_ID && random.nextInt(5) == 0);
            venue.transport.lose(Venue.STREAMS.fromEngine(), template ->
                template == ExecutionReportDecoder.TEMPLATE_ID && random.nextInt(5) == 0);
            final List<String> expected = new ArrayList<>();
            for (int i = 1; i <= 100; i++)
            {
                client.session().send(buy(i, i), 1);
                expected.add(accepted(i, i));
            }
            client.await(100);
            assertThat(client.told).isEqualTo(expected);
            assertThat(venue.gateway.counters().retransmitted.get()).isPositive();
            assertThat(venue.gateway.counters().missing.get()).isPositive();
        }
    }

    @Test
    void aReportThatIsLostAtTheVeryEndComesThoughNothingFollowsIt() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE))
        {
            venue.keepAliveMillis = 300;
            venue.startEngine().startGateway();
            final Venue.Client client = venue.new Client(0, false, 2).establishAndLink();
            venue.transport.lose(Venue.STREAMS.fromEngine(), once(ExecutionReportDecoder.TEMPLATE_ID));
            client.session().send(buy(1, 1), 1);
            client.await(1);
            venue.transport.lose(Venue.STREAMS.toClient(0), once(ExecutionReportDecoder.TEMPLATE_ID));
            client.session().send(buy(2, 2), 1);
            client.await(2);
            assertThat(client.told).containsExactly(accepted(1, 1), accepted(2, 2));
        }
    }

    @Test
    void aRequestThatIsLostAtTheVeryEndIsSentAgainOnce() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE))
        {
            venue.keepAliveMillis = 300;
            venue.startEngine().startGateway();
            final Venue.Client client = venue.new Client(0, false, 2).establishAndLink();
            venue.transport.lose(Venue.STREAMS.toGateway(), once(NewOrderSingleDecoder.TEMPLATE_ID));
            client.session().send(buy(1, 1), 1);
            client.await(1);
            venue.transport.lose(Venue.STREAMS.toEngine(), once(NewOrderSingleDecoder.TEMPLATE_ID));
            client.session().send(buy(2, 2), 1);
            client.await(2);
            assertThat(client.told).containsExactly(accepted(1, 1), accepted(2, 2));
        }
    }

    @Test
    void aLostCommandIsSentAgainThoughReportsOfAnotherGatewayGoOn() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE).startEngine().startGateway();
            Gateway second = venue.newGateway(1, directory.resolve("second")))
        {
            final Venue.Client busy = venue.new Client(0, false, 2).establishAndLink();
            final Venue.Client quiet = venue.new Client(1, false, 1 << 16 | 2).establish();
            venue.until(second::isLinked, "the second gateway is linked");
            venue.transport.lose(Venue.STREAMS.toEngine(), once(NewOrderSingleDecoder.TEMPLATE_ID));
            quiet.session().send(buy(1, 1), 1);
            venue.until(() -> second.counters().forwarded.get() == 1, "the order was forwarded, and lost");
            final int[] sent = {0};
            venue.until(() ->
            {
                if (busy.told.size() == sent[0])
                {
                    busy.session().send(buy(++sent[0], 1), 1);
                }
                return !quiet.told.isEmpty();
            }, "the lost order is answered");
            assertThat(quiet.told).containsExactly(accepted(1, 1));
            assertThat(busy.told).doesNotHaveDuplicates();
        }
    }

    @Test
    void withEveryMessageTwiceNothingIsDoneTwice() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.TWO).startEngine().startGateway())
        {
            venue.transport.repeat();
            final Venue.Client client = venue.new Client(0, true, 2).establishAndLink();
            final List<String> expected = new ArrayList<>();
            for (int i = 1; i <= 300; i++)
            {
                client.session().send(buy(i, i), 1);
                expected.add(accepted(i, i));
            }
            client.await(300);
            client.session().cancelAll(1, 0, 1);
            client.await(601);
            assertThat(client.told.subList(0, 300)).isEqualTo(expected);
            assertThat(client.told).hasSize(601).doesNotHaveDuplicates().endsWith("MassAction 300 Request");
            assertThat(venue.gateway.counters().duplicates.get()).isPositive();
            assertThat(venue.engine.counters().duplicates.get()).isPositive();
        }
    }

    private static IntPredicate third(final Random random, final int template)
    {
        return found -> found == template && random.nextInt(3) == 0;
    }

    @Test
    void aThirdOfAllRequestsIsFoundMissingByWhatFollowsNotByTime() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE))
        {
            // No keep-alive comes to help.
            venue.keepAliveMillis = 600_000;
            venue.startEngine().startGateway();
            final Venue.Client client = venue.new Client(0, false, 2).establish();
            venue.until(venue.gateway::isLinked, "the gateway is linked");
            final Random random = new Random(2);
            venue.transport.lose(Venue.STREAMS.toGateway(), third(random, NewOrderSingleDecoder.TEMPLATE_ID));
            final List<String> expected = new ArrayList<>();
            for (int i = 1; i <= 200; i++)
            {
                client.session().send(buy(i, i), 1);
                expected.add(accepted(i, i));
            }
            client.await(200);
            assertThat(client.told).isEqualTo(expected);
            // One for each request that is lost when it is the next one, be it once or several times.
            assertThat(venue.gateway.counters().gaps.get()).isBetween(50L, 250L);
        }
    }

    @Test
    void aThirdOfAllCommandsIsFoundMissingByWhatFollowsThoughTimeStandsStill() throws IOException
    {
        final long now = 1;
        final Commands commands = new Commands();
        final GatewayCounters counters = new GatewayCounters();
        final AtomicInteger reports = new AtomicInteger();
        final EngineLink.Listener listener = new EngineLink.Listener()
        {
            @Override
            public void onReport(
                final DirectBuffer buffer, final int offset, final int length, final int template, final long number)
            {
                reports.incrementAndGet();
            }

            @Override
            public void onReportsLost(final long from, final long first)
            {
                throw new AssertionError("reports from " + from + " to " + first + " are lost");
            }

            @Override
            public void onRefused(final EngineLink.Mismatch mismatch, final String reason)
            {
                throw new AssertionError(reason);
            }

            @Override
            public void onLinked()
            {
                // It asks itself.
            }
        };
        try (Venue venue = new Venue(directory, Layout.ONE).startEngine();
            SessionStore store = new SessionStore(venue.store(), 0, 4, 1 << 20, 1);
            Sender sender = venue.transport.sender(Venue.STREAMS.toEngine());
            Inlet inlet = venue.transport.inlet(Venue.STREAMS.fromEngine()))
        {
            final EngineLink link = new EngineLink(0, store, sender, inlet, listener, counters);
            venue.until(() ->
            {
                link.doWork(now);
                return link.isUp();
            }, "the link is there");
            venue.transport.lose(Venue.STREAMS.toEngine(), third(new Random(4), NewOrderSingleDecoder.TEMPLATE_ID));
            for (int i = 1; i <= 200; i++)
            {
                link.forward(commands.buffer, 0, commands.limit(2, i, Venue.SECURITY, true, Venue.UNIT, i), now);
            }
            venue.until(() ->
            {
                link.doWork(now);
                return reports.get() == 200;
            }, "all commands are answered");
            assertThat(venue.engine.counters().commands.get()).isEqualTo(201);
            assertThat(venue.engine.counters().gaps.get()).isBetween(50L, 250L);
        }
    }
}

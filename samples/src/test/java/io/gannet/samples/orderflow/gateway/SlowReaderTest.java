package io.gannet.samples.orderflow.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.orderflow.Side;
import io.gannet.orderflow.TerminationCode;
import io.gannet.orderflow.TimeInForce;
import io.gannet.samples.orderflow.client.OrderFields;
import io.gannet.samples.orderflow.client.OrderSession;
import io.gannet.samples.orderflow.engine.Layout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who does not read his reports holds nobody up, gets them in order while they are kept, and else is told. */
final class SlowReaderTest
{
    @TempDir
    private Path directory;

    private final OrderFields order = new OrderFields();

    private OrderFields limit(final long id, final Side side, final int quantity)
    {
        return order.limit(id, Venue.SECURITY, side, 100 * Venue.UNIT, quantity);
    }

    /** Sends so many orders, a window at a time, and waits for what they cause. */
    private void send(final Venue.Client client, final int from, final int count, final int reports)
    {
        for (int i = 0; i < count; i++)
        {
            client.session().send(limit(from + i, Side.Sell, 1).with(TimeInForce.ImmediateOrCancel), 1);
            if (i % 200 == 199 || i == count - 1)
            {
                client.await(client.told.size() + reports * (i % 200 + 1));
            }
        }
    }

    @Test
    void aClientThatReadsLateGetsAllInOrderAndOneThatReadsTooLateIsTold() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE))
        {
            venue.keepAliveMillis = 1_000;
            venue.startEngine().startGateway();
            final Venue.Client slow = venue.new Client(0, false, 2).establishAndLink();
            final Venue.Client fast = venue.new Client(1, false, 3).establish();
            slow.session().send(limit(1, Side.Buy, 100_000), 1);
            slow.await(1);

            venue.transport.hold(Venue.STREAMS.toClient(0), true);
            send(fast, 1, 800, 2);
            assertThat(slow.told.size()).isEqualTo(1);
            venue.transport.hold(Venue.STREAMS.toClient(0), false);
            slow.await(801);
            final List<String> expected = new ArrayList<>(List.of("New 1 leaves 100000 cum 0 None"));
            for (int i = 1; i <= 800; i++)
            {
                expected.add("Trade 1 1 at 100 leaves " + (100_000 - i));
            }
            assertThat(slow.told).isEqualTo(expected);

            venue.transport.hold(Venue.STREAMS.toClient(0), true);
            send(fast, 1_001, 6_000, 2);
            venue.transport.hold(Venue.STREAMS.toClient(0), false);
            venue.until(() -> slow.told.stream().anyMatch(line -> line.startsWith("Lost ")),
                "the slow one is told of its loss");
            slow.establish();
            slow.session().cancelAll(9, 0, 1);
            venue.until(() -> slow.told.getLast().startsWith("MassAction"), "the slow one goes on");
            final int lost = slow.told.stream().filter(line -> line.startsWith("Lost "))
                .mapToInt(line -> Integer.parseInt(line.substring("Lost ".length(), line.indexOf(" from")))).sum();
            final long trades = slow.told.stream().filter(line -> line.startsWith("Trade ")).count();
            assertThat(trades + lost).as("%d told, %d lost", trades, lost).isEqualTo(6_800);
            assertThat(slow.told.stream().distinct().count()).as("nothing is told twice").isEqualTo(slow.told.size());
            assertThat(slow.told.get(slow.told.size() - 2)).isEqualTo("Canceled 1 leaves 0 cum 6800 MassCancel");
        }
    }

    @Test
    void aGatewayThatReadsLateGetsAllInOrderAndOneThatReadsTooLateTellsItsClients() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE))
        {
            venue.keepAliveMillis = 60_000;
            // It does not hear what the engine took, and keeps it all.
            venue.logSize = 1 << 22;
            venue.startEngine().startGateway();
            final List<TerminationCode> ends = new ArrayList<>();
            final Venue.Client client = venue.new Client(0, false, 2)
            {
                @Override
                public void onTerminated(final OrderSession session, final TerminationCode code)
                {
                    ends.add(code);
                    super.onTerminated(session, code);
                }
            };
            client.establishAndLink();
            venue.transport.hold(Venue.STREAMS.fromEngine(), true);
            sendUnanswered(venue, client, 1, 2_000);
            venue.transport.hold(Venue.STREAMS.fromEngine(), false);
            client.await(4_000);
            final List<String> expected = new ArrayList<>();
            for (int i = 1; i <= 2_000; i++)
            {
                expected.add("New " + i + " leaves 1 cum 0 None");
                expected.add("Expired " + i + " leaves 0 cum 0 ImmediateRemainder");
            }
            assertThat(client.told).isEqualTo(expected);
            assertThat(ends).isEmpty();

            venue.transport.hold(Venue.STREAMS.fromEngine(), true);
            sendUnanswered(venue, client, 2_001, 20_000);
            venue.until(() -> venue.engine.counters().skipped.get() > 0, "the engine does not wait");
            venue.transport.hold(Venue.STREAMS.fromEngine(), false);
            venue.until(() -> ends.contains(TerminationCode.ReportsLost), "the client is told");
            // The client may be too slow for all that now comes at once, and lose the answer to its first orders.
            final long[] last = {0, 50_000};
            venue.until(() ->
            {
                if (client.session().isEstablished() && System.nanoTime() - last[0] > Venue.UNIT)
                {
                    client.session().send(limit(++last[1], Side.Buy, 7), 1);
                    last[0] = System.nanoTime();
                }
                return client.told.getLast().startsWith("New 50");
            }, "the session goes on");
            assertThat(client.told.stream().distinct().count()).isEqualTo(client.told.size());
        }
    }

    private void sendUnanswered(final Venue venue, final Venue.Client client, final int from, final int count)
    {
        final long before = venue.engine.counters().commands.get();
        for (int i = 0; i < count; i++)
        {
            client.session().send(limit(from + i, Side.Sell, 1).with(TimeInForce.ImmediateOrCancel), 1);
            if (i % 200 == 199)
            {
                final int sent = i + 1;
                venue.until(() -> venue.engine.counters().commands.get() >= before + sent, "the engine keeps up");
            }
        }
    }
}

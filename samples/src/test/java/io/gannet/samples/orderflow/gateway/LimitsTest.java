package io.gannet.samples.orderflow.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.orderflow.ExecutionReportDecoder;
import io.gannet.orderflow.NewOrderSingleDecoder;
import io.gannet.orderflow.Side;
import io.gannet.samples.UtcClock;
import io.gannet.samples.orderflow.client.OrderFields;
import io.gannet.samples.orderflow.client.OrderSession;
import io.gannet.samples.orderflow.engine.Layout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs that are full, numbers that are large, clocks that jump: what is taken is done once, what is not is refused. */
final class LimitsTest
{
    @TempDir
    private Path directory;

    private final OrderFields order = new OrderFields();

    private OrderFields buy(final long id)
    {
        return order.limit(id, Venue.SECURITY, Side.Buy, 100 * Venue.UNIT, 1);
    }

    private static String accepted(final long id)
    {
        return "New " + id + " leaves 1 cum 0 None";
    }

    @Test
    void aClientThatFindsNoRoomIsToldSoAndLosesNothing() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE))
        {
            venue.keepAliveMillis = 60_000;
            venue.startEngine().startGateway();
            final Venue.Client client = venue.new Client(0, false, 2, 3, 4).establish();
            venue.until(venue.gateway::isLinked, "the gateway is linked");
            venue.transport.hold(Venue.STREAMS.toGateway(), true);
            int sent = 0;
            boolean room = true;
            while (room && sent < 20_000)
            {
                room = false;
                for (final OrderSession session : client.sessions)
                {
                    if (session.hasRoom())
                    {
                        assertThat(session.send(buy(++sent), 1)).isPositive();
                        room = true;
                    }
                }
                client.connection.poll(16);
            }
            assertThat(sent).as("what the stream and a part of the log hold").isBetween(4_500, 6_500);
            for (final OrderSession session : client.sessions)
            {
                final long next = session.nextRequest();
                assertThat(session.send(buy(1), 1)).isEqualTo(OrderSession.BACK_PRESSURED);
                assertThat(session.cancel(1, 1, Venue.SECURITY, Side.Buy, 1)).isEqualTo(OrderSession.BACK_PRESSURED);
                assertThat(session.replace(1, 1, Venue.SECURITY, Side.Buy, 1, 1, 1))
                    .isEqualTo(OrderSession.BACK_PRESSURED);
                assertThat(session.cancelAll(1, 0, 1)).isEqualTo(OrderSession.BACK_PRESSURED);
                assertThat(session.nextRequest()).isEqualTo(next);
            }
            venue.transport.hold(Venue.STREAMS.toGateway(), false);
            client.await(sent);
            final List<String> expected = new ArrayList<>();
            for (int i = 1; i <= sent; i++)
            {
                expected.add(accepted(i));
            }
            assertThat(client.told).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(client.session().hasRoom()).isTrue();
        }
    }

    @Test
    void aGatewayTakesNoMoreThanItsLogHoldsForAnEngineThatStandsStillAndDies() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE))
        {
            venue.logSize = 1 << 16;
            venue.keepAliveMillis = 60_000;
            venue.startEngine().startGateway();
            final Venue.Client client = venue.new Client(0, false, 2).establish();
            client.session().send(buy(1), 1);
            venue.until(() -> client.told.contains(accepted(1)) || retry(client, 1), "the gateway is linked");
            // The stream has room for all, so that the gateway could send all of it.
            venue.transport.hold(Venue.STREAMS.toEngine(), true);
            final int refusedBefore = refused(client);
            final int answeredBefore = client.told.size();
            for (int i = 2; i <= 2_000; i++)
            {
                client.session().send(buy(i), 1);
                if (i % 200 == 0)
                {
                    final long received = client.session().nextRequest() - 1;
                    venue.until(() -> venue.gateway.counters().received.get() == received, "the gateway keeps up");
                }
            }
            venue.until(() -> refused(client) > refusedBefore + 1_000, "the gateway has no room and says so");
            venue.engine.close();
            venue.transport.hold(Venue.STREAMS.toEngine(), false);
            venue.startEngine();
            client.await(answeredBefore + 1_999);
            assertThat(venue.gateway.counters().refusedLinks.get()).as("the engine is taken for an old copy").isZero();
            assertThat(client.told).doesNotHaveDuplicates();
            final long done = client.told.stream().filter(line -> line.startsWith("New")).count();
            assertThat(done).as("what was taken before there was no more room").isBetween(100L, 700L);
            // Many logs full, one after the other.
            int last = 2_000;
            while (last < 6_000)
            {
                client.session().send(buy(++last), 1);
                if (last % 100 == 0)
                {
                    client.await(answeredBefore + last - 1);
                }
            }
            venue.engine.close();
            assertThat(venue.engine.matching().orders())
                .isEqualTo((int) client.told.stream().filter(line -> line.startsWith("New")).count())
                .isGreaterThan((int) done + 1_000);
        }
    }

    private boolean retry(final Venue.Client client, final long id)
    {
        if (!client.told.isEmpty() && client.told.getLast().endsWith("ApplicationNotAvailable"))
        {
            client.told.clear();
            client.session().send(buy(id), 1);
        }
        return false;
    }

    private static int refused(final Venue.Client client)
    {
        return (int) client.told.stream().filter(line -> line.endsWith("ApplicationNotAvailable")).count();
    }

    /** The orders of who went are canceled when the engine is there again; those of who came back meanwhile are not. */
    @Test
    void ordersOfAClientThatCameBackAreNotCanceledForItsAbsenceBefore() throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.ONE))
        {
            venue.startEngine().startGateway();
            final Venue.Client gone = venue.new Client(0, true, 2).establish();
            venue.until(venue.gateway::isLinked, "the gateway is linked");
            gone.session().send(buy(1), 1);
            gone.await(1);
            for (int round = 1; round <= 5; round++)
            {
                venue.engine.close();
                venue.until(() -> !venue.gateway.isLinked(), "the gateway noticed");
                venue.connections.removeFirst().close();
                venue.until(() -> venue.gateway.counters().established.get() == 0, "the client is gone");
                final Venue.Client back = venue.new Client(round, true, 2).establish();
                venue.startEngine();
                final int first = round * 100_000;
                final int[] sent = {0};
                venue.until(() ->
                {
                    if (back.told.stream().filter(line -> line.startsWith("BusinessReject")).count() == sent[0])
                    {
                        back.session().send(buy(first + sent[0]++), 1);
                    }
                    return back.told.stream().anyMatch(line -> line.startsWith("New"));
                }, "an order is accepted");
                final int canceled = round;
                venue.until(() -> venue.gateway.counters().disconnects.get() == canceled,
                    "the orders before were canceled");
                back.session().cancelAll(7, 0, 1);
                venue.until(() -> back.told.getLast().startsWith("MassAction"), "all orders are canceled");
                assertThat(back.told).as("round %d", round).noneMatch(line ->
                    line.contains("CancelOnDisconnect") && idOf(line) >= first);
            }
        }
    }

    private static long idOf(final String line)
    {
        final int start = line.indexOf(' ') + 1;
        return Long.parseLong(line, start, line.indexOf(' ', start), 10);
    }

    /** Numbers of 32 bits end, those of the schema do not. */
    @ParameterizedTest
    @ValueSource(longs = {0x7FFF_FFF0L, 0xFFFF_FFF0L, 0x7FFF_FFFF_FFF0L})
    void sessionsGoOnWhereNumbersOfFewerBitsEnd(final long number) throws IOException
    {
        try (Venue venue = new Venue(directory, Layout.TWO))
        {
            try (SessionStore store = new SessionStore(venue.store(), 0, Venue.SESSIONS, venue.logSize, 1))
            {
                store.nextIn(2, number);
                store.nextOut(2, number + 7);
            }
            venue.keepAliveMillis = 300;
            venue.startEngine().startGateway();
            final Venue.Client client = venue.new Client(0, false, 2).establish();
            assertThat(client.session().nextRequest()).isEqualTo(number);
            assertThat(client.session().nextReport()).isEqualTo(number + 7);
            venue.until(venue.gateway::isLinked, "the gateway is linked");
            final Random random = new Random(number);
            venue.transport.lose(Venue.STREAMS.toGateway(), template ->
                template == NewOrderSingleDecoder.TEMPLATE_ID && random.nextInt(8) == 0);
            venue.transport.lose(Venue.STREAMS.toClient(0), template ->
                template == ExecutionReportDecoder.TEMPLATE_ID && random.nextInt(8) == 0);
            final List<String> expected = new ArrayList<>();
            for (int i = 1; i <= 60; i++)
            {
                client.session().send(buy(i), 1);
                expected.add(accepted(i));
            }
            client.await(60);
            assertThat(client.told).isEqualTo(expected);
            assertThat(client.session().nextRequest()).isEqualTo(number + 60);
            // From the messages in the store, as a gateway that was killed.
            venue.transport.loseNothing();
            venue.gateway.close();
            venue.until(() -> client.established == 0, "the client noticed");
            venue.startGateway();
            client.establish();
            venue.until(venue.gateway::isLinked, "the gateway is linked again");
            client.session().send(buy(61), 1);
            client.await(61);
            assertThat(client.told.getLast()).isEqualTo(accepted(61));
        }
    }

    private static final class SetClock extends UtcClock
    {
        private volatile long ahead;

        @Override
        public long nanos()
        {
            return super.nanos() + ahead;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {3_600, -3_600})
    void aClockThatIsSetEndsNoSessionAndHoldsNothingUp(final long seconds) throws IOException
    {
        final SetClock clock = new SetClock();
        try (Venue venue = new Venue(directory, Layout.ONE))
        {
            venue.clock = clock;
            venue.ordersPerSecond = 100;
            venue.burst = 1;
            venue.keepAliveMillis = 10_000;
            venue.startEngine().startGateway();
            final Venue.Client stays = venue.new Client(0, true, 2).establish();
            final Venue.Client goes = venue.new Client(1, true, 3).establish();
            venue.until(venue.gateway::isLinked, "the gateway is linked");
            untilAccepted(venue, stays, 100);
            untilAccepted(venue, goes, 200);
            clock.ahead = seconds * Venue.UNIT;

            // Who goes is noticed, who stays does; a new one comes; the throttle lets pass what it did.
            goes.connection.close();
            venue.connections.remove(goes.connection);
            venue.until(() -> venue.gateway.counters().disconnects.get() == 1, "the one who goes is canceled");
            final Venue.Client comes = venue.new Client(2, false, 4).establish();
            untilAccepted(venue, comes, 300);
            untilAccepted(venue, stays, 400);
            assertThat(venue.gateway.counters().established.get()).isEqualTo(2);
            assertThat(stays.established).isEqualTo(1);
            assertThat(stays.told).noneMatch(line -> line.startsWith("Canceled"));

            venue.keepAliveMillis = 100;
            venue.new Client(3, true, 5).establish();
            venue.transport.lose(Venue.STREAMS.toGateway(), template -> true);
            venue.until(() -> venue.gateway.counters().disconnects.get() == 2, "silence is noticed");
        }
    }

    private void untilAccepted(final Venue venue, final Venue.Client client, final int from)
    {
        final int[] sent = {client.told.size(), from};
        venue.until(() ->
        {
            final boolean accepted = client.told.contains(accepted(sent[1]));
            if (!accepted && client.told.size() == sent[0])
            {
                client.session().send(buy(++sent[1]), 1);
                sent[0]++;
            }
            return accepted;
        }, "an order passes the throttle");
    }
}

package io.gannet.samples.orderflow.gateway;

import io.gannet.orderflow.BusinessMessageRejectDecoder;
import io.gannet.orderflow.EstablishRejectReason;
import io.gannet.orderflow.ExecutionReportDecoder;
import io.gannet.orderflow.ExecutionReportRejectDecoder;
import io.gannet.orderflow.ExecutionReportTradeDecoder;
import io.gannet.orderflow.OrderCancelRejectDecoder;
import io.gannet.orderflow.OrderMassActionReportDecoder;
import io.gannet.orderflow.TerminationCode;
import io.gannet.samples.UtcClock;
import io.gannet.samples.orderflow.client.OrderConnection;
import io.gannet.samples.orderflow.client.OrderSession;
import io.gannet.samples.orderflow.client.ReportListener;
import io.gannet.samples.orderflow.engine.Engine;
import io.gannet.samples.orderflow.engine.EngineSettings;
import io.gannet.samples.orderflow.engine.Layout;
import io.gannet.samples.orderflow.journal.Journal;
import io.gannet.samples.orderflow.link.PipeTransport;
import io.gannet.samples.orderflow.link.Streams;
import io.gannet.samples.orderflow.link.Waiting;
import io.gannet.samples.orderflow.matching.EngineLimits;
import io.gannet.samples.orderflow.matching.Tradables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Gateway, engine and clients in one process, over pipes. */
final class Venue implements AutoCloseable
{
    static final Streams STREAMS = Streams.defaults();
    static final int SECURITY = 1001;
    static final int SESSIONS = 64;
    static final long UNIT = 1_000_000_000L;
    private static final long DEADLINE_NANOS = 60 * UNIT;

    final PipeTransport transport = new PipeTransport();
    Tradables tradables = Tradables.example(2);
    EngineLimits limits = new EngineLimits(1 << 13, 1 << 12);
    int reportLog = 8 << 20;
    long keepAliveMillis = 2_000;
    final AtomicReference<Throwable> failure = new AtomicReference<>();
    final List<OrderConnection> connections = new ArrayList<>();
    private final Path directory;
    private final Layout layout;
    int ordersPerSecond = 1_000_000;
    int burst = 100_000;
    long grace = UNIT / 5;
    int logSize = 1 << 20;
    /** Of the gateways, or null: each has one of its own. */
    UtcClock clock;
    Engine engine;
    Gateway gateway;

    Venue(final Path directory, final Layout layout) throws IOException
    {
        this.directory = directory;
        this.layout = layout;
    }

    Path journal()
    {
        return directory.resolve("journal");
    }

    Venue startEngine() throws IOException
    {
        engine = newEngine(journal());
        return this;
    }

    Engine newEngine(final Path journal) throws IOException
    {
        return new Engine(new EngineSettings(journal, 1 << 20, Journal.Durability.PROCESS, tradables, limits, STREAMS,
            layout, Waiting.SLEEP, false, false, reportLog), transport, failure::set);
    }

    Path store()
    {
        return directory.resolve("store");
    }

    Venue startGateway() throws IOException
    {
        gateway = newGateway(0, store());
        return this;
    }

    Gateway newGateway(final int id, final Path store) throws IOException
    {
        return new Gateway(new GatewaySettings(id, SESSIONS, store, logSize, tradables, STREAMS, ordersPerSecond,
            burst, grace, 1, Waiting.SLEEP), transport, transport, failure::set,
            clock == null ? new UtcClock() : clock);
    }

    /** A client that notes what it is told. */
    class Client implements ReportListener
    {
        final List<String> told = new ArrayList<>();
        /** Of cancel rejects and business rejects. */
        final List<String> texts = new ArrayList<>();
        final OrderConnection connection;
        final List<OrderSession> sessions = new ArrayList<>();
        final List<EstablishRejectReason> refusals = new ArrayList<>();
        int established;
        int forgotten;

        Client(final int number, final boolean cancelOnDisconnect, final int... ids)
        {
            connection = new OrderConnection(transport, STREAMS, number, 1 << 18, keepAliveMillis, cancelOnDisconnect,
                this);
            connections.add(connection);
            for (final int id : ids)
            {
                sessions.add(connection.session(id));
            }
        }

        /** As below; and their orders get as far as the engine. */
        Client establishAndLink()
        {
            establish();
            until(gateway::isLinked, "the gateway is linked");
            return this;
        }

        Client establish()
        {
            until(() -> sessions.stream().allMatch(OrderSession::isEstablished), "sessions are established");
            return this;
        }

        OrderSession session()
        {
            return sessions.getFirst();
        }

        void await(final int count)
        {
            until(() -> told.size() >= count, count + " reports are there");
        }

        @Override
        public void onEstablished(final OrderSession session)
        {
            established++;
        }

        @Override
        public void onReport(final OrderSession session, final ExecutionReportDecoder report)
        {
            told.add(report.execType() + " " + report.clOrdID() + " leaves " + report.leavesQty() + " cum " +
                report.cumQty() + " " + report.execRestatementReason());
        }

        @Override
        public void onTrade(final OrderSession session, final ExecutionReportTradeDecoder trade)
        {
            told.add("Trade " + trade.clOrdID() + " " + trade.lastQty() + " at " + trade.lastPx().mantissa() / UNIT +
                " leaves " + trade.leavesQty());
        }

        @Override
        public void onReject(final OrderSession session, final ExecutionReportRejectDecoder reject)
        {
            told.add("Reject " + reject.clOrdID() + " " + reject.ordRejReason() + ": " + reject.text());
        }

        @Override
        public void onCancelReject(final OrderSession session, final OrderCancelRejectDecoder reject)
        {
            told.add("CancelReject " + reject.origClOrdID() + " " + reject.cxlRejReason());
            texts.add(reject.text());
        }

        @Override
        public void onMassAction(final OrderSession session, final OrderMassActionReportDecoder report)
        {
            told.add("MassAction " + report.totalAffectedOrders() + " " + report.massCancelCause());
        }

        @Override
        public void onBusinessReject(final OrderSession session, final BusinessMessageRejectDecoder reject)
        {
            told.add("BusinessReject " + reject.businessRejectRefID() + " " + reject.businessRejectReason());
            texts.add(reject.text());
        }

        @Override
        public void onTerminated(final OrderSession session, final TerminationCode code)
        {
            established--;
        }

        @Override
        public void onEstablishmentReject(final OrderSession session, final EstablishRejectReason reason)
        {
            refusals.add(reason);
        }

        @Override
        public void onForgotten(final OrderSession session)
        {
            forgotten++;
        }

        @Override
        public void onReportsLost(final OrderSession session, final long from, final long count)
        {
            told.add("Lost " + count + " from " + from);
        }
    }

    /** Polls all clients until something is so. */
    void until(final BooleanSupplier condition, final String what)
    {
        final long start = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            int work = 0;
            for (final OrderConnection connection : connections)
            {
                work += connection.poll(64);
            }
            if (work == 0)
            {
                LockSupport.parkNanos(100_000);
            }
            if (failure.get() != null)
            {
                throw new AssertionError("a thread failed", failure.get());
            }
            if (System.nanoTime() - start > DEADLINE_NANOS)
            {
                throw new AssertionError("not within 60 s: " + what);
            }
        }
    }

    @Override
    public void close() throws IOException
    {
        connections.forEach(OrderConnection::close);
        if (gateway != null)
        {
            gateway.close();
        }
        if (engine != null)
        {
            engine.close();
        }
    }
}

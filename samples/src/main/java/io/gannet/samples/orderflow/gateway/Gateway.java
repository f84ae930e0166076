package io.gannet.samples.orderflow.gateway;

import io.gannet.orderflow.TerminationCode;
import io.gannet.samples.UtcClock;
import io.gannet.samples.orderflow.link.BatchClock;
import io.gannet.samples.orderflow.link.FailStop;
import io.gannet.samples.orderflow.link.Inlet;
import io.gannet.samples.orderflow.link.Sender;
import io.gannet.samples.orderflow.link.Transport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;

/**
 * A running gateway: one thread takes clients' messages and the engine's reports; another opens streams to clients that
 * are new.
 */
public final class Gateway implements AutoCloseable, Agent
{
    private static final int POLL_LIMIT = 256;
    private static final long TICK_NANOS = 20_000_000L;
    private static final long OPEN_LIMIT_NANOS = 30_000_000_000L;
    private static final long FAILED_NANOS = 5_000_000_000L;
    private static final int KEEP_ALIVE_MISSES = 3;

    private final GatewaySettings settings;
    private final Transport clients;
    private final GatewayCounters counters = new GatewayCounters();
    private final SessionStore store;
    private final Sessions sessions;
    private final ClientMessages messages = new ClientMessages();
    private final Inlet clientInlet;
    private final Inlet engineInlet;
    private final Sender engineSender;
    private final EngineLink link;
    private final ClientHandler handler;
    private final Inlet.Handler clientMessages;
    private final UtcClock clock;
    /** For the stamps of what one poll brings. */
    private final BatchClock stamps;
    /** A second before this gateway, so that 0 is long ago. */
    private final long origin = System.nanoTime() - 1_000_000_000L;
    private final AgentRunner runner;
    private final Long2ObjectHashMap<Connection> connections = new Long2ObjectHashMap<>();
    /** The same, to go through without allocation. */
    private final ArrayList<Connection> allConnections = new ArrayList<>();
    private final ExecutorService opener = Executors.newSingleThreadExecutor(task ->
    {
        final Thread thread = new Thread(task, "gateway-streams");
        thread.setDaemon(true);
        return thread;
    });
    /** For intervals: nanoseconds that never jump, unlike the clock, which is for stamps. */
    private long time;
    private long nextTick;
    private boolean begun;

    /**
     * Restores the sessions and starts.
     *
     * @param clients streams from and to clients.
     * @param engine  streams to and from the engine.
     * @param onError told when the gateway's thread fails; it then does nothing more.
     * @throws IOException if the store can't be used, or another gateway uses it.
     */
    public Gateway(
        final GatewaySettings settings, final Transport clients, final Transport engine, final ErrorHandler onError)
        throws IOException
    {
        this(settings, clients, engine, onError, new UtcClock());
    }

    Gateway(
        final GatewaySettings settings, final Transport clients, final Transport engine, final ErrorHandler onError,
        final UtcClock clock)
        throws IOException
    {
        this.settings = settings;
        this.clients = clients;
        this.clock = clock;
        stamps = new BatchClock(clock);
        store = new SessionStore(settings.store(), settings.id(), settings.maxSessions(), settings.logSize(),
            clock.nanos());
        sessions = new Sessions(settings, store, messages, counters, clock);
        clientInlet = clients.inlet(settings.streams().toGateway());
        engineInlet = engine.inlet(settings.streams().fromEngine());
        engineSender = engine.sender(settings.streams().toEngine());
        link = new EngineLink(settings.id(), store, engineSender, engineInlet, new Reports(), counters);
        handler = new ClientHandler(settings, sessions, messages, link, counters, new Connections());
        clientMessages = (buffer, offset, length, source) ->
            handler.onMessage(buffer, offset, length, source, stamps.nanos());
        runner = new AgentRunner(settings.waiting().strategy(clientInlet, engineInlet), onError, null,
            new FailStop(this));
        AgentRunner.startOnThread(runner);
    }

    private final class Reports implements EngineLink.Listener
    {
        private final LinkNews news = new LinkNews(text -> System.err.println("gateway: " + text));

        @Override
        public void onRefused(final EngineLink.Mismatch mismatch, final String reason)
        {
            counters.refusedLinks.increment();
            news.refused(mismatch, link.isUp(), reason, time);
            if (mismatch == EngineLink.Mismatch.TAKEN && !link.isUp())
            {
                // The one that has the number has no use for them while they are here.
                endSessions(TerminationCode.Replaced);
            }
        }

        @Override
        public void onLinked()
        {
            news.linked();
        }

        @Override
        public void onReport(
            final DirectBuffer buffer, final int offset, final int length, final int template, final long number)
        {
            sessions.onReport(buffer, offset, length, stamps.nanos());
        }

        /** Some session may lack a report of its own, and nobody knows which. */
        @Override
        public void onReportsLost(final long from, final long first)
        {
            endSessions(TerminationCode.ReportsLost);
        }
    }

    private void endSessions(final TerminationCode code)
    {
        for (int i = 1; i < sessions.limit(); i++)
        {
            final Session session = sessions.get(i);
            if (session.connection != null)
            {
                sessions.terminate(session, code);
            }
        }
    }

    private final class Connections implements ClientHandler.Connections
    {
        /** New ones are opened meanwhile and answer later. */
        @Override
        public Connection of(final long source, final int reportStream)
        {
            Connection connection = connections.get(source);
            if (connection == null)
            {
                connection = new Connection(source, reportStream,
                    CompletableFuture.supplyAsync(() -> clients.sender(reportStream), opener), time);
                connections.put(source, connection);
                allConnections.add(connection);
            }
            return connection;
        }

        @Override
        public Connection find(final long source)
        {
            return connections.get(source);
        }

        @Override
        public boolean isGone(final Connection connection)
        {
            return !clientInlet.isConnected(connection.source);
        }

        @Override
        public boolean isTaken(final int reportStream, final Connection by)
        {
            for (int i = 0; i < allConnections.size(); i++)
            {
                final Connection other = allConnections.get(i);
                if (other != by && other.reportStream == reportStream && other.sessions > 0 && !isGone(other))
                {
                    return true;
                }
            }
            return false;
        }
    }

    @Override
    public int doWork()
    {
        time = System.nanoTime() - origin;
        sessions.time(time);
        if (!begun)
        {
            begun = true;
            begin();
        }
        stamps.begin();
        int work = clientInlet.poll(clientMessages, POLL_LIMIT);
        stamps.begin();
        work += link.doWork(time);
        work += sessions.doWork();
        if (time - nextTick >= 0)
        {
            nextTick = time + TICK_NANOS;
            tick();
        }
        return work;
    }

    @Override
    public String roleName()
    {
        return "gateway";
    }

    private void begin()
    {
        for (int i = 1; i < sessions.limit(); i++)
        {
            if (sessions.wasActive(i))
            {
                final Session session = sessions.get(i);
                session.cancelOnDisconnect = sessions.wasToCancel(i);
                session.graceEnd = time + settings.graceNanos();
            }
        }
    }

    private void tick()
    {
        for (int i = allConnections.size() - 1; i >= 0; i--)
        {
            final Connection connection = allConnections.get(i);
            if (check(connection))
            {
                connections.remove(connection.source);
                allConnections.remove(i);
            }
        }
        for (int i = 1; i < sessions.limit(); i++)
        {
            final Session session = sessions.get(i);
            if (session.connection != null)
            {
                keepAlive(session);
            }
            else if (session.graceEnd != 0 && time - session.graceEnd >= 0)
            {
                session.graceEnd = 0;
                sessions.disconnect(session);
            }
            if (session.cancelPending && link.isAvailable())
            {
                link.cancelAll(session.id, clock.nanos());
                sessions.canceled(session);
            }
        }
    }

    private void keepAlive(final Session session)
    {
        if (!clientInlet.isConnected(session.connection.source))
        {
            sessions.disconnect(session);
        }
        else if (time - session.lastReceived > session.keepAliveNanos * KEEP_ALIVE_MISSES)
        {
            sessions.terminate(session, TerminationCode.KeepAliveExpired);
        }
        else if (time - session.lastSent > session.keepAliveNanos)
        {
            session.lastSent = time;
            messages.sequence(session.connection.sender, session);
        }
    }

    /** Whether a connection is over; its stream is closed then. */
    private boolean check(final Connection connection)
    {
        if (connection.failed)
        {
            // The client asks five times a second; to try as often helps nobody.
            return time - connection.created > FAILED_NANOS;
        }
        if (connection.sender == null && connection.opening.isDone())
        {
            try
            {
                connection.sender = connection.opening.join();
            }
            catch (final CompletionException failure)
            {
                System.err.println("gateway: stream " + connection.reportStream + " of a client can't be opened: " +
                    failure.getCause().getMessage());
                connection.failed = true;
                connection.created = time;
                return false;
            }
        }
        final boolean over = connection.sessions == 0 && (!clientInlet.isConnected(connection.source) ||
            (connection.sender == null && time - connection.created > OPEN_LIMIT_NANOS));
        if (over)
        {
            close(connection);
        }
        return over;
    }

    private static void close(final Connection connection)
    {
        final CompletableFuture<Void> closed = connection.opening.thenAccept(Sender::close);
        // One that is still opening closes when it is open.
        if (closed.isCompletedExceptionally())
        {
            connection.sender = null;
        }
    }

    /** What it did so far. */
    public GatewayCounters counters()
    {
        return counters;
    }

    /** Whether the engine is there; a moment old. */
    public boolean isLinked()
    {
        return link.isUp();
    }

    @Override
    public void close() throws IOException
    {
        CloseHelper.quietClose(runner);
        for (int i = 1; i < sessions.limit(); i++)
        {
            final Session session = sessions.get(i);
            if (session.connection != null)
            {
                messages.terminate(session.connection.sender, session, TerminationCode.Shutdown);
            }
        }
        opener.shutdown();
        allConnections.forEach(connection -> CloseHelper.quietClose(connection.sender));
        CloseHelper.quietCloseAll(clientInlet, engineInlet, engineSender);
        store.close();
    }
}

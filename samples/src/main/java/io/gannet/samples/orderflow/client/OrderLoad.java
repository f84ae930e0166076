package io.gannet.samples.orderflow.client;

import io.gannet.orderflow.BusinessMessageRejectDecoder;
import io.gannet.orderflow.CxlRejReason;
import io.gannet.orderflow.EstablishRejectReason;
import io.gannet.orderflow.ExecutionReportDecoder;
import io.gannet.orderflow.ExecutionReportRejectDecoder;
import io.gannet.orderflow.ExecutionReportTradeDecoder;
import io.gannet.orderflow.OrdStatus;
import io.gannet.orderflow.OrderCancelRejectDecoder;
import io.gannet.orderflow.OutboundHeaderDecoder;
import io.gannet.orderflow.Side;
import io.gannet.orderflow.TerminationCode;
import io.gannet.orderflow.TimeInForce;
import io.gannet.samples.UtcClock;
import io.gannet.samples.orderflow.link.BatchClock;
import io.gannet.samples.orderflow.link.Streams;
import io.gannet.samples.orderflow.link.Transport;
import io.gannet.samples.orderflow.matching.Tradable;
import io.gannet.samples.orderflow.matching.Tradables;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * Many simulated clients on one connection: sessions in turn quote around a price that wanders, replace, cancel, and
 * take. Open loop: requests are sent when the plan says, and latencies count from then. For one thread; allocates
 * nothing once all sessions are established.
 */
public final class OrderLoad implements ReportListener, AutoCloseable
{
    private static final int LOG_SIZE = 1 << 24;
    private static final int DEPTH = 10;
    private static final int BATCH = 64;

    private final OrderConnection connection;
    private final List<OrderSession> sessions = new ArrayList<>();
    private final Int2ObjectHashMap<OpenOrders> open = new Int2ObjectHashMap<>();
    private final Tradables tradables;
    private final LoadStatistics statistics = new LoadStatistics();
    private final UtcClock clock = new UtcClock();
    private final BatchClock stamps = new BatchClock(clock);
    private final SplittableRandom random;
    private final OrderFields order = new OrderFields();
    private final long[] middle;
    private LoadPlan plan;
    private long start;
    private long number;
    private long end;
    private int turn;
    private int establishedCount;
    private long clOrdId;
    /** Ids of requests from here on are those of a flush. */
    private long firstFlush = Long.MAX_VALUE;
    private int flushed;
    private int nextToFlush;
    private boolean measuring = true;
    private String refusal = "";

    /**
     * @param connection         number of the connection, unique among the gateway's clients.
     * @param firstSession       id of the first session; the others follow.
     * @param count              sessions.
     * @param keepAliveMillis    how often either side shows that it is there.
     * @param cancelOnDisconnect whether orders go with their client.
     * @param seed               of what they do.
     */
    public OrderLoad(
        final Transport transport, final Streams streams, final int connection, final int firstSession,
        final int count, final long keepAliveMillis, final boolean cancelOnDisconnect, final Tradables tradables,
        final long seed)
    {
        this.connection = new OrderConnection(transport, streams, connection, LOG_SIZE, keepAliveMillis,
            cancelOnDisconnect, this);
        this.tradables = tradables;
        random = new SplittableRandom(seed);
        clOrdId = clock.nanos();
        middle = new long[tradables.size()];
        for (int i = 0; i < middle.length; i++)
        {
            final Tradable tradable = tradables.get(i);
            middle[i] = (tradable.low() + (tradable.high() - tradable.low()) / 10) / tradable.tick() * tradable.tick();
        }
        for (int i = 0; i < count; i++)
        {
            final OrderSession session = this.connection.session(firstSession + i);
            sessions.add(session);
            open.put(session.id(), new OpenOrders());
        }
    }

    /** What was measured. */
    public LoadStatistics statistics()
    {
        return statistics;
    }

    /** Which session the gateway refused last, and why; empty if it refused none. */
    public String refusal()
    {
        return refusal;
    }

    /** Whether every session is established. */
    public boolean isEstablished()
    {
        return establishedCount == sessions.size();
    }

    /** How many sessions are established. */
    public int established()
    {
        return establishedCount;
    }

    /** What carries it. */
    public OrderConnection connection()
    {
        return connection;
    }

    /** Begins a plan now, of so many orders. */
    public void begin(final LoadPlan newPlan, final long orders)
    {
        plan = newPlan;
        firstFlush = Long.MAX_VALUE;
        start = clock.nanos();
        number = 0;
        end = orders;
    }

    /** Whether the plan is through. */
    public boolean isDone()
    {
        return number >= end;
    }

    /**
     * Has the gateway answer once more to each session, behind everything that it has for it: see {@link #isFlushed}.
     * What trades later, by orders of others, is not waited for.
     */
    public void flush()
    {
        firstFlush = clOrdId + 1;
        flushed = 0;
        nextToFlush = 0;
    }

    /**
     * Whether the last {@link #flush} is through, so that the statistics tell all of what was before it. The answer to
     * a request is not enough: the trades that it causes are told behind that.
     */
    public boolean isFlushed()
    {
        return flushed == sessions.size();
    }

    private int sendFlush()
    {
        int work = 0;
        while (nextToFlush < sessions.size() && sessions.get(nextToFlush).isEstablished() &&
            sessions.get(nextToFlush).hasRoom() && work < BATCH)
        {
            // Of an order that nobody has.
            clOrdId++;
            sessions.get(nextToFlush).cancel(clOrdId, clOrdId, tradables.get(0).id(), Side.Buy, clock.nanos());
            nextToFlush++;
            work++;
        }
        return work;
    }

    private boolean isFlush(final long id)
    {
        final boolean is = id >= firstFlush;
        flushed += is ? 1 : 0;
        return is;
    }

    /** Requests without an answer. */
    public long inFlight()
    {
        return statistics.sent.get() - statistics.answered.get();
    }

    /** Whether latencies are recorded. */
    public void measure(final boolean value)
    {
        measuring = value;
    }

    /** Sends what is due and takes what came; returns how much. */
    public int doWork()
    {
        stamps.begin();
        int work = connection.poll(BATCH);
        if (firstFlush != Long.MAX_VALUE)
        {
            work += sendFlush();
        }
        if (plan != null && number < end)
        {
            final long now = clock.nanos();
            for (int i = 0; i < BATCH && number < end; i++)
            {
                final long intended = start + plan.offset(number);
                if (intended > now || !canSend())
                {
                    break;
                }
                request(intended);
                number++;
                work++;
            }
        }
        return work;
    }

    /**
     * Sends one request now, whatever the plan: for a load that keeps so many in flight.
     *
     * @return false if there is no room for it, or the session whose turn it is is not established.
     */
    public boolean requestNow()
    {
        final boolean can = sessions.get(turn).isEstablished() && sessions.get(turn).hasRoom();
        if (can)
        {
            request(stamps.nanos());
        }
        return can;
    }

    /** A request that is due waits for room, and its latency counts from when it was due. */
    private boolean canSend()
    {
        return !sessions.get(turn).isEstablished() || sessions.get(turn).hasRoom();
    }

    private void request(final long intended)
    {
        final OrderSession session = sessions.get(turn);
        turn = turn + 1 == sessions.size() ? 0 : turn + 1;
        if (!session.isEstablished())
        {
            statistics.skipped.increment();
            return;
        }
        final OpenOrders mine = open.get(session.id());
        final int what = random.nextInt(100);
        if (what < 20)
        {
            take(session, intended);
        }
        else if (mine.isFull() || (what < 45 && mine.size > 0))
        {
            cancel(session, mine, intended);
        }
        else if (what < 60 && mine.size > 0)
        {
            replace(session, mine, intended);
        }
        else
        {
            quote(session, mine, intended);
        }
        statistics.sent.increment();
    }

    private int instrument()
    {
        final int index = random.nextInt(middle.length);
        if (random.nextInt(16) == 0)
        {
            final Tradable tradable = tradables.get(index);
            final long moved = middle[index] + (random.nextBoolean() ? tradable.tick() : -tradable.tick());
            if (moved - 2L * DEPTH * tradable.tick() > tradable.low() &&
                moved + 2L * DEPTH * tradable.tick() < tradable.high())
            {
                middle[index] = moved;
            }
        }
        return index;
    }

    private void quote(final OrderSession session, final OpenOrders mine, final long intended)
    {
        final int index = instrument();
        final Side side = random.nextBoolean() ? Side.Buy : Side.Sell;
        final long away = (1 + random.nextInt(DEPTH)) * tradables.get(index).tick();
        order.limit(++clOrdId, tradables.get(index).id(), side, middle[index] + (side == Side.Buy ? -away : away),
            1 + random.nextInt(20));
        mine.add(order);
        session.send(order, intended);
    }

    private void take(final OrderSession session, final long intended)
    {
        final int index = instrument();
        final Side side = random.nextBoolean() ? Side.Buy : Side.Sell;
        final long through = (1 + random.nextInt(3)) * tradables.get(index).tick();
        session.send(order.limit(++clOrdId, tradables.get(index).id(), side,
            middle[index] + (side == Side.Buy ? through : -through), 1 + random.nextInt(30))
            .with(TimeInForce.ImmediateOrCancel), intended);
    }

    private void cancel(final OrderSession session, final OpenOrders mine, final long intended)
    {
        final int which = mine.pick(random);
        session.cancel(++clOrdId, mine.clOrdId[which], mine.security[which], mine.side[which], intended);
        mine.removeAt(which);
    }

    private void replace(final OrderSession session, final OpenOrders mine, final long intended)
    {
        final int which = mine.pick(random);
        final long id = ++clOrdId;
        final int quantity = random.nextBoolean() ? Math.max(1, mine.quantity[which] - 1) : mine.quantity[which] + 1;
        session.replace(id, mine.clOrdId[which], mine.security[which], mine.side[which], mine.price[which], quantity,
            intended);
        mine.clOrdId[which] = id;
        mine.quantity[which] = quantity;
    }

    private void answered(final OutboundHeaderDecoder header)
    {
        statistics.answered.increment();
        if (!measuring)
        {
            return;
        }
        final long now = clock.nanos();
        final long sent = header.refSendingTime();
        LoadStatistics.record(statistics.orderToAck, now - sent);
        if (header.applSeqNum() != 0)
        {
            hop(0, sent, header.receivedTime());
            hop(1, header.receivedTime(), header.transactTime());
            hop(2, header.transactTime(), header.applSendingTime());
            hop(3, header.applSendingTime(), header.sendingTime());
            hop(4, header.sendingTime(), now);
        }
    }

    private void hop(final int which, final long from, final long to)
    {
        LoadStatistics.record(statistics.hops.get(which), to - from);
    }

    @Override
    public void onReport(final OrderSession session, final ExecutionReportDecoder report)
    {
        final OrdStatus status = report.ordStatus();
        final boolean isEnd = status == OrdStatus.Canceled || status == OrdStatus.Expired;
        if (isEnd)
        {
            open.get(session.id()).remove(report.clOrdID());
        }
        // The end of an order that was accepted by the same request is no answer of its own.
        if (report.header().refSeqNum() != 0 && (!isEnd ||
            report.origClOrdID() != ExecutionReportDecoder.origClOrdIDNullValue()))
        {
            answered(report.header());
        }
    }

    @Override
    public void onTrade(final OrderSession session, final ExecutionReportTradeDecoder trade)
    {
        if (trade.side() == Side.Buy)
        {
            statistics.bought.add(trade.lastQty());
        }
        else
        {
            statistics.sold.add(trade.lastQty());
        }
        if (trade.aggressorIndicator() == 1)
        {
            statistics.tradesTaken.increment();
            if (measuring)
            {
                LoadStatistics.record(statistics.orderToTrade, clock.nanos() - trade.header().refSendingTime());
            }
        }
        else
        {
            statistics.tradesMade.increment();
        }
        if (trade.leavesQty() == 0)
        {
            open.get(session.id()).remove(trade.clOrdID());
        }
    }

    @Override
    public void onReject(final OrderSession session, final ExecutionReportRejectDecoder reject)
    {
        statistics.refused.increment();
        open.get(session.id()).remove(reject.clOrdID());
        answered(reject.header());
    }

    @Override
    public void onCancelReject(final OrderSession session, final OrderCancelRejectDecoder reject)
    {
        if (isFlush(reject.clOrdID()))
        {
            return;
        }
        // It was filled meanwhile, as its owner could not know yet: no fault of anybody's.
        (reject.cxlRejReason() == CxlRejReason.UnknownOrder ? statistics.late : statistics.refused).increment();
        open.get(session.id()).remove(reject.clOrdID());
        answered(reject.header());
    }

    @Override
    public void onBusinessReject(final OrderSession session, final BusinessMessageRejectDecoder reject)
    {
        if (isFlush(reject.businessRejectRefID()))
        {
            return;
        }
        statistics.business.increment();
        open.get(session.id()).remove(reject.businessRejectRefID());
        answered(reject.header());
    }

    @Override
    public void onEstablished(final OrderSession session)
    {
        establishedCount++;
    }

    @Override
    public void onEstablishmentReject(final OrderSession session, final EstablishRejectReason reason)
    {
        refusal = "session " + Integer.toUnsignedString(session.id()) + " is refused: " + switch (reason)
        {
            case UnknownSession -> "the gateway has no such session; see its --sessions and --id";
            case AlreadyEstablished -> "another client has it; choose another --first-session";
            case NoReportStream -> "another client has its report stream; choose another --connection";
            case NotLinked -> "the engine does not take the gateway; see what that says";
            default -> reason.toString();
        };
    }

    @Override
    public void onTerminated(final OrderSession session, final TerminationCode code)
    {
        establishedCount--;
    }

    @Override
    public void onReportsLost(final OrderSession session, final long from, final long count)
    {
        statistics.lost.add(count);
    }

    @Override
    public void close()
    {
        connection.close();
    }
}

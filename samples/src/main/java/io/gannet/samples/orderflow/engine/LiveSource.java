package io.gannet.samples.orderflow.engine;

import io.gannet.orderflow.SecurityTradingStatus;
import io.gannet.samples.marketdata.book.OrderBook;
import io.gannet.samples.marketdata.source.FeedEvent;
import io.gannet.samples.marketdata.source.FeedSource;
import io.gannet.samples.marketdata.source.Instrument;
import io.gannet.samples.marketdata.source.TradingStatus;
import io.gannet.samples.orderflow.link.MessageLog;
import io.gannet.samples.orderflow.matching.MarketRecord;
import io.gannet.samples.orderflow.matching.MatchingEngine;
import io.gannet.samples.orderflow.matching.Tradable;
import io.gannet.samples.orderflow.matching.Tradables;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * The engine's market as the source of a market-data feed: first its books as they were recovered, then every change.
 * For the feed's thread.
 */
final class LiveSource implements FeedSource
{
    private static final String EXCHANGE = "XGNT";

    private final MessageLog log;
    private final List<Instrument> instruments = new ArrayList<>();
    private final Queue<FeedEvent> opening = new ArrayDeque<>();
    private volatile long position;

    /**
     * @param engine recovered, and not yet running.
     * @param log    its changes.
     */
    LiveSource(final MatchingEngine engine, final Tradables tradables, final MessageLog log, final long now)
    {
        this.log = log;
        position = log.end();
        for (int i = 0; i < tradables.size(); i++)
        {
            final Tradable tradable = tradables.get(i);
            instruments.add(new Instrument(tradable.id(), tradable.symbol(), EXCHANGE, tradable.tick()));
            final FeedEvent status = new FeedEvent();
            status.set(FeedEvent.Type.STATUS, i, 0, FeedEvent.Side.NONE, FeedEvent.NO_PRICE, 0);
            status.status = status(engine.status(i));
            open(status, now);
            open(engine.book(i), i, true, now);
            open(engine.book(i), i, false, now);
        }
    }

    private void open(final OrderBook book, final int instrument, final boolean bid, final long now)
    {
        for (int level = 0; level < book.levels(bid); level++)
        {
            for (int order = book.firstOrder(bid, level); order != OrderBook.NONE; order = book.nextOrder(order))
            {
                open(new FeedEvent().set(FeedEvent.Type.ADD, instrument, book.orderId(order),
                    bid ? FeedEvent.Side.BID : FeedEvent.Side.OFFER, book.price(order), book.quantity(order)), now);
            }
        }
    }

    private void open(final FeedEvent event, final long now)
    {
        event.transactTime = now;
        event.opening = true;
        event.endOfEvent = true;
        opening.add(event);
    }

    private static TradingStatus status(final SecurityTradingStatus status)
    {
        return switch (status)
        {
            case ReadyToTrade -> TradingStatus.TRADING;
            case TradingHalt -> TradingStatus.HALTED;
            default -> TradingStatus.CLOSED;
        };
    }

    /** Changes below were taken; for any thread. */
    long position()
    {
        return position;
    }

    @Override
    public boolean isLive()
    {
        return true;
    }

    @Override
    public boolean next(final FeedEvent event)
    {
        final FeedEvent first = opening.poll();
        if (first != null)
        {
            event.copyFrom(first);
            return true;
        }
        final long end = log.end();
        if (position >= end)
        {
            return false;
        }
        checkKept(position);
        final long at = log.messageAt(position);
        if (at >= end)
        {
            position = at;
            return false;
        }
        decode(event, log.offset(at));
        final long next = log.next(at);
        checkKept(at);
        position = next;
        return true;
    }

    private void checkKept(final long at)
    {
        if (log.first() > at)
        {
            throw new IllegalStateException("market data was overwritten before it was published");
        }
    }

    private void decode(final FeedEvent event, final int offset)
    {
        final byte type = MarketRecord.type(log.buffer(), offset);
        final long quantity = MarketRecord.quantity(log.buffer(), offset);
        event.set(switch (type)
        {
            case MarketRecord.ADD -> FeedEvent.Type.ADD;
            case MarketRecord.MODIFY -> FeedEvent.Type.MODIFY;
            case MarketRecord.CANCEL -> FeedEvent.Type.CANCEL;
            case MarketRecord.TRADE -> FeedEvent.Type.TRADE;
            case MarketRecord.FILL -> FeedEvent.Type.FILL;
            default -> FeedEvent.Type.STATUS;
        }, MarketRecord.instrument(log.buffer(), offset), MarketRecord.orderId(log.buffer(), offset),
            MarketRecord.isBuy(log.buffer(), offset) ? FeedEvent.Side.BID : FeedEvent.Side.OFFER,
            MarketRecord.price(log.buffer(), offset), quantity);
        event.transactTime = MarketRecord.time(log.buffer(), offset);
        event.paceTime = event.transactTime;
        event.opening = false;
        event.endOfEvent = MarketRecord.isEnd(log.buffer(), offset);
        if (event.type == FeedEvent.Type.STATUS)
        {
            event.status = status(SecurityTradingStatus.get((short) quantity));
        }
    }

    @Override
    public List<Instrument> instruments()
    {
        return instruments;
    }

    @Override
    public String summary()
    {
        return "";
    }

    @Override
    public void close()
    {
        opening.clear();
    }
}

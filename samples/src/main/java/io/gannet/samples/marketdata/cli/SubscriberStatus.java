package io.gannet.samples.marketdata.cli;

import io.gannet.samples.marketdata.book.OrderBook;
import io.gannet.samples.marketdata.subscriber.FeedHandler;
import io.gannet.samples.marketdata.subscriber.InstrumentView;
import io.gannet.samples.marketdata.subscriber.SubscriberCounters;
import java.util.List;

/**
 * A copy of what a subscriber knows: counters, tops of the first books, depth of the first.
 */
final class SubscriberStatus
{
    static final int TOPS = 8;
    static final int DEPTH = 5;

    final SubscriberCounters counters = new SubscriberCounters();
    FeedHandler.State state = FeedHandler.State.JOINING;
    long lastSequence;
    int instruments;
    final String[] symbol = new String[TOPS];
    final long[] tick = new long[TOPS];
    final long[] bid = new long[TOPS];
    final long[] bidQuantity = new long[TOPS];
    final long[] offer = new long[TOPS];
    final long[] offerQuantity = new long[TOPS];
    final long[] last = new long[TOPS];
    final long[] trades = new long[TOPS];
    final long[][] depthPrice = new long[2][DEPTH];
    final long[][] depthQuantity = new long[2][DEPTH];
    final int[] depth = new int[2];

    void fill(final FeedHandler handler)
    {
        counters.copyFrom(handler.counters());
        state = handler.state();
        lastSequence = handler.lastSequence();
        final List<InstrumentView> all = handler.instruments();
        instruments = all.size();
        for (int i = 0, n = Math.min(instruments, TOPS); i < n; i++)
        {
            fillTop(i, all.get(i));
        }
        if (instruments > 0)
        {
            fillDepth(0, all.get(0).book(), true);
            fillDepth(1, all.get(0).book(), false);
        }
    }

    private void fillTop(final int i, final InstrumentView view)
    {
        final OrderBook book = view.book();
        symbol[i] = view.symbol();
        tick[i] = view.tick();
        bidQuantity[i] = book.levels(true) > 0 ? book.levelQuantity(true, 0) : 0;
        bid[i] = book.levels(true) > 0 ? book.levelPrice(true, 0) : InstrumentView.NO_PRICE;
        offerQuantity[i] = book.levels(false) > 0 ? book.levelQuantity(false, 0) : 0;
        offer[i] = book.levels(false) > 0 ? book.levelPrice(false, 0) : InstrumentView.NO_PRICE;
        last[i] = view.lastPrice();
        trades[i] = view.trades();
    }

    private void fillDepth(final int side, final OrderBook book, final boolean bids)
    {
        depth[side] = Math.min(DEPTH, book.levels(bids));
        for (int i = 0; i < depth[side]; i++)
        {
            depthPrice[side][i] = book.levelPrice(bids, i);
            depthQuantity[side][i] = book.levelQuantity(bids, i);
        }
    }
}

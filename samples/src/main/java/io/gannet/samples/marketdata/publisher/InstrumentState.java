package io.gannet.samples.marketdata.publisher;

import io.gannet.samples.marketdata.book.OrderBook;
import io.gannet.samples.marketdata.source.Instrument;
import io.gannet.samples.marketdata.source.TradingStatus;

/**
 * What the publisher knows of one instrument.
 */
final class InstrumentState
{
    /** No trade yet. */
    static final long NO_PRICE = Long.MIN_VALUE;

    final Instrument info;
    final OrderBook book;
    long rptSeq;
    long lastPrice = NO_PRICE;
    long lastQuantity;
    TradingStatus status = TradingStatus.TRADING;

    InstrumentState(final Instrument info, final int expectedOrders)
    {
        this.info = info;
        this.book = new OrderBook(expectedOrders);
    }

    void reset()
    {
        book.clear();
        rptSeq = 0;
        lastPrice = NO_PRICE;
        lastQuantity = 0;
        status = TradingStatus.TRADING;
    }
}

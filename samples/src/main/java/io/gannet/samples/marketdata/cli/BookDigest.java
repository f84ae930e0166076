package io.gannet.samples.marketdata.cli;

import io.gannet.samples.marketdata.book.Checksum;
import io.gannet.samples.marketdata.book.OrderBook;

/**
 * One value for all books together, whatever the order of the instruments.
 */
public final class BookDigest
{
    private long sum;
    private long orders;

    public void add(final int securityId, final OrderBook book)
    {
        sum += Checksum.add(Checksum.add(Checksum.START, securityId), book.checksum());
        orders += book.size();
    }

    public long orders()
    {
        return orders;
    }

    @Override
    public String toString()
    {
        return String.format("%016x", sum);
    }
}

package io.gannet.samples.orderflow.link;

import io.gannet.samples.marketdata.publisher.Outlet;

/**
 * A stream that goes out. For one thread.
 */
public abstract class Sender implements Outlet, AutoCloseable
{
    @Override
    public abstract void close();
}

package io.gannet.samples.marketdata.publisher;

import io.gannet.samples.marketdata.source.FeedSource;
import java.io.IOException;

/**
 * Opens the source anew for each loop.
 */
@FunctionalInterface
public interface SourceSupplier
{
    /** Opens it at its beginning. */
    FeedSource open() throws IOException;
}

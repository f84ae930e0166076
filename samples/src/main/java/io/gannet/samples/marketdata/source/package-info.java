/**
 * Where the feed comes from: a generated market, or a user's file (Databento DBN, Nasdaq ITCH). Every byte of a file is
 * checked; the first wrong one ends the reading with a {@link io.gannet.samples.marketdata.source.FeedFormatException}.
 */
package io.gannet.samples.marketdata.source;

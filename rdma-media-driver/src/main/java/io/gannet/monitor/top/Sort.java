package io.gannet.monitor.top;

import java.util.Comparator;
import java.util.Locale;

/** Orders of streams. */
enum Sort
{
    RATE, LAG, HELD, STREAM;

    /** The largest first, by that number; streams by their ids. */
    Comparator<StreamRow> order()
    {
        final Comparator<StreamRow> first = switch (this)
        {
            case RATE -> Comparator.comparingDouble(row -> Double.isNaN(row.rate()) ? 0 : 0 - row.rate());
            case LAG -> Comparator.comparingLong(row -> -row.lag());
            case HELD -> Comparator.comparingLong(row -> -row.heldMillis());
            case STREAM -> Comparator.comparingInt(StreamRow::streamId);
        };
        return first.thenComparingInt(StreamRow::streamId).thenComparingInt(StreamRow::sessionId);
    }

    Sort next()
    {
        return switch (this)
        {
            case RATE -> LAG;
            case LAG -> HELD;
            case HELD -> STREAM;
            case STREAM -> RATE;
        };
    }

    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}

package io.gannet.samples.marketdata.subscriber;

/**
 * What a subscriber saw. Written by its thread alone.
 */
public final class SubscriberCounters
{
    /** Messages of the incremental stream that carry a sequence number of their own. */
    public long messages;
    /** All bytes of the incremental stream. */
    public long bytes;
    /** Entries by action, as applied. */
    public long adds;
    /** Entries by action. */
    public long changes;
    /** Entries by action. */
    public long deletes;
    /** Entries by action. */
    public long trades;
    /** Entries by action. */
    public long fills;
    /** Entries of price levels. */
    public long levels;
    /** Heartbeats. */
    public long heartbeats;
    /** Channel resets. */
    public long resets;
    /** Times that sequence numbers were missing. */
    public long gaps;
    /** Messages missing in these gaps. */
    public long missed;
    /** Messages with a number seen before. */
    public long duplicates;
    /** Completed recoveries by snapshot, including that of a late join. */
    public long recoveries;
    /** Recoveries that began anew, as too much had to be kept meanwhile. */
    public long overflows;
    /** Snapshot messages used. */
    public long snapshotMessages;
    /** Messages that could not be decoded, or were on the wrong stream. */
    public long malformed;
    /** Entries of instruments that were never defined. */
    public long unknownInstruments;
    /** Entries whose number in the instrument is not the next. */
    public long rptSeqErrors;
    /** Entries that don't fit the book: unknown or duplicate order, wrong side, quantity or level. */
    public long mismatches;
    /** Messages of another publisher of the same stream. */
    public long foreign;
    /** Whether the subscriber began in the middle of the stream. */
    public boolean lateJoin;

    /** Copies all values. */
    public void copyFrom(final SubscriberCounters other)
    {
        messages = other.messages;
        bytes = other.bytes;
        adds = other.adds;
        changes = other.changes;
        deletes = other.deletes;
        trades = other.trades;
        fills = other.fills;
        levels = other.levels;
        heartbeats = other.heartbeats;
        resets = other.resets;
        gaps = other.gaps;
        missed = other.missed;
        duplicates = other.duplicates;
        recoveries = other.recoveries;
        overflows = other.overflows;
        snapshotMessages = other.snapshotMessages;
        malformed = other.malformed;
        unknownInstruments = other.unknownInstruments;
        rptSeqErrors = other.rptSeqErrors;
        mismatches = other.mismatches;
        foreign = other.foreign;
        lateJoin = other.lateJoin;
    }

    /** Whether the books can't be trusted, other than by gaps that were recovered from. */
    public boolean isFaulty()
    {
        return malformed + unknownInstruments + rptSeqErrors + mismatches + duplicates + foreign > 0;
    }
}

package io.gannet.samples.marketdata.publisher;

/**
 * What a publisher did. Written by its thread; others may read between its steps only.
 */
public final class PublisherCounters
{
    /** Messages with a sequence number of the incremental stream. */
    public long messages;
    /** Their bytes. */
    public long bytes;
    /** Messages that nobody listened to. */
    public long unheard;
    /** Messages left out on purpose. */
    public long skipped;
    /** Entries by action. */
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
    /** Messages that had to wait for room. */
    public long backPressured;
    /** How long they waited. */
    public long backPressuredNanos;
    /** Snapshot cycles completed. */
    public long snapshotCycles;
    /** Snapshot messages. */
    public long snapshotMessages;
    /** Snapshot cycles given up, as nobody listened any more. */
    public long snapshotsAbandoned;
    /** Complete plays of the source. */
    public long loops;

    /** Copies all values. */
    public void copyFrom(final PublisherCounters other)
    {
        messages = other.messages;
        bytes = other.bytes;
        unheard = other.unheard;
        skipped = other.skipped;
        adds = other.adds;
        changes = other.changes;
        deletes = other.deletes;
        trades = other.trades;
        fills = other.fills;
        levels = other.levels;
        heartbeats = other.heartbeats;
        resets = other.resets;
        backPressured = other.backPressured;
        backPressuredNanos = other.backPressuredNanos;
        snapshotCycles = other.snapshotCycles;
        snapshotMessages = other.snapshotMessages;
        snapshotsAbandoned = other.snapshotsAbandoned;
        loops = other.loops;
    }
}

package io.gannet.samples.orderflow.engine;

import io.gannet.samples.orderflow.link.Count;

/**
 * What an engine did. Each field has one writer; others read what may be a moment old.
 */
public final class EngineCounters
{
    /** Commands journaled and matched. */
    public final Count commands = new Count();
    /** Messages that are no command: malformed, of another schema, too long. */
    public final Count malformed = new Count();
    /** Commands that had been taken before. */
    public final Count duplicates = new Count();
    /** Commands that came before others that are missing; the gateway was asked to send those. */
    public final Count gaps = new Count();
    /** Commands of a sender that has no link, or lost it to another with its gateway's number. */
    public final Count unlinked = new Count();
    /** Reports sent, repetitions included. */
    public final Count reports = new Count();
    /** Reports that no gateway got in time; those that want them ask. */
    public final Count skipped = new Count();
    /** Times that reports had to wait for room. */
    public final Count backPressured = new Count();
}

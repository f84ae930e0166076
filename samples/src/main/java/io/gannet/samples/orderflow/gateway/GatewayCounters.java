package io.gannet.samples.orderflow.gateway;

import io.gannet.samples.orderflow.link.Count;

/**
 * What a gateway did. Written by its thread; others read what may be a moment old.
 */
public final class GatewayCounters
{
    /** Sessions that are established. */
    public final Count established = new Count();
    /** Messages of sessions taken in order. */
    public final Count received = new Count();
    /** Messages that no session could have sent: malformed, unknown session, session of another connection. */
    public final Count refused = new Count();
    /** Messages that had been taken before. */
    public final Count duplicates = new Count();
    /** Times that numbers of a client were missing. */
    public final Count gaps = new Count();
    /** Orders that the gateway refused. */
    public final Count rejected = new Count();
    /** Messages refused by the throttle. */
    public final Count throttled = new Count();
    /** Messages refused as the engine was away or far behind. */
    public final Count unavailable = new Count();
    /** Commands forwarded to the engine. */
    public final Count forwarded = new Count();
    /** Reports of the engine that concerned a session. */
    public final Count reports = new Count();
    /** Messages sent again to clients. */
    public final Count retransmitted = new Count();
    /** Sessions whose orders were canceled as they went away. */
    public final Count disconnects = new Count();
    /** Times that the link to the engine was made. */
    public final Count links = new Count();
    /** Times that a report of the engine was missing, and asked for. */
    public final Count missing = new Count();
    /** Answers of an engine that does not fit. */
    public final Count refusedLinks = new Count();
}

package io.gannet.samples.orderflow.gateway;

import io.gannet.orderflow.TerminationCode;
import io.gannet.samples.orderflow.link.SequenceIndex;

/**
 * One client's session. The numbers are also in the store, which outlives this object.
 */
final class Session
{
    private static final int DEPTH = 1024;

    final int number;
    final int id;
    final SequenceIndex sent = new SequenceIndex(DEPTH);
    /** Null while nobody has established the session. */
    Connection connection;
    /** Why it ended last. */
    TerminationCode end = TerminationCode.Shutdown;
    long nextIn;
    long nextOut;
    /** Next report to send; below nextOut while the client has no room, or wants some again. */
    long nextToSend;
    boolean behind;
    /** What it waits for, it has asked for. */
    boolean resending;
    boolean gapSignaled;
    long gapSignaledAt;
    /** Number of the last message that came too early. */
    long outOfOrder;
    boolean cancelOnDisconnect;
    /** Its orders are to be canceled, when the engine is there. */
    boolean cancelPending;
    long keepAliveNanos;
    long lastReceived;
    long lastSent;
    long throttle;
    /** After a restart: canceled then, unless it is back. 0: not so. */
    long graceEnd;

    Session(final int number, final int id)
    {
        this.number = number;
        this.id = id;
    }
}

package io.gannet.samples.orderflow.engine;

import io.gannet.orderflow.LinkEstablishedEncoder;
import io.gannet.samples.orderflow.matching.CommandCheck;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One message on its way through the stages; each stage adds what it found out.
 */
final class CommandEvent
{
    /** Answer to a gateway whose number another one has. */
    static final long REFUSED = LinkEstablishedEncoder.nextSeqNoNullValue();

    /** A whole number of cache lines, so that neighbours in the ring don't share one. */
    private static final int CAPACITY = 256;

    /** The message, with its header. */
    final UnsafeBuffer bytes = new UnsafeBuffer(new byte[CAPACITY]);
    int length;
    /** Tells the senders of the stream apart. */
    long source;
    /** When it was read; the time of all that follows from it. */
    long time;

    /** By decode and risk: whether it is a command to journal and match. */
    boolean accepted;
    /** By decode and risk: a gateway is to be told what is expected of it, or -1. */
    int answerGateway;
    /** With an answer: the gateway's number that is expected next, or {@link #REFUSED}. */
    long answerNext;
    /** With an answer: the request's nonce; 0 if nobody asked. */
    long answerNonce;
    /** With an answer: the first output that the gateway lacks; 0: none. */
    long answerFrom;
    /** By the matching: number of the last report until now. */
    long lastReport;

    boolean accept(final DirectBuffer buffer, final int offset, final int messageLength, final long from)
    {
        if (messageLength > CommandCheck.MAX_LENGTH)
        {
            return false;
        }
        bytes.putBytes(0, buffer, offset, messageLength);
        length = messageLength;
        source = from;
        accepted = false;
        answerGateway = -1;
        return true;
    }
}

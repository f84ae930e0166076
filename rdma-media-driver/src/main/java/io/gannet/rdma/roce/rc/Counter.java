package io.gannet.rdma.roce.rc;

/**
 * What the NIC counts. A packet that is not executed is counted under exactly one of the drop reasons.
 */
public enum Counter
{
    /** Packets received, whatever became of them. */
    PACKETS_RECEIVED,
    /** Packets handed to the socket. */
    PACKETS_SENT,
    /** Bytes of packets received, BTH to ICRC. */
    BYTES_RECEIVED,
    /** Bytes of packets sent, BTH to ICRC. */
    BYTES_SENT,
    /** Dropped: the sender's address is not in the allow-list. */
    DROP_NOT_ALLOWED,
    /** Dropped: size, version or opcode. */
    DROP_MALFORMED,
    /** Dropped: no IP id makes the ICRC right. */
    DROP_ICRC,
    /** Dropped: another partition. */
    DROP_PKEY,
    /** Dropped: nobody has that queue pair number. */
    DROP_UNKNOWN_QP,
    /** Dropped: the sender is not the peer of that queue pair. */
    DROP_WRONG_PEER,
    /** Dropped: the queue pair is not ready, or in error. */
    DROP_QP_STATE,
    /** Dropped: a Q_Key other than QP 1's, or a MAD of another class, version or method. */
    DROP_MAD,
    /** Dropped: a connection manager's message for no connection, or for none in a fitting state. */
    DROP_CM,
    /** Dropped: too many half-open connections. */
    DROP_CM_FLOOD,
    /** Dropped: a request behind the expected one; acknowledged again. */
    DUPLICATE_REQUESTS,
    /** Dropped: a request ahead of the expected one. */
    OUT_OF_SEQUENCE,
    /** Dropped: an acknowledge of something not outstanding. */
    DROP_STALE_ACK,
    /** Acknowledges sent. */
    ACKS_SENT,
    /** NAKs sent: out of sequence. */
    NAK_SEQUENCE_SENT,
    /** NAKs sent: invalid request. */
    NAK_INVALID_REQUEST_SENT,
    /** NAKs sent: remote access. */
    NAK_REMOTE_ACCESS_SENT,
    /** NAKs sent: remote operational error. */
    NAK_REMOTE_OPERATION_SENT,
    /** RNR NAKs sent. */
    RNR_NAK_SENT,
    /** NAKs received: out of sequence. */
    NAK_SEQUENCE_RECEIVED,
    /** NAKs received that end the queue pair. */
    NAK_FATAL_RECEIVED,
    /** RNR NAKs received. */
    RNR_NAK_RECEIVED,
    /** Congestion notifications received. */
    CNP_RECEIVED,
    /** Congestion notifications sent. */
    CNP_SENT,
    /** Packets sent again. */
    PACKETS_RESENT,
    /** Times that the wait for an acknowledge ran out. */
    TIMEOUTS,
    /** Queue pairs that gave up: retries. */
    RETRY_EXCEEDED,
    /** Queue pairs that gave up: receiver not ready. */
    RNR_RETRY_EXCEEDED,
    /** Completion queues that overflowed and are useless since. */
    CQ_OVERRUNS,
    /** Datagrams that the socket refused for now. */
    SOCKET_FULL,
    /** Datagrams that the socket refused for good (no route, too long). */
    SOCKET_ERRORS
}

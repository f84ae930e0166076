package io.gannet.rdma.roce.rc;

/**
 * What the NIC counts. A packet that is not executed is counted under exactly one of the drop reasons.
 */
public enum Counter
{
    /** Packets received, whatever became of them. */
    PACKETS_RECEIVED("packets received"),
    /** Packets handed to the socket. */
    PACKETS_SENT("packets sent"),
    /** Bytes of packets received, BTH to ICRC. */
    BYTES_RECEIVED("bytes of packets received"),
    /** Bytes of packets sent, BTH to ICRC. */
    BYTES_SENT("bytes of packets sent"),
    /** Dropped: the sender's address is not in the allow-list. */
    DROP_NOT_ALLOWED("packets dropped: sender not allowed"),
    /** Dropped: size, version or opcode. */
    DROP_MALFORMED("packets dropped: malformed"),
    /** Dropped: no IP id makes the ICRC right. */
    DROP_ICRC("packets dropped: ICRC"),
    /** Dropped: another partition. */
    DROP_PKEY("packets dropped: partition key"),
    /** Dropped: nobody has that queue pair number. */
    DROP_UNKNOWN_QP("packets dropped: unknown queue pair"),
    /** Dropped: the sender is not the peer of that queue pair. */
    DROP_WRONG_PEER("packets dropped: not the peer of the queue pair"),
    /** Dropped: the queue pair is not ready, or in error. */
    DROP_QP_STATE("packets dropped: queue pair not ready or in error"),
    /** Dropped: a Q_Key other than QP 1's, or a MAD of another class, version or method. */
    DROP_MAD("packets dropped: not a connection management message"),
    /** Dropped: a connection manager's message for no connection, or for none in a fitting state. */
    DROP_CM("packets dropped: no such connection"),
    /** Dropped: too many half-open connections. */
    DROP_CM_FLOOD("packets dropped: too many half-open connections"),
    /** Dropped: a request behind the expected one; acknowledged again. */
    DUPLICATE_REQUESTS("requests received again"),
    /** Dropped: a request ahead of the expected one. */
    OUT_OF_SEQUENCE("requests received after a gap"),
    /** Dropped: an acknowledge of something not outstanding. */
    DROP_STALE_ACK("packets dropped: acknowledge of nothing"),
    /** Acknowledges sent. */
    ACKS_SENT("acknowledges sent"),
    /** NAKs sent: out of sequence. */
    NAK_SEQUENCE_SENT("NAKs sent: sequence"),
    /** NAKs sent: invalid request. */
    NAK_INVALID_REQUEST_SENT("NAKs sent: invalid request"),
    /** NAKs sent: remote access. */
    NAK_REMOTE_ACCESS_SENT("NAKs sent: remote access"),
    /** NAKs sent: remote operational error. */
    NAK_REMOTE_OPERATION_SENT("NAKs sent: remote operation"),
    /** RNR NAKs sent. */
    RNR_NAK_SENT("NAKs sent: receiver not ready"),
    /** NAKs received: out of sequence. */
    NAK_SEQUENCE_RECEIVED("NAKs received: sequence"),
    /** NAKs received that end the queue pair. */
    NAK_FATAL_RECEIVED("NAKs received: invalid, access or operation"),
    /** RNR NAKs received. */
    RNR_NAK_RECEIVED("NAKs received: receiver not ready"),
    /** Congestion notifications received. */
    CNP_RECEIVED("congestion notifications received"),
    /** Congestion notifications sent. */
    CNP_SENT("congestion notifications sent"),
    /** Packets sent again. */
    PACKETS_RESENT("packets sent again"),
    /** Times that the wait for an acknowledge ran out. */
    TIMEOUTS("waits for an acknowledge that ran out"),
    /** Queue pairs that gave up: retries. */
    RETRY_EXCEEDED("queue pairs given up: retries"),
    /** Queue pairs that gave up: receiver not ready. */
    RNR_RETRY_EXCEEDED("queue pairs given up: receiver not ready"),
    /** Completion queues that overflowed and are useless since. */
    CQ_OVERRUNS("completion queues overrun"),
    /** Datagrams that the socket refused for now. */
    SOCKET_FULL("batches that the socket could not take at once"),
    /** Datagrams that the socket refused for good (no route, too long). */
    SOCKET_ERRORS("batches that the socket refused"),
    /** Gauge: smallest window of the queue pairs, in packets; 0 without queue pairs. */
    SMALLEST_WINDOW("smallest window of the queue pairs, packets");

    private final String label;

    Counter(final String label)
    {
        this.label = label;
    }

    /** For people. */
    public String label()
    {
        return label;
    }
}

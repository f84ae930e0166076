package io.gannet.rdma.roce.cm;

/**
 * Where numbers come from that nobody should guess, and that must differ from an earlier life of this host.
 */
public interface CmIdentifiers
{
    /** Number of this host, the same as long as it lives. */
    long caGuid();

    /** A communication id that is probably not in use; the agent checks. */
    int commId();

    /** A transaction id. */
    long transactionId();
}

package io.gannet.rdma.roce.cm;

/**
 * What one side tells the other of its queue pair.
 *
 * @param qpn          own queue pair.
 * @param startingPsn  what the peer must use first.
 * @param retryCount   for both sides; the connector's counts.
 * @param rnrRetry     for the peer's queue pair.
 * @param ackTimeout   code, for both sides; the connector's counts.
 * @param trafficClass of the acceptor's packets; the connector's counts.
 */
public record CmOffer(int qpn, int startingPsn, int retryCount, int rnrRetry, int ackTimeout, int trafficClass)
{
}

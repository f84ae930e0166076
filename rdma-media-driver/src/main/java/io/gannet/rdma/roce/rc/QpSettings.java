package io.gannet.rdma.roce.rc;

/**
 * What a queue pair is told when it is connected.
 *
 * @param pathMtu     payload bytes of a full packet.
 * @param peerQpn     the peer's queue pair.
 * @param sendPsn     first PSN of own requests, 24 bits.
 * @param receivePsn  first PSN expected from the peer, 24 bits.
 * @param ackTimeout  code of the wait for an acknowledge.
 * @param retryCount  repeats without progress, 0 to 7; unlike Soft-RoCE, 7 is a number and not "for ever".
 * @param rnrRetry    repeats after RNR NAKs, 0 to 7; 7 means for ever.
 */
public record QpSettings(
    int pathMtu, int peerQpn, int sendPsn, int receivePsn, int ackTimeout, int retryCount, int rnrRetry)
{
}

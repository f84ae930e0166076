package io.gannet.rdma.sim;

import java.net.InetAddress;

import org.agrona.DirectBuffer;

import io.gannet.rdma.ConnectParameters;

/**
 * A message between two connection managers.
 *
 * @param device      that sends it.
 * @param from        the sender's address.
 * @param fromId      the sender's communication id.
 * @param toId        the receiver's, 0 in a request.
 * @param port        that a request asks for.
 * @param queuePair   the sender's, may be null.
 * @param parameters  the sender's, with a request and a reply.
 * @param status      reason of a rejection.
 * @param privateData of the application, may be empty.
 */
record CmMessage(
    Kind kind,
    SimDevice device,
    InetAddress from,
    int fromId,
    int toId,
    int port,
    SimQueuePair queuePair,
    ConnectParameters parameters,
    int status,
    DirectBuffer privateData)
{
    enum Kind
    {
        REQUEST, REPLY, READY, REJECT, DISCONNECT_REQUEST, DISCONNECT_REPLY
    }
}

package io.gannet.rdma.sim;

import java.net.InetAddress;

import org.agrona.DirectBuffer;

import io.gannet.rdma.ConnectParameters;

/**
 * A message between two connection managers.
 *
 * @param fromId      the sender's communication id.
 * @param toId        the receiver's, 0 in a request.
 * @param port        that a request asks for.
 * @param qpNum       the sender's queue pair.
 * @param parameters  the sender's, with a request and a reply.
 * @param status      reason of a rejection.
 * @param privateData of the application, may be empty.
 */
record CmMessage(
    Kind kind,
    InetAddress from,
    int fromId,
    int toId,
    int port,
    int qpNum,
    ConnectParameters parameters,
    int status,
    DirectBuffer privateData)
{
    enum Kind
    {
        REQUEST, REPLY, READY, REJECT, DISCONNECT_REQUEST, DISCONNECT_REPLY
    }
}

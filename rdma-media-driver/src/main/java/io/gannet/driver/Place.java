package io.gannet.driver;

import java.net.InetSocketAddress;

/**
 * Where the publisher and the subscribers of an rdma channel meet.
 *
 * @param address of the channel's host; unresolved if it could not be looked up when the driver started.
 * @param fanOut  whether it is the publisher's, where subscribers' drivers connect, else the subscribers', where the
 *                publisher's driver does.
 */
record Place(InetSocketAddress address, boolean fanOut)
{
}

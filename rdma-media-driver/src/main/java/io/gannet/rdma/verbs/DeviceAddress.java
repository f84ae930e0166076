package io.gannet.rdma.verbs;

import java.net.InetAddress;

/**
 * An address under which peers reach a device.
 *
 * @param port from 1.
 */
record DeviceAddress(InetAddress address, int port)
{
}

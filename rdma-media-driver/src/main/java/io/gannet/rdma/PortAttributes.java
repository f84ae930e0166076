package io.gannet.rdma;

import java.net.InetAddress;

/**
 * What is known of a port at the time of the question.
 *
 * @param number    from 1.
 * @param state     only {@link PortState#ACTIVE} carries data.
 * @param activeMtu payload bytes of one packet: 256, 512, 1024, 2048 or 4096.
 * @param address   where peers reach the port.
 */
public record PortAttributes(int number, PortState state, int activeMtu, InetAddress address)
{
}

package io.gannet.driver;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * How host names are looked up. A look-up may take long, so it has a thread of its own.
 */
@FunctionalInterface
interface HostNames
{
    /** As the machine is set up to. */
    HostNames SYSTEM = InetAddress::getByName;

    /**
     * @param host a name or a literal address.
     */
    InetAddress lookUp(String host) throws UnknownHostException;
}

package io.gannet.rdma.roce;

import io.gannet.harness.LoopbackAddress;
import io.gannet.rdma.RdmaDevice;

/**
 * The same where no system calls can be made; one side only, so that both kinds of sockets understand each other.
 */
class RoceByChannelConformanceTest extends RoceConformanceTest
{
    @Override
    protected RdmaDevice openDevice(final int index)
    {
        return RoceDevice.open(
            RoceOptions.LOOPBACK.withAddress(LoopbackAddress.random()).withSystemCalls(index == 0));
    }
}

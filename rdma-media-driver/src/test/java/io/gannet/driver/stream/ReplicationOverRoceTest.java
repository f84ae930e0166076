package io.gannet.driver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.gannet.harness.LoopbackAddress;
import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.roce.RoceDevice;
import io.gannet.rdma.roce.RoceOptions;
import io.gannet.rdma.roce.rc.Counter;

/**
 * The shipped engine over the software NIC, with RoCE packets on loopback.
 */
class ReplicationOverRoceTest extends ReplicationOverNic
{
    @Override
    RdmaDevice openDevice(final int index)
    {
        return RoceDevice.open(RoceOptions.LOOPBACK.withAddress(LoopbackAddress.random()));
    }

    @Override
    void idle()
    {
        Thread.onSpinWait();
    }

    @Override
    void check(final RdmaDevice publisher)
    {
        assertThat(((RoceDevice) publisher).counters().get(Counter.PACKETS_SENT)).isPositive();
    }
}

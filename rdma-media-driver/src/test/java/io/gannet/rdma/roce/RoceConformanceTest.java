package io.gannet.rdma.roce;

import io.gannet.harness.LoopbackAddress;
import io.gannet.rdma.NicConformance;
import io.gannet.rdma.RdmaDevice;

/**
 * The software NIC keeps every provider's promises, over loopback and real sockets.
 */
class RoceConformanceTest extends NicConformance
{
    private static final long PATIENCE = 60_000_000_000L;

    private final long deadline = System.nanoTime() + PATIENCE;

    @Override
    protected RdmaDevice openDevice(final int index)
    {
        return RoceDevice.open(RoceOptions.LOOPBACK.withAddress(LoopbackAddress.random()));
    }

    @Override
    protected void idle()
    {
        Thread.onSpinWait();
    }

    @Override
    protected boolean isTooLate(final long tries)
    {
        return System.nanoTime() - deadline > 0;
    }
}

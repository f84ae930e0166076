package io.gannet.rdma.verbs;

import io.gannet.lab.LabGuest;
import io.gannet.rdma.NicConformance;
import io.gannet.rdma.RdmaDevice;

/**
 * Kernel RDMA keeps every provider's promises: two addresses of one device in a guest.
 */
class VerbsConformanceLab extends NicConformance
{
    private static final long PATIENCE = 60_000_000_000L;

    private final long deadline = System.nanoTime() + PATIENCE;

    @Override
    protected RdmaDevice openDevice(final int index)
    {
        return VerbsDevice.open(VerbsOptions.ANY.withAddress(LabGuest.address(index + 1)));
    }

    @Override
    protected void idle()
    {
        LabGuest.pause();
    }

    @Override
    protected boolean isTooLate(final long tries)
    {
        return System.nanoTime() - deadline > 0;
    }
}

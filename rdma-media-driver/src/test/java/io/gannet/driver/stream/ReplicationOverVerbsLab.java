package io.gannet.driver.stream;

import io.gannet.lab.LabGuest;
import io.gannet.rdma.RdmaDevice;
import io.gannet.rdma.verbs.VerbsDevice;
import io.gannet.rdma.verbs.VerbsOptions;

/**
 * The shipped engine over kernel RDMA, in a guest.
 */
class ReplicationOverVerbsLab extends ReplicationOverNic
{
    @Override
    RdmaDevice openDevice(final int index)
    {
        return VerbsDevice.open(VerbsOptions.ANY.withAddress(LabGuest.address(index + 1)));
    }

    @Override
    void idle()
    {
        LabGuest.pause();
    }
}

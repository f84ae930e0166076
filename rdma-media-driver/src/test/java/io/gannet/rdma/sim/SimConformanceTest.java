package io.gannet.rdma.sim;

import java.net.InetAddress;
import java.net.UnknownHostException;

import io.gannet.rdma.NicConformance;
import io.gannet.rdma.RdmaDevice;
import io.gannet.ring.NativeMemory;

class SimConformanceTest extends NicConformance
{
    private final SimFabric fabric =
        new SimFabric(1, new SimProfile(), NativeMemory.INSTANCE, new SimTrace(0));

    @Override
    protected RdmaDevice openDevice(final int index)
    {
        try
        {
            return fabric.addDevice(InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) (1 + index)}));
        }
        catch (final UnknownHostException ex)
        {
            throw new AssertionError(ex);
        }
    }

    @Override
    protected void idle()
    {
        fabric.scheduler().runUntil(fabric.scheduler().now() + 1_000);
    }

    @Override
    protected boolean isTooLate(final long tries)
    {
        return tries > 1_000_000;
    }
}

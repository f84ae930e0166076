package io.gannet.rdma.roce;

import io.gannet.rdma.Errno;
import io.gannet.rdma.MemoryRegion;
import io.gannet.rdma.RdmaException;
import io.gannet.rdma.roce.rc.Region;
import io.gannet.rdma.roce.rc.Regions;
import java.util.Random;

/**
 * The memory that is registered with a NIC. Takes the device's lock itself.
 */
final class RegionTable
{
    private final RoceDevice device;
    private final Regions regions;
    private int count;

    RegionTable(final RoceDevice device, final Random random)
    {
        this.device = device;
        regions = new Regions(random);
    }

    /** What the protocol looks keys up in. */
    Regions regions()
    {
        return regions;
    }

    MemoryRegion register(
        final RoceProtectionDomain domain, final long start, final long length, final int access)
    {
        device.lock().lock();
        try
        {
            if (count == RoceLimits.MAX_REGIONS)
            {
                throw new RdmaException(Errno.ENOMEM, "cannot register memory: " + device.name() + " has its " +
                    RoceLimits.MAX_REGIONS + " regions");
            }
            count++;
            domain.adopt();
            return new RoceMemoryRegion(device, domain, regions.register(start, length, access, domain));
        }
        finally
        {
            device.lock().unlock();
        }
    }

    void deregister(final Region region, final RoceProtectionDomain domain)
    {
        device.lock().lock();
        try
        {
            regions.deregister(region);
            count--;
            domain.release();
        }
        finally
        {
            device.lock().unlock();
        }
    }
}

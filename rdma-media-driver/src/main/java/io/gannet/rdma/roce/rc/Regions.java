package io.gannet.rdma.roce.rc;

import java.util.Random;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * All registered memory of a NIC by key. Keys are random, so that one region's says nothing about another's.
 */
public final class Regions
{
    private final Int2ObjectHashMap<Region> byKey = new Int2ObjectHashMap<>();
    private final Random random;

    /** Makes an empty table; {@code random} should be secure outside tests. */
    public Regions(final Random random)
    {
        this.random = random;
    }

    /** Registers memory for a protection domain, which is compared by identity. */
    public Region register(final long address, final long length, final int access, final Object domain)
    {
        int key = random.nextInt();
        while (key == 0 || byKey.containsKey(key))
        {
            key = random.nextInt();
        }
        final Region region = new Region(address, length, access, key, domain);
        byKey.put(key, region);
        return region;
    }

    /** Forgets a region; from then on no packet reaches its memory. */
    public void deregister(final Region region)
    {
        region.invalidate();
        byKey.remove(region.lkey());
    }

    Region find(final int key)
    {
        return byKey.get(key);
    }
}

package io.gannet.samples.marketdata.book;

/**
 * Price levels of one instrument, best first. Prices are in units of 10^-9. Not thread-safe.
 */
public interface Depth
{
    /** Levels of a side. */
    int levels(boolean bid);

    /** Price of level {@code index}; 0 is the best. */
    long levelPrice(boolean bid, int index);

    /** Sum of the quantities at a level. */
    long levelQuantity(boolean bid, int index);

    /** Orders at a level. */
    int levelOrders(boolean bid, int index);

    /** Whether the best bid reaches the best offer, as it may before an auction. */
    default boolean isCrossed()
    {
        return levels(true) > 0 && levels(false) > 0 && levelPrice(true, 0) >= levelPrice(false, 0);
    }

    /** Hash of all levels; equal for equal depth, whatever the way to it. */
    default long depthChecksum()
    {
        long hash = Checksum.START;
        for (int side = 0; side < 2; side++)
        {
            final boolean bid = side == 0;
            for (int i = 0, levels = levels(bid); i < levels; i++)
            {
                hash = Checksum.add(hash, levelPrice(bid, i));
                hash = Checksum.add(hash, levelQuantity(bid, i));
                hash = Checksum.add(hash, levelOrders(bid, i));
            }
            hash = Checksum.add(hash, side);
        }
        return hash;
    }
}

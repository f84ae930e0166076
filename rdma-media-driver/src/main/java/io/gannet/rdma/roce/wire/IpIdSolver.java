package io.gannet.rdma.roce.wire;

/**
 * Finds the IPv4 id that explains the difference between a received ICRC and the one computed with id 0. CRC-32 is
 * affine: each id bit adds a fixed 32-bit vector that depends only on how many bytes follow the id, that is, on the
 * packet's length. The sixteen vectors of each length are kept in echelon form, so that a solution is sixteen masked
 * XORs.
 */
final class IpIdSolver
{
    private static final int ID_BITS = 16;
    private static final int REVERSED_POLYNOMIAL = 0xedb8_8320;
    private static final int COUNT = Packets.MAX_SIZE / 4 + 1;
    /** Per length: 16 x (vector << 32 | combination of id bits). */
    private static final long[] BASIS = new long[COUNT * ID_BITS];
    /** Per entry of the basis: the bit that it, and no later one, decides. */
    private static final byte[] PIVOTS = new byte[COUNT * ID_BITS];

    static
    {
        final int[] vectors = new int[ID_BITS];
        for (int bit = 0; bit < ID_BITS; bit++)
        {
            // the id's high byte comes first: one more byte follows it
            final boolean high = bit >= 8;
            vectors[bit] = zeroBytes(1 << (bit & 7), high ? 2 : 1);
        }
        int covered = 0;
        for (int index = Packets.MIN_SIZE / 4; index < COUNT; index++)
        {
            final int after = PseudoHeader.IPV4_SIZE - (PseudoHeader.IPV4_ID + 2) +
                (index * 4 - Bth.SIZE - Packets.ICRC_SIZE);
            for (int bit = 0; bit < ID_BITS; bit++)
            {
                vectors[bit] = zeroBytes(vectors[bit], after - covered);
            }
            covered = after;
            reduce(vectors, index * ID_BITS);
        }
    }

    private IpIdSolver()
    {
    }

    /** The id, or {@link Icrc#WRONG} if none explains {@code difference} in a packet of {@code length} bytes. */
    static int solve(final int difference, final int length)
    {
        final int base = (length >> 2) * ID_BITS;
        long state = (long) difference << 32;
        for (int i = base; i < base + ID_BITS; i++)
        {
            state ^= BASIS[i] & -(state >>> PIVOTS[i] & 1);
        }
        return (state >>> 32) == 0 ? (int) state : Icrc.WRONG;
    }

    private static int zeroBytes(final int register, final int count)
    {
        int value = register;
        for (int i = 0; i < count * 8; i++)
        {
            value = (value >>> 1) ^ (REVERSED_POLYNOMIAL & -(value & 1));
        }
        return value;
    }

    private static void reduce(final int[] vectors, final int base)
    {
        for (int bit = 0; bit < ID_BITS; bit++)
        {
            BASIS[base + bit] = ((long) vectors[bit] << 32) | (1L << bit);
        }
        for (int i = base; i < base + ID_BITS; i++)
        {
            final int pivot = 63 - Long.numberOfLeadingZeros(BASIS[i]);
            PIVOTS[i] = (byte) pivot;
            for (int later = i + 1; later < base + ID_BITS; later++)
            {
                BASIS[later] ^= BASIS[i] & -(BASIS[later] >>> pivot & 1);
            }
        }
    }
}

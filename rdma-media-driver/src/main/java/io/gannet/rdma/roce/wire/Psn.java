package io.gannet.rdma.roce.wire;

/**
 * Packet sequence numbers: 24 bits on the wire, 64 bits inside, so that nothing inside ever wraps.
 */
public final class Psn
{
    /** Largest number on the wire. */
    public static final int MASK = Uint24.MASK;

    private Psn()
    {
    }

    /** The 24 bits of {@code extended} that travel. */
    public static int onWire(final long extended)
    {
        return (int) extended & MASK;
    }

    /**
     * The extended number nearest to {@code reference} whose low 24 bits are {@code wire}: within
     * [reference - 2^23, reference + 2^23), the window in which the protocol orders numbers.
     */
    public static long extend(final long reference, final int wire)
    {
        final int difference = (wire - (int) reference) << 8 >> 8;
        return reference + difference;
    }
}

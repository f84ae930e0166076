package io.gannet.driver.stream.simulation;

/**
 * The machine's memory, before each access to which a thread may lose its processor. Bytes are copied in pieces.
 */
final class YieldingMemory extends CheckedMemory
{
    private final Interleaving interleaving;

    YieldingMemory(final Interleaving interleaving)
    {
        this.interleaving = interleaving;
    }

    @Override
    void onLoad(final long address, final long length)
    {
        interleaving.point();
    }

    @Override
    void onStore(final long address, final long length)
    {
        interleaving.point();
    }

    @Override
    public void copy(final long source, final long target, final long length)
    {
        final long half = length / 2 & -Long.BYTES;
        super.copy(source, target, half);
        super.copy(source + half, target + half, length - half);
    }

    @Override
    public void copyFrom(final byte[] source, final long offset, final long target, final long length)
    {
        final long half = length / 2 & -Long.BYTES;
        super.copyFrom(source, offset, target, half);
        super.copyFrom(source, offset + half, target + half, length - half);
    }
}

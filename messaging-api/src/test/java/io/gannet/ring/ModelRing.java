package io.gannet.ring;

/** A ring whose memory and mapping a test provides. */
public final class ModelRing
{
    private ModelRing()
    {
    }

    /** A ring of the same place, with what is to be done when it is closed and when it is freed. */
    public static Ring of(final Ring place, final RingMemory memory, final Runnable zeroes, final Runnable unmap)
    {
        return new Ring(memory, place.headerAddress(), place.dataAddress(), place.description(), new Ring.Mapped()
        {
            @Override
            public void replaceByZeroes()
            {
                zeroes.run();
            }

            @Override
            public void unmap()
            {
                unmap.run();
            }
        });
    }
}
